package io.porteiro.server.command.keyspace;

import static io.porteiro.server.command.CommandFlag.DENYOOM;
import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.WRITE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values that go under another key or into another database, with their expiry. */
final class RelocationCommands {
  static final List<CommandSpec> TABLE =
      List.of(
          CommandSpec.named("rename")
              .arity(3)
              .flags(WRITE)
              .categories("keyspace")
              .keys(KeySpec.one(1, "RW", "access", "delete"), KeySpec.one(2, "OW", "update"))
              .parser(RelocationCommands::rename)
              .build(),
          CommandSpec.named("renamenx")
              .arity(3)
              .flags(WRITE, FAST)
              .categories("keyspace")
              .keys(KeySpec.one(1, "RW", "access", "delete"), KeySpec.one(2, "OW", "insert"))
              .parser(RelocationCommands::renamenx)
              .build(),
          CommandSpec.named("copy")
              .arity(-3)
              .flags(WRITE, DENYOOM)
              .categories("keyspace")
              .keys(KeySpec.one(1, "RO", "access"), KeySpec.one(2, "OW", "update"))
              .parser(RelocationCommands::copy)
              .build(),
          CommandSpec.named("move")
              .arity(3)
              .flags(WRITE, FAST)
              .categories("keyspace")
              .keys(KeySpec.one(1, "RW", "access", "update"))
              .parser(RelocationCommands::move)
              .build());

  private static final String SAME_OBJECT = "ERR source and destination objects are the same";

  private static final KeyspaceEvent RENAME_FROM = KeyspaceEvent.generic("rename_from");
  private static final KeyspaceEvent RENAME_TO = KeyspaceEvent.generic("rename_to");
  private static final KeyspaceEvent MOVE_FROM = KeyspaceEvent.generic("move_from");
  private static final KeyspaceEvent MOVE_TO = KeyspaceEvent.generic("move_to");
  private static final KeyspaceEvent COPY_TO = KeyspaceEvent.generic("copy_to");

  private RelocationCommands() {}

  // ---- RENAME, RENAMENX

  private static Operation rename(CommandContext unused) {
    return (context, reply) -> {
      rename(context, true);
      reply.ok();
    };
  }

  private static Operation renamenx(CommandContext unused) {
    return (context, reply) -> reply.integer(rename(context, false) ? 1 : 0);
  }

  private static boolean rename(CommandContext context, boolean overwrite) {
    Key from = context.key(1);
    Key to = context.key(2);
    Entry source = context.forWrite(from);
    if (source == null) {
      throw Errors.noSuchKey();
    }
    if (from.matches(to.address(), to.length())) {
      return false;
    }
    Entry occupant = context.forWrite(to);
    if (occupant != null && !overwrite) {
      return false;
    }
    rename(context, source, occupant, to);
    context.changed(from, RENAME_FROM, 0); // counted once, as one change
    context.changed(to, RENAME_TO);
    return true;
  }

  private static void rename(
      CommandContext context, Entry source, @Nullable Entry occupant, Key to) {
    int database = context.database();
    if (occupant == null) {
      context.move(database, source, database, to);
    } else {
      long expireAtMs = source.expireAtMs();
      overwrite(context, database, to, occupant, context.detach(database, source), expireAtMs);
    }
  }

  /** Cannot fail: the entry stays, value and expiry are other ones. To watchers it is a new key. */
  static void overwrite(
      CommandContext context, int database, Key key, Entry entry, Value value, long expireAtMs) {
    context.replace(database, entry, value);
    context.setExpiry(database, entry, expireAtMs);
    context.event(database, key, KeyspaceEvent.NEW);
  }

  // ---- MOVE

  private static Operation move(CommandContext parsed) {
    parsed.arguments().skip();
    int to = DatabaseArgument.nextDatabase(parsed);
    if (to == parsed.database()) {
      throw new CommandException(SAME_OBJECT);
    }
    return (context, reply) -> reply.integer(move(context, context.key(1), to) ? 1 : 0);
  }

  private static boolean move(CommandContext context, Key key, int to) {
    int from = context.database();
    Entry entry = context.forWrite(key);
    if (entry == null || context.peek(to, key) != null) {
      return false;
    }
    context.move(from, entry, to, key);
    context.changed(from, key, MOVE_FROM, 0); // counted once, as one change
    context.changed(to, key, MOVE_TO);
    return true;
  }

  // ---- COPY

  private static Operation copy(CommandContext parsed) {
    Arguments arguments = parsed.arguments();
    Key from = parsed.key(arguments.skip());
    Key to = parsed.key(arguments.skip());
    int database = parsed.database();
    boolean replace = false;
    while (arguments.hasNext()) {
      if (arguments.accept("REPLACE")) {
        replace = true;
      } else if (arguments.remaining() > 1 && arguments.accept("DB")) {
        database = DatabaseArgument.nextDatabase(parsed);
      } else {
        throw Errors.syntax();
      }
    }
    if (database == parsed.database() && from.matches(to.address(), to.length())) {
      throw new CommandException(SAME_OBJECT);
    }
    return copyTo(database, replace);
  }

  private static Operation copyTo(int database, boolean replace) {
    return (context, reply) -> copy(context, database, replace, reply);
  }

  private static void copy(
      CommandContext context, int database, boolean replace, ReplyWriter reply) {
    Key to = context.key(2);
    Entry source = context.read(context.key(1));
    if (source == null || (!replace && context.peek(database, to) != null)) {
      reply.integer(0);
      return;
    }
    put(context, database, to, source.value().copy(), source.expireAtMs());
    context.changed(database, to, COPY_TO);
    reply.integer(1);
  }

  /**
   * Puts a value under a key, whatever was there, with this expiry or none.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room for one more key;
   *     the value is released then, and nothing has changed
   */
  static Entry put(CommandContext context, int database, Key key, Value value, long expireAtMs) {
    Entry occupant = context.forWrite(database, key);
    if (occupant != null) {
      overwrite(context, database, key, occupant, value, expireAtMs);
      return occupant;
    }
    Entry entry = context.create(database, key, value);
    context.setExpiry(database, entry, expireAtMs);
    return entry;
  }
}
