package io.porteiro.server.config;

/**
 * A snapshot is due when this many changes have come and this many seconds have passed since the
 * last one.
 */
public record SavePoint(long seconds, long changes) {}
