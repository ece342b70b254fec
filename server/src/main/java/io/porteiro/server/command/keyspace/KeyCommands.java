package io.porteiro.server.command.keyspace;

import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.READONLY;
import static io.porteiro.server.command.CommandFlag.WRITE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandFlag;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import java.util.List;

/** Whether keys are there, of what type, and their removal. */
final class KeyCommands {
  static final List<CommandSpec> TABLE =
      List.of(
          ofMany("del", KeySpec.from(1, 1, "RM", "delete"), KeyCommands::delete, WRITE),
          ofMany("unlink", KeySpec.from(1, 1, "RM", "delete"), KeyCommands::delete, WRITE, FAST),
          ofMany("exists", KeySpec.from(1, 1, "RO"), KeyCommands::exists, READONLY, FAST),
          ofMany("touch", KeySpec.from(1, 1, "RO"), KeyCommands::touch, READONLY, FAST),
          CommandSpec.named("type")
              .arity(2)
              .flags(READONLY, FAST)
              .categories("keyspace")
              .keys(KeySpec.one(1, "RO"))
              .parser(KeyCommands::type)
              .build());

  private KeyCommands() {}

  private static CommandSpec ofMany(
      String name, KeySpec keys, CommandParser parser, CommandFlag... flags) {
    return CommandSpec.named(name)
        .arity(-2)
        .flags(flags)
        .categories("keyspace")
        .tips("request_policy:multi_shard", "response_policy:agg_sum")
        .keys(keys)
        .parser(parser)
        .build();
  }

  /** UNLINK too: big values are always given back in the background. */
  private static Operation delete(CommandContext unused) {
    return (context, reply) -> count(context, reply, KeyCommands::deleteOne);
  }

  private static boolean deleteOne(CommandContext context, Key key) {
    Entry entry = context.forWrite(key);
    if (entry == null) {
      return false;
    }
    context.delete(context.database(), entry);
    context.changed(key, KeyspaceEvent.DEL);
    return true;
  }

  private static Operation exists(CommandContext unused) {
    return (context, reply) -> count(context, reply, (c, key) -> c.readUntouched(key) != null);
  }

  private static Operation touch(CommandContext unused) {
    return (context, reply) -> count(context, reply, (c, key) -> c.read(key) != null);
  }

  @FunctionalInterface
  private interface KeyAction {
    boolean apply(CommandContext context, Key key);
  }

  /**
   * Replies with the number of keys for which the action answers true; a key named twice counts
   * twice.
   */
  private static void count(CommandContext context, ReplyWriter reply, KeyAction action) {
    int count = 0;
    for (int i = 1; i < context.request().count(); i++) {
      if (action.apply(context, context.key(i))) {
        count++;
      }
    }
    reply.integer(count);
  }

  private static Operation type(CommandContext unused) {
    return (context, reply) -> {
      Entry entry = context.readUntouched(context.key(1));
      reply.simpleString(entry == null ? "none" : entry.value().type().typeName());
    };
  }
}
