package io.porteiro.server.command.bloom;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Effects;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.bloom.AddOutcome;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.HashWidth;
import java.util.Arrays;

/**
 * Items that are added one after the other, up to the first that the filter refuses. What was added
 * before it stays. All of this is done under the write lock.
 *
 * <p>Each thread has one, which holds the outcome of its last command until the next.
 */
final class BatchAdd {
  /** Items were added; the events have the names that Valkey's Bloom module gave them. */
  static final KeyspaceEvent ADDED = KeyspaceEvent.module("bloom.add");

  /** A filter was made, by whatever command. */
  static final KeyspaceEvent RESERVED = KeyspaceEvent.module("bloom.reserve");

  private static final ThreadLocal<BatchAdd> OF_THREAD = ThreadLocal.withInitial(BatchAdd::new);

  /** Of 65,536 items; what a giant request needed beyond is given back. */
  private static final int KEPT_WORDS = 1024;

  /** A bit for each item that was new. */
  private long[] added = {};

  private int answered;
  private int addedCount;
  private AddOutcome last = AddOutcome.PRESENT;

  private BatchAdd() {}

  /**
   * Adds the items to a filter.
   *
   * @param firstItem index of the argument of the context's request that is the first item
   * @param hashes pairs for {@link HashWidth#BITS_64}, the first item's at {@code from}
   */
  static BatchAdd to(
      BloomFilter filter, CommandContext context, int firstItem, long[] hashes, int from) {
    BatchAdd add = OF_THREAD.get();
    int count = context.request().count() - firstItem;
    add.addAll(filter, context, firstItem, hashes, from);
    if (add.addedCount > 0) {
      if (add.addedCount < count) { // otherwise the request says just that
        add.addItems(context, firstItem, context.effect("BF.MADD").argument(context.request(), 1));
      }
      context.changed(context.key(1), ADDED);
    }
    return add;
  }

  /**
   * Makes the filter, under the key that is argument 1, and adds the items to it.
   *
   * @param firstItem index of the argument of the context's request that is the first item
   * @param hashes pairs for {@link HashWidth#BITS_64}, the first item's at {@code from}
   * @throws CommandException before anything is changed: no filter can be made
   */
  static BatchAdd toNew(
      FilterParameters parameters, CommandContext context, int firstItem, long[] hashes, int from) {
    Key key = context.key(1);
    BloomFilter filter = parameters.create(context);
    context.create(key, filter);
    BatchAdd add = OF_THREAD.get();
    add.addAll(filter, context, firstItem, hashes, from);
    add.addItems(context, firstItem, parameters.insertEffect(context));
    context.changed(key, add.addedCount > 0 ? ADDED : RESERVED);
    if (add.addedCount > 0) {
      context.event(context.database(), key, RESERVED);
    }
    return add;
  }

  private void addAll(
      BloomFilter filter, CommandContext context, int firstItem, long[] hashes, int from) {
    int count = context.request().count() - firstItem;
    begin(count);
    if (filter.hashWidth() == HashWidth.BITS_64) {
      addAll(filter, count, hashes, from);
    } else {
      long[] pairs = Items.pairs(context.request(), firstItem, filter.hashWidth());
      addAll(filter, count, pairs, 0);
    }
  }

  private void begin(int count) {
    int words = (count + Long.SIZE - 1) / Long.SIZE;
    if (added.length < words || added.length > KEPT_WORDS) {
      added = new long[words];
    } else {
      Arrays.fill(added, 0, words, 0);
    }
    answered = 0;
    addedCount = 0;
    last = AddOutcome.PRESENT;
  }

  private void addAll(BloomFilter filter, int count, long[] hashes, int from) {
    while (answered < count && !isRefused()) {
      int batch = Math.min(BloomFilter.MAX_BATCH, count - answered);
      int at = from + 2 * answered;
      if (answered % BloomFilter.MAX_BATCH == 0 && filter.hasRoomFor(batch)) {
        addBatch(filter, batch, hashes, at);
      } else {
        last = filter.add(hashes[at], hashes[at + 1]);
        note(last);
      }
    }
  }

  /** None of them can be refused. */
  private void addBatch(BloomFilter filter, int batch, long[] hashes, int at) {
    long outcomes = filter.addAll(hashes, at, batch);
    added[answered / Long.SIZE] = outcomes;
    addedCount += Long.bitCount(outcomes);
    answered += batch;
  }

  private void note(AddOutcome outcome) {
    if (outcome == AddOutcome.ADDED) {
      added[answered / Long.SIZE] |= 1L << answered;
      addedCount++;
    }
    answered++;
  }

  private boolean isRefused() {
    return last == AddOutcome.FULL || last == AddOutcome.CANNOT_GROW;
  }

  private boolean isAdded(int item) {
    return (added[item / Long.SIZE] >>> item & 1) == 1;
  }

  /** For the journal: the items that were new, so that nothing else the filter said matters. */
  private void addItems(CommandContext context, int firstItem, Effects.Effect effect) {
    for (int i = 0; i < answered; i++) {
      if (isAdded(i)) {
        effect.argument(context.request(), firstItem + i);
      }
    }
  }

  /** The outcome of the only item. */
  void replyOne(ReplyWriter reply) {
    if (isRefused()) {
      reply(last, reply);
    } else {
      reply.bool(isAdded(0));
    }
  }

  /** The outcomes; where an item was refused its error is the last. */
  void replyAll(ReplyWriter reply) {
    reply.array(answered);
    int accepted = isRefused() ? answered - 1 : answered;
    Items.answer(added, accepted, reply);
    if (isRefused()) {
      reply(last, reply);
    }
  }

  static void reply(AddOutcome outcome, ReplyWriter reply) {
    switch (outcome) {
      case ADDED -> reply.bool(true);
      case PRESENT -> reply.bool(false);
      case FULL -> reply.error("ERR non scaling filter is full");
      case CANNOT_GROW -> reply.error("ERR problem inserting into filter");
    }
  }
}
