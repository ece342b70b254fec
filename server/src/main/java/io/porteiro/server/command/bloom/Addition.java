package io.porteiro.server.command.bloom;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.Effects;
import io.porteiro.server.command.HashList;
import io.porteiro.server.command.Probe;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
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
    ItemBatch.hash(request, FIRST_ITEM, hashes);
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
    return ItemBatch.isFirstIn(filter, context.request(), FIRST_ITEM, hashes, from);
  }

  private static ItemBatch items(CommandContext context, HashList hashes, int from) {
    return new ItemBatch(context.request(), FIRST_ITEM, hashes.array(), from);
  }

  private static boolean hasAll(
      CommandContext context, BloomFilter filter, HashList hashes, int from) {
    int count = context.request().count() - FIRST_ITEM;
    if (filter.hashWidth() == HashWidth.BITS_64) {
      return filter.countPresent(hashes.array(), from, count) == count;
    }
    ItemBatch items = ItemBatch.of(context.request(), FIRST_ITEM, filter.hashWidth());
    return filter.countPresent(items.hashes(), items.from(), count) == count;
  }

  private void answerAllPresent(int count, ReplyWriter reply) {
    if (!single) {
      reply.array(count);
    }
    ItemBatch.answerNo(count, reply);
  }

  @Override
  public void apply(CommandContext context, HashList hashes, int from, int to, ReplyWriter reply) {
    if (!single) {
      if (!addMany(context, hashes, from, reply)) {
        addAll(context, hashes, from).replyAll(reply);
      }
    } else if (!addOne(context, hashes.get(from), hashes.get(from + 1), reply)) {
      addAll(context, hashes, from).replyOne(reply);
    }
  }

  private static BatchAdd addAll(CommandContext context, HashList hashes, int from) {
    FilterParameters defaults = FilterParameters.defaults(context.config());
    return BatchAdd.apply(context, items(context, hashes, from), defaults);
  }

  /**
   * The usual case, which is worth not to make objects for: the filter is there and takes the
   * hashes as they are. Otherwise does nothing and returns false.
   */
  private static boolean addOne(
      CommandContext context, long first, long second, ReplyWriter reply) {
    Key key = context.key(1);
    BloomFilter filter = Filters.of64BitsOrNull(context.forWrite(key));
    if (filter == null) {
      return false;
    }
    AddOutcome outcome = filter.add(first, second);
    if (outcome == AddOutcome.ADDED) {
      context.changed(key, BatchAdd.ADDED);
    }
    BatchAdd.reply(outcome, reply);
    return true;
  }

  /** The same for many items, where the filter will refuse none of them. */
  private static boolean addMany(
      CommandContext context, HashList hashes, int from, ReplyWriter reply) {
    Key key = context.key(1);
    BloomFilter filter = Filters.of64BitsOrNull(context.forWrite(key));
    int count = context.request().count() - FIRST_ITEM;
    if (filter == null || !filter.hasRoomFor(count)) {
      return false;
    }
    int outcomes = hashes.extend((count + Long.SIZE - 1) / Long.SIZE);
    int added = addMany(filter, hashes.array(), from, count, outcomes);
    if (added > 0) {
      if (added < count) {
        noteAdded(context, hashes.array(), outcomes, count);
      }
      context.changed(key, BatchAdd.ADDED);
    }
    // Behind the report of the change: there may be no memory for the answer.
    reply.array(count);
    ItemBatch.answer(hashes.array(), outcomes, count, reply);
    return true;
  }

  /**
   * Adds.
   *
   * @param outcomes index of the first of the words that get a bit for each item that was new
   * @return how many were
   */
  private static int addMany(BloomFilter filter, long[] hashes, int from, int count, int outcomes) {
    int added = 0;
    for (int item = 0; item < count; item += BloomFilter.MAX_BATCH) {
      int batch = Math.min(BloomFilter.MAX_BATCH, count - item);
      long outcome = filter.addAll(hashes, from + 2 * item, batch);
      hashes[outcomes + item / Long.SIZE] = outcome;
      added += Long.bitCount(outcome);
    }
    return added;
  }

  /** For the journal: the items that were new, as in {@link BatchAdd}. */
  private static void noteAdded(CommandContext context, long[] words, int outcomes, int count) {
    Effects.Effect effect = context.effect("BF.MADD").argument(context.request(), 1);
    for (int i = 0; i < count; i++) {
      if ((words[outcomes + i / Long.SIZE] >>> i & 1) == 1) {
        effect.argument(context.request(), FIRST_ITEM + i);
      }
    }
  }
}
