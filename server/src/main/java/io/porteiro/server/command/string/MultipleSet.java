package io.porteiro.server.command.string;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.Effects;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Operation;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.string.StringValue;
import org.jspecify.annotations.Nullable;

/**
 * MSET and MSETNX: all pairs or none. What can fail for memory comes first and can be taken back:
 * making the values, then the keys that are missing; only then are the others given theirs. Of a
 * key that is named twice the last value stays.
 */
final class MultipleSet {
  private final CommandContext context;
  private final @Nullable StringValue[] values;

  private MultipleSet(CommandContext context) {
    this.context = context;
    this.values = new StringValue[context.request().count() / 2];
  }

  static Operation mSet(CommandContext context) {
    requirePairs(context);
    return MultipleSet::mSet;
  }

  static Operation mSetNx(CommandContext context) {
    requirePairs(context);
    return MultipleSet::mSetNx;
  }

  private static void requirePairs(CommandContext context) {
    if (context.request().count() % 2 == 0) {
      throw Errors.wrongArity(context.spec().name());
    }
  }

  private static void mSet(CommandContext context, ReplyWriter reply) {
    new MultipleSet(context).set();
    reply.ok();
  }

  private static void mSetNx(CommandContext context, ReplyWriter reply) {
    boolean allMissing = areAllMissing(context);
    if (allMissing) {
      new MultipleSet(context).set();
    }
    reply.integer(allMissing ? 1 : 0);
  }

  private static boolean areAllMissing(CommandContext context) {
    for (int i = 1; i < context.request().count(); i += 2) {
      if (context.peek(context.key(i)) != null) {
        return false;
      }
    }
    return true;
  }

  private static int keyIndex(int pair) {
    return 2 * pair + 1;
  }

  private static int valueIndex(int pair) {
    return 2 * pair + 2;
  }

  private void set() {
    try {
      makeValues();
      createMissing();
    } catch (MemoryLimitException e) {
      takeBack();
      throw e;
    }
    for (int pair = 0; pair < values.length; pair++) {
      put(pair);
    }
    note();
  }

  private void makeValues() {
    for (int pair = 0; pair < values.length; pair++) {
      values[pair] = Strings.fromArgument(context, valueIndex(pair));
    }
  }

  private StringValue value(int pair) {
    StringValue value = values[pair];
    if (value == null) {
      throw new IllegalStateException("no value for pair " + pair);
    }
    return value;
  }

  private void createMissing() {
    for (int pair = 0; pair < values.length; pair++) {
      if (context.peek(context.key(keyIndex(pair))) == null) {
        StringValue value = value(pair);
        values[pair] = null; // released where it finds no room
        context.create(context.key(keyIndex(pair)), value);
        values[pair] = value;
      }
    }
  }

  private void takeBack() {
    for (int pair = 0; pair < values.length; pair++) {
      StringValue value = values[pair];
      if (value == null) {
        continue;
      }
      Entry entry = context.peek(context.key(keyIndex(pair)));
      if (entry != null && entry.value() == value) {
        context.delete(context.database(), entry);
      } else {
        value.release();
      }
    }
  }

  private void put(int pair) {
    Entry entry = context.forWrite(context.key(keyIndex(pair)));
    if (entry == null) {
      throw new IllegalStateException("the key of pair " + pair + " is gone");
    }
    if (entry.value() != value(pair)) {
      context.replace(context.database(), entry, value(pair));
    }
    context.setExpiry(context.database(), entry, Entry.NO_EXPIRY);
    context.changed(context.key(keyIndex(pair)), Strings.SET);
  }

  /** Without the values that later ones of the same key replaced: they are gone. */
  private void note() {
    Effects.Effect effect = context.effect("MSET");
    for (int pair = 0; pair < values.length; pair++) {
      Entry entry = context.peek(context.key(keyIndex(pair)));
      if (entry != null && entry.value() == value(pair)) {
        effect.argument(context.request(), keyIndex(pair));
        Strings.note(effect, context, valueIndex(pair), value(pair));
      }
    }
  }
}
