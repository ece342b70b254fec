package io.porteiro.server.command.keyspace;

import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.READONLY;
import static io.porteiro.server.command.CommandFlag.WRITE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import java.util.List;

/**
 * When keys are going to be gone. All times are kept as absolute Unix milliseconds, and written so
 * to the journal.
 */
final class ExpiryCommands {
  static final List<CommandSpec> TABLE =
      List.of(
          setter("expire", ExpiryCommands::expire),
          setter("pexpire", ExpiryCommands::pexpire),
          setter("expireat", ExpiryCommands::expireat),
          setter("pexpireat", ExpiryCommands::pexpireat),
          getter("ttl", ExpiryCommands::ttl).tips("nondeterministic_output").build(),
          getter("pttl", ExpiryCommands::pttl).tips("nondeterministic_output").build(),
          getter("expiretime", ExpiryCommands::expiretime).build(),
          getter("pexpiretime", ExpiryCommands::pexpiretime).build(),
          CommandSpec.named("persist")
              .arity(2)
              .flags(WRITE, FAST)
              .categories("keyspace")
              .keys(KeySpec.one(1, "RW", "update"))
              .parser(ExpiryCommands::persist)
              .build());

  private static final KeyspaceEvent EXPIRE = KeyspaceEvent.generic("expire");
  private static final KeyspaceEvent PERSIST = KeyspaceEvent.generic("persist");

  private static final long SECOND_MS = 1000;
  private static final long NO_KEY = -2;
  private static final long NO_EXPIRY = -1;

  private ExpiryCommands() {}

  private static CommandSpec setter(String name, CommandParser parser) {
    return CommandSpec.named(name)
        .arity(-3)
        .flags(WRITE, FAST)
        .categories("keyspace")
        .keys(KeySpec.one(1, "RW", "update"))
        .parser(parser)
        .build();
  }

  private static CommandSpec.Builder getter(String name, CommandParser parser) {
    return CommandSpec.named(name)
        .arity(2)
        .flags(READONLY, FAST)
        .categories("keyspace")
        .keys(KeySpec.one(1, "RO", "access"))
        .parser(parser);
  }

  // ---- EXPIRE and its like

  private static Operation expire(CommandContext parsed) {
    return expireAt(parsed, SECOND_MS, parsed.nowMs());
  }

  private static Operation pexpire(CommandContext parsed) {
    return expireAt(parsed, 1, parsed.nowMs());
  }

  private static Operation expireat(CommandContext parsed) {
    return expireAt(parsed, SECOND_MS, 0);
  }

  private static Operation pexpireat(CommandContext parsed) {
    return expireAt(parsed, 1, 0);
  }

  private static Operation expireAt(CommandContext parsed, long unitMs, long fromMs) {
    Arguments arguments = parsed.arguments();
    arguments.skip();
    int time = arguments.skip();
    ExpireCondition condition = ExpireCondition.parse(arguments);
    long atMs = timeMs(parsed, time, unitMs, fromMs);
    return (context, reply) -> expire(context, atMs, condition, reply);
  }

  private static long timeMs(CommandContext context, int index, long unitMs, long fromMs) {
    long time = context.arguments().longAt(index, Errors.NOT_AN_INTEGER);
    if (time > Long.MAX_VALUE / unitMs
        || time < Long.MIN_VALUE / unitMs
        || time * unitMs > Long.MAX_VALUE - fromMs) {
      throw new CommandException(
          "ERR invalid expire time in '" + context.spec().fullName() + "' command");
    }
    return Math.max(time * unitMs + fromMs, Entry.NO_EXPIRY + 1);
  }

  private static void expire(
      CommandContext context, long atMs, ExpireCondition condition, ReplyWriter reply) {
    Key key = context.key(1);
    Entry entry = context.forWrite(key);
    if (entry == null || !condition.admits(entry, atMs)) {
      reply.integer(0);
      return;
    }
    if (isPast(context, atMs)) {
      delete(context, key, entry);
    } else {
      setExpiry(context, key, entry, atMs);
    }
    reply.integer(1);
  }

  /** While a log is loaded nothing expires: what follows in it may give the key more time. */
  static boolean isPast(CommandContext context, long atMs) {
    return atMs <= context.nowMs() && context.keyspace().isExpiring();
  }

  static void delete(CommandContext context, Key key, Entry entry) {
    context.delete(context.database(), entry);
    context.changed(key, KeyspaceEvent.DEL);
    context.effect("DEL").argument(context.request(), 1);
  }

  private static void setExpiry(CommandContext context, Key key, Entry entry, long atMs) {
    context.setExpiry(context.database(), entry, atMs);
    context.changed(key, EXPIRE);
    context.effect("PEXPIREAT").argument(context.request(), 1).number(atMs);
  }

  // ---- TTL and its like

  private static Operation ttl(CommandContext unused) {
    return (context, reply) -> reply.integer(toSeconds(remainingMs(context)));
  }

  private static Operation pttl(CommandContext unused) {
    return (context, reply) -> reply.integer(remainingMs(context));
  }

  private static Operation expiretime(CommandContext unused) {
    return (context, reply) -> reply.integer(toSeconds(expiryMs(context)));
  }

  private static Operation pexpiretime(CommandContext unused) {
    return (context, reply) -> reply.integer(expiryMs(context));
  }

  private static long remainingMs(CommandContext context) {
    long expiryMs = expiryMs(context);
    return expiryMs < 0 ? expiryMs : Math.max(0, expiryMs - context.nowMs());
  }

  /** The expiry of the key, or {@link #NO_KEY} or {@link #NO_EXPIRY}. */
  private static long expiryMs(CommandContext context) {
    Entry entry = context.readUntouched(context.key(1));
    if (entry == null) {
      return NO_KEY;
    }
    return entry.hasExpiry() ? Math.max(0, entry.expireAtMs()) : NO_EXPIRY;
  }

  /** To the nearest second, half a second up. */
  private static long toSeconds(long ms) {
    return ms < 0 ? ms : ms / SECOND_MS + ms % SECOND_MS / (SECOND_MS / 2);
  }

  // ---- PERSIST

  private static Operation persist(CommandContext unused) {
    return (context, reply) -> reply.integer(removeExpiry(context, context.key(1)) ? 1 : 0);
  }

  private static boolean removeExpiry(CommandContext context, Key key) {
    Entry entry = context.forWrite(key);
    if (entry == null || !entry.hasExpiry()) {
      return false;
    }
    context.setExpiry(context.database(), entry, Entry.NO_EXPIRY);
    context.changed(key, PERSIST);
    return true;
  }
}
