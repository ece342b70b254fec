package io.porteiro.server.command.string;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Operation;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.string.Decimal;
import io.porteiro.server.structure.string.StringValue;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** INCR and its sisters: a string that is a number. A missing key counts as 0; its expiry stays. */
final class CounterCommands {
  private static final KeyspaceEvent INCREMENTED = KeyspaceEvent.string("incrby");
  private static final KeyspaceEvent FLOAT_INCREMENTED = KeyspaceEvent.string("incrbyfloat");

  /** Texts from here on are no floats; nothing longer is copied. */
  private static final long MAX_FLOAT_LENGTH = 5 * 1024;

  private CounterCommands() {}

  static void incr(CommandContext context, ReplyWriter reply) {
    add(context, 1, reply);
  }

  static void decr(CommandContext context, ReplyWriter reply) {
    add(context, -1, reply);
  }

  static Operation incrBy(CommandContext context) {
    long increment = context.arguments().longAt(2, Errors.NOT_AN_INTEGER);
    return (applied, reply) -> add(applied, increment, reply);
  }

  static Operation decrBy(CommandContext context) {
    long decrement = context.arguments().longAt(2, Errors.NOT_AN_INTEGER);
    if (decrement == Long.MIN_VALUE) {
      throw new CommandException("ERR decrement would overflow");
    }
    return (applied, reply) -> add(applied, -decrement, reply);
  }

  private static void add(CommandContext context, long increment, ReplyWriter reply) {
    Key key = context.key(1);
    Entry entry = context.forWrite(key);
    long sum = sum(entry == null ? 0 : number(Strings.of(entry)), increment);
    if (entry == null) {
      context.create(key, StringValue.ofNumber(context.keyspace().pool(), sum));
    } else {
      Strings.of(entry).setNumber(sum);
    }
    context.changed(key, INCREMENTED);
    reply.integer(sum);
  }

  private static long number(StringValue value) {
    if (value.isNumber()) {
      return value.number();
    }
    if (!Decimal.isCanonical(value.address(), value.length())) {
      throw Errors.notAnInteger();
    }
    return Decimal.parse(value.address(), value.length());
  }

  private static long sum(long number, long increment) {
    long sum = number + increment;
    boolean overflow = ((number ^ sum) & (increment ^ sum)) < 0;
    if (overflow) {
      throw new CommandException("ERR increment or decrement would overflow");
    }
    return sum;
  }

  // ---- INCRBYFLOAT

  static void incrByFloat(CommandContext context, ReplyWriter reply) {
    Key key = context.key(1);
    StringValue old = Strings.ofOrNull(context.peek(key));
    byte[] sum = floatSum(context, old).getBytes(StandardCharsets.US_ASCII);
    context.put(key, StringValue.textOf(context.keyspace().pool(), sum));
    context.changed(key, FLOAT_INCREMENTED);
    context.effect("SET").argument(context.request(), 1).bytes(sum).text("KEEPTTL");
    reply.bulk(sum);
  }

  /** The result is what the journal gets, so that no other machine has to round as this one. */
  private static String floatSum(CommandContext context, @Nullable StringValue old) {
    LongDouble number = old == null ? LongDouble.ZERO : parse(text(old));
    LongDouble sum = number.plus(parse(argument(context)));
    if (sum.isInfinite()) {
      throw new CommandException("ERR increment would produce NaN or Infinity");
    }
    return sum.toString();
  }

  private static LongDouble parse(@Nullable String text) {
    LongDouble number = text == null ? null : LongDouble.parse(text);
    if (number == null) {
      throw new CommandException(Errors.NOT_A_FLOAT);
    }
    return number;
  }

  private static @Nullable String text(StringValue value) {
    return value.length() < MAX_FLOAT_LENGTH
        ? new String(value.toArray(), StandardCharsets.ISO_8859_1)
        : null;
  }

  private static @Nullable String argument(CommandContext context) {
    return context.request().length(2) < MAX_FLOAT_LENGTH ? context.arguments().textAt(2) : null;
  }
}
