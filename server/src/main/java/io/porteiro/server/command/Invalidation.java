package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The message that keys are not what they were.
 *
 * <pre>
 * RESP3                               RESP2, to a subscriber only
 * push    invalidate  [key ...]       array   message  __redis__:invalidate  [key ...]
 * </pre>
 *
 * @param keys null for all keys there are
 */
record Invalidation(@Nullable List<byte[]> keys) {
  private static final String CHANNEL = "__redis__:invalidate";

  /** All keys. */
  static final Invalidation EVERYTHING = new Invalidation(null);

  static Invalidation of(byte[] key) {
    return new Invalidation(List.of(key));
  }

  /** To the client that keeps the keys: RESP2 has no message that could stand between replies. */
  void writeTo(ReplyWriter reply) {
    if (reply.protocol() == 3) {
      reply.push(2);
      reply.bulk("invalidate");
      writeKeys(reply);
    }
  }

  /** To the client that its messages are redirected to. */
  void writeRedirected(Session receiver, ReplyWriter reply) {
    if (reply.protocol() == 3) {
      writeTo(reply);
    } else if (receiver.isSubscriber()) {
      reply.array(3);
      reply.bulk("message");
      reply.bulk(CHANNEL);
      writeKeys(reply);
    }
  }

  /** To the client that keeps keys, where the one that its messages are redirected to is gone. */
  static void writeBrokenRedirect(long receiver, ReplyWriter reply) {
    if (reply.protocol() == 3) {
      reply.push(2);
      reply.bulk("tracking-redir-broken");
      reply.integer(receiver);
    }
  }

  private void writeKeys(ReplyWriter reply) {
    if (keys == null) {
      reply.nullBulk();
      return;
    }
    reply.array(keys.size());
    keys.forEach(reply::bulk);
  }
}
