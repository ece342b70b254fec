package io.porteiro.server.command.bloom;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.HashList;
import io.porteiro.server.command.Probe;
import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.bloom.AddOutcome;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.HashWidth;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * BF.ADD and BF.MADD. Items that are all there already are answered under the read lock; that is
 * most of what a gatekeeper is sent.
 */
final class Addition implements Probe {
  private static final int FIRST_ITEM = 2;

  private final boolean single;

  private Addition(boolean single) {
    this.single = single;
  }

  static Addition ofOne() {
    return new Addition(true);
  }

  static Addition ofMany() {
    return new Addition(false);
  }

  @Override
  public void hash(Request request, HashList hashes) {
    Items.hash(request, FIRST_ITEM, hashes);
  }

  /** Batches touch as they test. */
  @Override
  public void touch(Value value, HashList hashes, int from, int to) {
    if (single && value instanceof BloomFilter filter) {
      filter.touchForAdd(hashes.get(from), hashes.get(from + 1));
    }
  }

  @Override
  public boolean answer(
      CommandContext context,
      @Nullable Entry entry,
      HashList hashes,
      int from,
      int to,
      ReplyWriter reply) {
    if (entry == null) {
      return false;
    }
    BloomFilter filter = Filters.of(entry);
    if (!(single ? hasOne(context, filter, hashes, from) : hasAll(context, filter, hashes, from))) {
      return false;
    }
    answerAllPresent(context.request().count() - FIRST_ITEM, reply);
    return true;
  }

  @Override
  public int answerSeries(
      @Nullable Entry entry, HashList hashes, int first, int end, ReplyWriter reply) {
    BloomFilter filter = single ? Filters.of64BitsOrNull(entry) : null;
    if (filter == null) {
      return first;
    }
    int present = filter.countPresent(hashes.array(), hashes.start(first), end - first);
    reply.bools(0, present);
    return first + present;
  }

  @Override
  public boolean takesSeries(CommandContext context, int commands) {
    BloomFilter filter = single ? Filters.of64BitsOrNull(context.forWrite(context.key(1))) : null;
    return filter != null && filter.hasRoomFor(commands);
  }

  @Override
  public long applySeries(CommandContext context, HashList hashes, int first, int end) {
    BloomFilter filter = Filters.of(Objects.requireNonNull(context.peek(context.key(1))));
    return filter.addAll(hashes.array(), hashes.start(first), end - first);
  }

  @Override
  public void reportChanges(CommandContext context, int count) {
    context.changed(context.key(1), BatchAdd.ADDED, count);
  }

  private static boolean hasOne(
      CommandContext context, BloomFilter filter, HashList hashes, int from) {
    return Items.isFirstIn(filter, context.request(), FIRST_ITEM, hashes, from);
  }

  private static boolean hasAll(
      CommandContext context, BloomFilter filter, HashList hashes, int from) {
    int count = context.request().count() - FIRST_ITEM;
    if (filter.hashWidth() == HashWidth.BITS_64) {
      return filter.countPresent(hashes.array(), from, count) == count;
    }
    long[] pairs = Items.pairs(context.request(), FIRST_ITEM, filter.hashWidth());
    return filter.countPresent(pairs, 0, count) == count;
  }

  private void answerAllPresent(int count, ReplyWriter reply) {
    if (!single) {
      reply.array(count);
    }
    Items.answerNo(count, reply);
  }

  @Override
  public void apply(CommandContext context, HashList hashes, int from, int to, ReplyWriter reply) {
    Entry entry = context.forWrite(context.key(1));
    BloomFilter filter = single ? Filters.of64BitsOrNull(entry) : null;
    if (filter != null) {
      addOne(context, filter, hashes.get(from), hashes.get(from + 1), reply);
      return;
    }
    BatchAdd added = addAll(context, entry, hashes.array(), from);
    if (single) {
      added.replyOne(reply);
    } else {
      added.replyAll(reply);
    }
  }

  /** The usual case. */
  private static void addOne(
      CommandContext context, BloomFilter filter, long first, long second, ReplyWriter reply) {
    AddOutcome outcome = filter.add(first, second);
    if (outcome == AddOutcome.ADDED) {
      context.changed(context.key(1), BatchAdd.ADDED);
    }
    BatchAdd.reply(outcome, reply);
  }

  private static BatchAdd addAll(
      CommandContext context, @Nullable Entry entry, long[] hashes, int from) {
    if (entry != null) {
      return BatchAdd.to(Filters.of(entry), context, FIRST_ITEM, hashes, from);
    }
    FilterParameters defaults = FilterParameters.defaults(context.config());
    return BatchAdd.toNew(defaults, context, FIRST_ITEM, hashes, from);
  }
}
