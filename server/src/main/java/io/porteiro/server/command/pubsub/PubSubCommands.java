package io.porteiro.server.command.pubsub;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.ChannelUse;
import io.porteiro.server.command.Channels;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandFlag;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Help;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.ScopeKind;
import java.util.List;

/**
 * SUBSCRIBE and its like, PUBLISH, SPUBLISH and PUBSUB. Who gets which message is for {@link
 * Channels} to say.
 *
 * @see <a href="https://redis.io/docs/latest/develop/interact/pubsub/">Redis publish and
 *     subscribe</a>
 */
public final class PubSubCommands {
  private static final String[] HELP = {
    "CHANNELS [<pattern>]",
    "    Return the currently active channels matching a <pattern> (default: '*').",
    "NUMPAT",
    "    Return number of subscriptions to patterns.",
    "NUMSUB [<channel> ...]",
    "    Return the number of subscribers for the specified channels, excluding",
    "    pattern subscriptions(default: no channels).",
    "SHARDCHANNELS [<pattern>]",
    "    Return the currently active shard level channels matching a <pattern> (default: '*').",
    "SHARDNUMSUB [<shardchannel> ...]",
    "    Return the number of subscribers for the specified shard level channel(s)",
  };

  private PubSubCommands() {}

  public static List<CommandSpec> commands() {
    return List.of(
        subscriber("subscribe", -2, _ -> Subscription.CHANNEL::subscribe)
            .channels(ChannelUse.SUBSCRIBE)
            .build(),
        subscriber("psubscribe", -2, _ -> Subscription.PATTERN::subscribe)
            .channels(ChannelUse.SUBSCRIBE_PATTERNS)
            .build(),
        subscriber("ssubscribe", -2, PubSubCommands::shardSubscribe)
            .channels(ChannelUse.SUBSCRIBE)
            .keys(KeySpec.from(1, 1, "not_key"))
            .scope(ScopeKind.NONE)
            .build(),
        subscriber("unsubscribe", -1, _ -> Subscription.CHANNEL::unsubscribe).build(),
        subscriber("punsubscribe", -1, _ -> Subscription.PATTERN::unsubscribe).build(),
        subscriber("sunsubscribe", -1, _ -> Subscription.SHARD::unsubscribe)
            .keys(KeySpec.from(1, 1, "not_key"))
            .scope(ScopeKind.NONE)
            .build(),
        publisher("publish", Channels.Kind.CHANNEL).build(),
        publisher("spublish", Channels.Kind.SHARD)
            .keys(KeySpec.one(1, "not_key"))
            .scope(ScopeKind.NONE)
            .build(),
        CommandSpec.named("pubsub")
            .arity(-2)
            .subcommands(
                query("channels", -2, context -> active(context, Channels.Kind.CHANNEL)),
                query("numpat", 2, _ -> PubSubCommands::patterns),
                query("numsub", -2, _ -> subscribers(Channels.Kind.CHANNEL)),
                query("shardchannels", -2, context -> active(context, Channels.Kind.SHARD)),
                query("shardnumsub", -2, _ -> subscribers(Channels.Kind.SHARD)),
                Help.of("pubsub", HELP))
            .build());
  }

  private static CommandSpec.Builder subscriber(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name)
        .arity(arity)
        .flags(CommandFlag.PUBSUB, CommandFlag.NOSCRIPT, CommandFlag.LOADING, CommandFlag.STALE)
        .parser(parser);
  }

  private static CommandSpec.Builder publisher(String name, Channels.Kind kind) {
    return CommandSpec.named(name)
        .arity(3)
        .flags(CommandFlag.PUBSUB, CommandFlag.LOADING, CommandFlag.STALE, CommandFlag.FAST)
        .flags(CommandFlag.MAY_REPLICATE)
        .channels(ChannelUse.PUBLISH)
        .parser(_ -> publish(kind));
  }

  private static CommandSpec.Builder query(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name)
        .arity(arity)
        .flags(CommandFlag.PUBSUB, CommandFlag.LOADING, CommandFlag.STALE)
        .parser(parser);
  }

  /** Inside EXEC each command answers one value, which several confirmations are not. */
  private static Operation shardSubscribe(CommandContext context) {
    if (context.isInTransaction()) {
      throw new CommandException("ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client");
    }
    return Subscription.SHARD::subscribe;
  }

  private static Operation publish(Channels.Kind kind) {
    return (context, reply) ->
        reply.integer(
            context.publish(kind, context.request().bytes(1), context.request().bytes(2)));
  }

  private static Operation active(CommandContext context, Channels.Kind kind) {
    if (context.request().count() > 3) {
      throw new CommandException(
          "ERR unknown subcommand or wrong number of arguments for '"
              + context.request().text(1)
              + "'. Try PUBSUB HELP.");
    }
    String pattern = context.request().count() == 3 ? context.request().text(2) : "*";
    return (applying, reply) -> bulks(reply, channels(applying).active(kind, pattern));
  }

  private static void bulks(ReplyWriter reply, List<String> texts) {
    reply.array(texts.size());
    texts.forEach(reply::bulk);
  }

  private static Operation subscribers(Channels.Kind kind) {
    return (context, reply) -> {
      int count = context.request().count();
      reply.array(2L * (count - 2));
      for (int i = 2; i < count; i++) {
        String channel = context.request().text(i);
        reply.bulk(channel);
        reply.integer(channels(context).subscribers(kind, channel));
      }
    };
  }

  private static void patterns(CommandContext context, ReplyWriter reply) {
    reply.integer(channels(context).patterns());
  }

  private static Channels channels(CommandContext context) {
    return context.services().channels();
  }
}
