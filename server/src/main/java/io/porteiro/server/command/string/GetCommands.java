package io.porteiro.server.command.string;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.BlockBytes;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Operation;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.string.StringValue;
import org.jspecify.annotations.Nullable;

/** What answers strings, some of it changing the key on the way. */
final class GetCommands {
  private static final KeyspaceEvent EXPIRE = KeyspaceEvent.generic("expire");
  private static final KeyspaceEvent PERSIST = KeyspaceEvent.generic("persist");

  private GetCommands() {}

  static void get(CommandContext context, ReplyWriter reply) {
    Strings.replyOrNull(Strings.ofOrNull(context.read(context.key(1))), reply);
  }

  /** A key of another type is null here, not an error. */
  static void mGet(CommandContext context, ReplyWriter reply) {
    int count = context.request().count();
    reply.array(count - 1);
    for (int i = 1; i < count; i++) {
      Entry entry = context.read(context.key(i));
      boolean isString = entry != null && entry.value() instanceof StringValue;
      Strings.replyOrNull(isString ? Strings.ofOrNull(entry) : null, reply);
    }
  }

  static void strLen(CommandContext context, ReplyWriter reply) {
    StringValue value = Strings.ofOrNull(context.read(context.key(1)));
    reply.integer(value == null ? 0 : value.length());
  }

  static void getDel(CommandContext context, ReplyWriter reply) {
    Key key = context.key(1);
    StringValue value = Strings.ofOrNull(context.read(key));
    Strings.replyOrNull(value, reply);
    if (value != null) {
      delete(context, key);
    }
  }

  private static void delete(CommandContext context, Key key) {
    Entry entry = context.forWrite(key);
    if (entry != null) {
      context.delete(context.database(), entry);
      context.changed(key, KeyspaceEvent.DEL);
      context.effect("DEL").argument(context.request(), 1);
    }
  }

  // ---- GETRANGE, SUBSTR

  static Operation getRange(CommandContext context) {
    Arguments arguments = context.arguments();
    long start = arguments.longAt(2, Errors.NOT_AN_INTEGER);
    long end = arguments.longAt(3, Errors.NOT_AN_INTEGER);
    return (applied, reply) -> getRange(applied, start, end, reply);
  }

  private static void getRange(CommandContext context, long start, long end, ReplyWriter reply) {
    StringValue value = Strings.ofOrNull(context.read(context.key(1)));
    long length = value == null ? 0 : value.length();
    long first = Math.max(0, start < 0 ? length + start : start);
    long last = Math.min(length - 1, end < 0 ? length + end : end);
    if (value == null || first > last) {
      reply.bulk("");
    } else if (value.isNumber()) {
      reply.bulk(Long.toString(value.number()).substring((int) first, (int) last + 1));
    } else {
      BlockBytes.reply(value.block(), first, last - first + 1, reply);
    }
  }

  // ---- GETEX

  static Operation getEx(CommandContext context) {
    Arguments arguments = context.arguments();
    arguments.skip();
    boolean persist = false;
    ExpiryOption expiry = null;
    int time = 0;
    while (arguments.hasNext()) {
      if (arguments.accept("PERSIST")) {
        require(expiry == null);
        persist = true;
      } else {
        ExpiryOption option = ExpiryOption.accept(arguments);
        require(option != null && !persist && (expiry == null || expiry == option));
        expiry = option;
        time = arguments.skip();
      }
    }
    return getEx(persist, expiry, time);
  }

  private static void require(boolean allowed) {
    if (!allowed) {
      throw Errors.syntax();
    }
  }

  private static Operation getEx(boolean persist, @Nullable ExpiryOption expiry, int time) {
    if (expiry != null) {
      return (context, reply) -> getAndExpire(context, expiry, time, reply);
    }
    return persist ? GetCommands::getAndPersist : GetCommands::get;
  }

  /** The time is looked at only where there is a key. */
  private static void getAndExpire(
      CommandContext context, ExpiryOption expiry, int time, ReplyWriter reply) {
    Key key = context.key(1);
    StringValue value = Strings.ofOrNull(context.read(key));
    if (value == null) {
      reply.nullBulk();
      return;
    }
    long expireAtMs =
        expiry.expireAtMs(context.arguments(), time, context.nowMs(), context.spec().name());
    Strings.reply(value, reply);
    boolean isPast = expireAtMs <= context.nowMs() && context.keyspace().isExpiring();
    if (isPast && !expiry.isRelative()) {
      delete(context, key);
    } else {
      expire(context, key, expireAtMs);
    }
  }

  private static void expire(CommandContext context, Key key, long expireAtMs) {
    Entry entry = context.forWrite(key);
    if (entry != null) {
      context.setExpiry(context.database(), entry, expireAtMs);
      context.changed(key, EXPIRE);
      context.effect("PEXPIREAT").argument(context.request(), 1).number(expireAtMs);
    }
  }

  private static void getAndPersist(CommandContext context, ReplyWriter reply) {
    Key key = context.key(1);
    Strings.replyOrNull(Strings.ofOrNull(context.read(key)), reply);
    Entry entry = context.forWrite(key);
    if (entry != null && entry.hasExpiry()) {
      context.setExpiry(context.database(), entry, Entry.NO_EXPIRY);
      context.changed(key, PERSIST);
      context.effect("PERSIST").argument(context.request(), 1);
    }
  }
}
