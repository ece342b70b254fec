package io.porteiro.server.command.bloom;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.HashList;
import io.porteiro.server.command.Probe;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.bloom.AddOutcome;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.HashWidth;
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
  public void hash(CommandContext context, HashList hashes) {
    ItemBatch.hash(context.request(), FIRST_ITEM, hashes);
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

  private static boolean hasOne(
      CommandContext context, BloomFilter filter, HashList hashes, int from) {
    return ItemBatch.isFirstIn(filter, context.request(), FIRST_ITEM, hashes, from);
  }

  private static ItemBatch items(CommandContext context, HashList hashes, int from) {
    return new ItemBatch(context.request(), FIRST_ITEM, hashes.array(), from);
  }

  private static boolean hasAll(
      CommandContext context, BloomFilter filter, HashList hashes, int from) {
    ItemBatch items = items(context, hashes, from).forWidth(filter.hashWidth());
    int count = items.count();
    for (int item = 0; item < count; item += BloomFilter.MAX_BATCH) {
      int batch = Math.min(BloomFilter.MAX_BATCH, count - item);
      if (Long.bitCount(filter.test(items.hashes(), items.at(item), batch)) < batch) {
        return false;
      }
    }
    return true;
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
      addAll(context, hashes, from).replyAll(reply);
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
    BloomFilter filter = Filters.ofOrNull(context.forWrite(key));
    if (filter == null || filter.hashWidth() != HashWidth.BITS_64) {
      return false;
    }
    AddOutcome outcome = filter.add(first, second);
    if (outcome == AddOutcome.ADDED) {
      context.changed(key, BatchAdd.ADDED);
    }
    BatchAdd.reply(outcome, reply);
    return true;
  }
}
