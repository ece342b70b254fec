package io.porteiro.server.command.pubsub;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Channels;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of the three kinds of subscription: how it is made, ended and confirmed. Each name in a
 * request is confirmed by a push of its own, {@code subscribe NAME COUNT}; RESP2 has arrays
 * instead.
 */
enum Subscription {
  CHANNEL(Channels.Kind.CHANNEL, "subscribe", "unsubscribe"),
  PATTERN(Channels.Kind.PATTERN, "psubscribe", "punsubscribe"),
  SHARD(Channels.Kind.SHARD, "ssubscribe", "sunsubscribe");

  private final Channels.Kind kind;
  private final String begin;
  private final String end;

  Subscription(Channels.Kind kind, String begin, String end) {
    this.kind = kind;
    this.begin = begin;
    this.end = end;
  }

  /** SUBSCRIBE: to every name of the request. */
  void subscribe(CommandContext context, ReplyWriter reply) {
    for (int i = 1; i < context.request().count(); i++) {
      String name = context.request().text(i);
      channels(context).subscribe(context.session(), kind, name);
      confirm(context, reply, begin, name);
      closeIfForbidden(context.session(), name);
    }
  }

  /**
   * Whoever takes a right away closes those who are subscribed by then; so who subscribes looks
   * once more afterwards.
   */
  private void closeIfForbidden(Session session, String name) {
    if (!kind.isPermitted(session.user().rights(), name)) {
      session.peer().closeAfterReply();
    }
  }

  /** UNSUBSCRIBE: from every name of the request; without any, from all. */
  void unsubscribe(CommandContext context, ReplyWriter reply) {
    if (context.request().count() == 1) {
      unsubscribeFromAll(context, reply);
    }
    for (int i = 1; i < context.request().count(); i++) {
      end(context, reply, context.request().text(i));
    }
  }

  private void unsubscribeFromAll(CommandContext context, ReplyWriter reply) {
    List<String> names = channels(context).subscriptions(context.session(), kind);
    names.forEach(name -> end(context, reply, name));
    if (names.isEmpty()) {
      confirm(context, reply, end, null);
    }
  }

  private void end(CommandContext context, ReplyWriter reply, String name) {
    channels(context).unsubscribe(context.session(), kind, name);
    confirm(context, reply, end, name);
  }

  /** Confirmations are no replies: they come also where CLIENT REPLY has turned replies off. */
  private void confirm(
      CommandContext context, ReplyWriter reply, String word, @Nullable String name) {
    Session session = context.session();
    Channels channels = channels(context);
    int channelsAndPatterns = count(channels, session, CHANNEL) + count(channels, session, PATTERN);
    int shards = count(channels, session, SHARD);
    reply.setDiscarding(false);
    write(reply, word, name, this == SHARD ? shards : channelsAndPatterns);
    reply.setDiscarding(session.isSilenced());
  }

  private static void write(ReplyWriter reply, String word, @Nullable String name, int count) {
    reply.push(3);
    reply.bulk(word);
    if (name == null) {
      reply.nullBulk();
    } else {
      reply.bulk(name);
    }
    reply.integer(count);
  }

  private static int count(Channels channels, Session session, Subscription subscription) {
    return channels.count(session, subscription.kind);
  }

  private static Channels channels(CommandContext context) {
    return context.services().channels();
  }
}
