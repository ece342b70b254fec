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
    ItemBatch items = items(context, hashes, from).forWidth(filter.hashWidth());
    if (single ? !filter.contains(items.first(0), items.second(0)) : !hasAll(filter, items)) {
      return false;
    }
    answerAllPresent(items.count(), reply);
    return true;
  }

  private static ItemBatch items(CommandContext context, HashList hashes, int from) {
    return new ItemBatch(context.request(), FIRST_ITEM, hashes.array(), from);
  }

  private static boolean hasAll(BloomFilter filter, ItemBatch items) {
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
    for (int i = 0; i < count; i++) {
      reply.bool(false);
    }
  }

  @Override
  public void apply(CommandContext context, HashList hashes, int from, int to, ReplyWriter reply) {
    if (!single) {
      add(context, items(context, hashes, from)).replyAll(reply);
    } else if (!isUsual(context)) {
      add(context, items(context, hashes, from)).replyOne(reply);
    } else {
      addOne(context, hashes.get(from), hashes.get(from + 1), reply);
    }
  }

  private static BatchAdd add(CommandContext context, ItemBatch items) {
    return BatchAdd.apply(context, items, FilterParameters.defaults(context.config()));
  }

  /** Whether the filter is there and takes the hashes as they are. */
  private static boolean isUsual(CommandContext context) {
    BloomFilter filter = Filters.ofOrNull(context.peek(context.key(1)));
    return filter != null && filter.hashWidth() == HashWidth.BITS_64;
  }

  /** The usual case, which is worth not to make objects for. */
  private static void addOne(CommandContext context, long first, long second, ReplyWriter reply) {
    Key key = context.key(1);
    Entry entry = Objects.requireNonNull(context.forWrite(key));
    AddOutcome outcome = Filters.of(entry).add(first, second);
    if (outcome == AddOutcome.ADDED) {
      context.changed(key, BatchAdd.ADDED);
    }
    BatchAdd.reply(outcome, reply);
  }
}
