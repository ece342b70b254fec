package io.porteiro.server.command;

import java.util.List;

/**
 * What CLIENT TRACKING ON asks for.
 *
 * @param redirect id of the client that gets the messages, or 0 for the one that reads
 * @param broadcast whether it hears of all keys with a prefix, read or not
 * @param prefixes for broadcasting, one byte a char; none is every key
 * @param optIn whether only reads announced by CLIENT CACHING YES are tracked
 * @param optOut whether reads announced by CLIENT CACHING NO are not tracked
 * @param noLoop whether it does not hear of what it changes itself
 * @see <a href="https://redis.io/docs/latest/commands/client-tracking/">CLIENT TRACKING</a>
 */
public record TrackingOptions(
    long redirect,
    boolean broadcast,
    List<String> prefixes,
    boolean optIn,
    boolean optOut,
    boolean noLoop) {}
