package io.porteiro.server.command.bloom;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.HashList;
import io.porteiro.server.command.Probe;
import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.HashWidth;
import org.jspecify.annotations.Nullable;

/** BF.EXISTS and BF.MEXISTS. A key that is not there, or holds something else, has no items. */
final class LookUp implements Probe {
  private static final int FIRST_ITEM = 2;

  private final boolean single;

  private LookUp(boolean single) {
    this.single = single;
  }

  static LookUp ofOne() {
    return new LookUp(true);
  }

  static LookUp ofMany() {
    return new LookUp(false);
  }

  @Override
  public void hash(Request request, HashList hashes) {
    Items.hash(request, FIRST_ITEM, hashes);
  }

  /** Batches touch as they test. */
  @Override
  public void touch(Value value, HashList hashes, int from, int to) {
    if (single && value instanceof BloomFilter filter) {
      filter.touchForTest(hashes.get(from), hashes.get(from + 1));
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
    BloomFilter filter = Filters.ofOrNull(entry);
    Request request = context.request();
    if (single) {
      reply.bool(filter != null && Items.isFirstIn(filter, request, FIRST_ITEM, hashes, from));
    } else if (filter == null) {
      answerNone(request.count() - FIRST_ITEM, reply);
    } else {
      answerEach(filter, request, hashes, from, reply);
    }
    return true;
  }

  @Override
  public int answerSeries(
      @Nullable Entry entry, HashList hashes, int first, int end, ReplyWriter reply) {
    BloomFilter filter = single ? Filters.of64BitsOrNull(entry) : null;
    if (filter == null) {
      return first;
    }
    int count = end - first;
    reply.bools(filter.test(hashes.array(), hashes.start(first), count), count);
    return end;
  }

  private static void answerEach(
      BloomFilter filter, Request request, HashList hashes, int from, ReplyWriter reply) {
    int count = request.count() - FIRST_ITEM;
    reply.array(count);
    if (filter.hashWidth() == HashWidth.BITS_64) {
      answerEach(filter, hashes.array(), from, count, reply);
    } else {
      long[] pairs = Items.pairs(request, FIRST_ITEM, filter.hashWidth());
      answerEach(filter, pairs, 0, count, reply);
    }
  }

  private static void answerNone(int count, ReplyWriter reply) {
    reply.array(count);
    Items.answerNo(count, reply);
  }

  private static void answerEach(
      BloomFilter filter, long[] hashes, int from, int count, ReplyWriter reply) {
    for (int item = 0; item < count; item += BloomFilter.MAX_BATCH) {
      int batch = Math.min(BloomFilter.MAX_BATCH, count - item);
      reply.bools(filter.test(hashes, from + 2 * item, batch), batch);
    }
  }

  /** Never needed: nothing has to change for a look-up. */
  @Override
  public void apply(CommandContext context, HashList hashes, int from, int to, ReplyWriter reply) {
    throw new IllegalStateException("a look-up is always answered");
  }
}
