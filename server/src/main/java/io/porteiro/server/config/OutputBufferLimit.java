package io.porteiro.server.config;

/**
 * How much output may wait for a client of one class before it is closed.
 *
 * @param hardBytes closed at once above this; 0 is no limit
 * @param softBytes closed when above this for {@code softSeconds} seconds; 0 is no limit
 */
public record OutputBufferLimit(long hardBytes, long softBytes, long softSeconds) {}
