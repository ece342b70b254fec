package io.porteiro.server.command.keyspace;

import static io.porteiro.server.command.CommandFlag.WRITE;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandHarness;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.bloom.BloomCommands;
import io.porteiro.server.command.transaction.TransactionCommands;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.string.StringValue;
import java.util.List;

/** The keyspace commands in a harness, beside filters and the least of strings. */
final class KeyspaceServer implements AutoCloseable {
  private static final List<CommandSpec> STRINGS =
      List.of(
          CommandSpec.named("set")
              .arity(3)
              .flags(WRITE)
              .keys(KeySpec.one(1, "OW"))
              .parser(KeyspaceServer::set)
              .build(),
          CommandSpec.named("get")
              .arity(2)
              .keys(KeySpec.one(1, "RO"))
              .parser(KeyspaceServer::get)
              .build());

  final CommandHarness harness =
      CommandHarness.of(
          KeyspaceCommands.commands(),
          STRINGS,
          BloomCommands.commands(),
          TransactionCommands.commands());
  final HarnessClient client = harness.client();

  /** A server without save points. */
  KeyspaceServer() throws ConfigException {
    harness.configure("save", "");
  }

  private static Operation set(CommandContext unused) {
    return (context, reply) -> {
      StringValue value =
          StringValue.copyOf(
              context.keyspace().pool(), context.request().address(2), context.request().length(2));
      Entry entry = context.put(context.key(1), value);
      context.setExpiry(context.database(), entry, Entry.NO_EXPIRY);
      context.changed(context.key(1), null);
      context.noEffect();
      reply.ok();
    };
  }

  private static Operation get(CommandContext unused) {
    return (context, reply) -> {
      Entry entry = context.read(context.key(1));
      if (entry == null) {
        reply.nullBulk();
      } else {
        reply.bulk(((StringValue) entry.value()).toArray());
      }
    };
  }

  String call(Object... words) {
    return client.call(words);
  }

  /** A client of another database. */
  HarnessClient clientOf(int database) {
    HarnessClient other = harness.client();
    other.session().setDatabase(database);
    return other;
  }

  /** Publishes all keyspace events, as {@code __keyevent@DB__:EVENT KEY}. */
  void publishEvents() {
    harness.services().notifications().setClasses("EKAnm");
  }

  List<String> keyEvents() {
    return harness.channels().take().stream()
        .filter(published -> published.startsWith("__keyevent@"))
        .map(published -> published.replace("__keyevent@", "").replace("__:", " "))
        .toList();
  }

  @Override
  public void close() {
    harness.close();
  }
}
