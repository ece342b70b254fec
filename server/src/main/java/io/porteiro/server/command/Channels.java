package io.porteiro.server.command;

import io.porteiro.server.access.Rights;
import java.util.List;

/**
 * Publish and subscribe. Channels and patterns are bytes, given and returned as ISO 8859-1 strings.
 *
 * <p>Messages are handed to the subscribers' event loops while the channel is locked, so that all
 * subscribers see one order. Subscriptions of a session are changed on its own event loop only, and
 * {@link Session#isSubscriber} follows them.
 */
public interface Channels {
  /** The three kinds of subscription. */
  enum Kind {
    CHANNEL,
    PATTERN,
    SHARD;

    /** Whether rights permit a subscription of this kind. */
    public boolean isPermitted(Rights rights, String name) {
      return this == PATTERN ? rights.permitsChannelPattern(name) : rights.permitsChannel(name);
    }
  }

  /** Adds a subscription; false if it was there. */
  boolean subscribe(Session session, Kind kind, String name);

  /** Removes a subscription; false if there was none. */
  boolean unsubscribe(Session session, Kind kind, String name);

  /** The subscriptions of a session, in the order they were made. */
  List<String> subscriptions(Session session, Kind kind);

  /** How many of a kind a session has; no allocation. */
  int count(Session session, Kind kind);

  /** Ends all subscriptions of a session without messages: RESET, end of the connection. */
  void unsubscribeAll(Session session);

  /**
   * Sends a message.
   *
   * @param kind CHANNEL (also reaches patterns that match) or SHARD
   * @param journalPosition that it has to wait for, on every connection
   * @return how many got it
   */
  long publish(Kind kind, byte[] channel, byte[] message, long journalPosition);

  /** How many would get a message now. */
  long receivers(Kind kind, byte[] channel);

  /** Channels (or shard channels) with subscribers that match the pattern. */
  List<String> active(Kind kind, String pattern);

  /** How many subscribers a channel or shard channel has; patterns not counted. */
  int subscribers(Kind kind, String channel);

  /** How many patterns there are, each counted once. */
  int patterns();
}
