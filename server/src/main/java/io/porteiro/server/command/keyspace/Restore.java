package io.porteiro.server.command.keyspace;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.rdb.DumpPayload;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.Value;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One RESTORE. The payload, which may be large, is checked and decoded before anything is locked.
 * What is wrong with it is kept, because Redis complains of an occupied key first, then of the time
 * to live, then of the payload.
 */
final class Restore {
  private static final KeyspaceEvent RESTORE = KeyspaceEvent.generic("restore");

  private static final int KEY = 1;
  private static final int TTL = 2;
  private static final int PAYLOAD = 3;
  private static final long MAX_FREQUENCY = 255;
  private static final long NOT_GIVEN = -1;

  private boolean replace;
  private boolean absoluteTtl;
  private long idleSeconds = NOT_GIVEN;
  private long frequency = NOT_GIVEN;

  private long expireAtMs = Entry.NO_EXPIRY;
  private @Nullable Value value;
  private @Nullable RuntimeException refusal;

  /**
   * Takes the arguments apart.
   *
   * @throws CommandException for wrong options
   */
  Restore(CommandContext context) {
    Arguments arguments = context.arguments();
    for (int i = KEY; i <= PAYLOAD; i++) {
      arguments.skip();
    }
    while (arguments.hasNext()) {
      parseOption(arguments);
    }
    try {
      expireAtMs = expireAtMs(context);
      value = decode(context);
    } catch (CommandException | MemoryLimitException e) {
      refusal = e;
    }
  }

  private void parseOption(Arguments arguments) {
    if (arguments.accept("REPLACE")) {
      replace = true;
    } else if (arguments.accept("ABSTTL")) {
      absoluteTtl = true;
    } else if (isNumberNext(arguments, frequency) && arguments.accept("IDLETIME")) {
      idleSeconds = nextUpTo(arguments, Long.MAX_VALUE, "ERR Invalid IDLETIME value, must be >= 0");
    } else if (isNumberNext(arguments, idleSeconds) && arguments.accept("FREQ")) {
      frequency =
          nextUpTo(arguments, MAX_FREQUENCY, "ERR Invalid FREQ value, must be >= 0 and <= 255");
    } else {
      throw Errors.syntax();
    }
  }

  /** IDLETIME and FREQ need a number, and exclude each other. */
  private static boolean isNumberNext(Arguments arguments, long other) {
    return arguments.remaining() > 1 && other == NOT_GIVEN;
  }

  private static long nextUpTo(Arguments arguments, long max, String error) {
    long number = arguments.nextLong();
    if (number < 0 || number > max) {
      throw new CommandException(error);
    }
    return number;
  }

  private long expireAtMs(CommandContext context) {
    long ttl = context.arguments().longAt(TTL, Errors.NOT_AN_INTEGER);
    if (ttl < 0) {
      throw new CommandException("ERR Invalid TTL value, must be >= 0");
    }
    if (ttl == 0) {
      return Entry.NO_EXPIRY;
    }
    return absoluteTtl ? ttl : fromNow(context, ttl);
  }

  private static long fromNow(CommandContext context, long ttl) {
    if (ttl > Long.MAX_VALUE - context.nowMs()) {
      throw new CommandException("ERR invalid expire time in 'restore' command");
    }
    return context.nowMs() + ttl;
  }

  private static Value decode(CommandContext context) {
    Request request = context.request();
    long address = request.address(PAYLOAD);
    int length = request.length(PAYLOAD);
    if (!DumpPayload.isIntact(address, length)) {
      throw new CommandException("ERR DUMP payload version or checksum are wrong");
    }
    Value decoded = DumpPayload.read(address, length, context.keyspace().pool());
    if (decoded == null) {
      throw new CommandException("ERR Bad data format");
    }
    return decoded;
  }

  void apply(CommandContext context, ReplyWriter reply) {
    Key key = context.key(KEY);
    if (!replace && context.peek(key) != null) {
      release();
      throw new CommandException("BUSYKEY Target key name already exists.");
    }
    if (refusal != null) {
      throw refusal;
    }
    if (isPast(context)) {
      release();
      delete(context, key);
    } else {
      put(context, key);
    }
    reply.ok();
  }

  private void release() {
    if (value != null) {
      value.release();
    }
  }

  private boolean isPast(CommandContext context) {
    return expireAtMs != Entry.NO_EXPIRY && ExpiryCommands.isPast(context, expireAtMs);
  }

  /** A value that is past its time replaces another by nothing. */
  private static void delete(CommandContext context, Key key) {
    Entry entry = context.forWrite(key);
    if (entry != null) {
      ExpiryCommands.delete(context, key, entry);
    }
  }

  private void put(CommandContext context, Key key) {
    Entry entry =
        RelocationCommands.put(
            context, context.database(), key, Objects.requireNonNull(value), expireAtMs);
    if (idleSeconds != NOT_GIVEN) {
      long accessedAt = context.nowMs() / 1000 - Math.min(idleSeconds, Integer.MAX_VALUE);
      entry.setAccessedAtSeconds((int) accessedAt);
    }
    context.changed(key, RESTORE);
    effect(context);
  }

  private void effect(CommandContext context) {
    long ttl = expireAtMs == Entry.NO_EXPIRY ? 0 : expireAtMs;
    context
        .effect("RESTORE")
        .argument(context.request(), KEY)
        .number(ttl)
        .argument(context.request(), PAYLOAD)
        .text("REPLACE")
        .text("ABSTTL");
  }
}
