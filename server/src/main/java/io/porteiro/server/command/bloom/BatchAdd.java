package io.porteiro.server.command.bloom;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Effects;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.bloom.AddOutcome;
import io.porteiro.server.structure.bloom.BloomFilter;

/**
 * Items that are added one after the other, up to the first that the filter refuses. What was added
 * before it stays.
 */
final class BatchAdd {
  /** Items were added; the events have the names that Valkey's Bloom module gave them. */
  static final KeyspaceEvent ADDED = KeyspaceEvent.module("bloom.add");

  /** A filter was made, by whatever command. */
  static final KeyspaceEvent RESERVED = KeyspaceEvent.module("bloom.reserve");

  private final BloomFilter filter;
  private final ItemBatch items;

  /** A bit for each item that was new. */
  private final long[] added;

  private int answered;
  private int addedCount;
  private AddOutcome last = AddOutcome.PRESENT;

  private BatchAdd(BloomFilter filter, ItemBatch items) {
    this.filter = filter;
    this.items = items;
    this.added = new long[(items.count() + Long.SIZE - 1) / Long.SIZE];
  }

  /**
   * Under the write lock: adds the items to the filter of the key, which is made if it is not
   * there.
   *
   * @throws CommandException before anything is changed: the key holds something else, or no filter
   *     can be made
   */
  static BatchAdd apply(CommandContext context, ItemBatch items, FilterParameters parameters) {
    Key key = context.key(1);
    Entry entry = context.forWrite(key);
    boolean creates = entry == null;
    BloomFilter filter = entry == null ? parameters.create(context) : Filters.of(entry);
    if (creates) {
      context.create(key, filter);
    }
    BatchAdd add = new BatchAdd(filter, items.forWidth(filter.hashWidth()));
    add.addAll();
    if (creates || add.addedCount > 0) {
      add.effect(context, creates, parameters);
      add.report(context, key, creates);
    }
    return add;
  }

  private void report(CommandContext context, Key key, boolean creates) {
    context.changed(key, addedCount > 0 ? ADDED : RESERVED);
    if (creates && addedCount > 0) {
      context.event(context.database(), key, RESERVED);
    }
  }

  private void addAll() {
    int count = items.count();
    while (answered < count && !isRefused()) {
      int batch = Math.min(BloomFilter.MAX_BATCH, count - answered);
      if (answered % BloomFilter.MAX_BATCH == 0 && filter.hasRoomFor(batch)) {
        addBatch(batch);
      } else {
        last = add(answered);
        answered++;
      }
    }
  }

  /** None of them can be refused. */
  private void addBatch(int batch) {
    long outcomes = filter.addAll(items.hashes(), items.at(answered), batch);
    added[answered / Long.SIZE] = outcomes;
    addedCount += Long.bitCount(outcomes);
    answered += batch;
  }

  private AddOutcome add(int item) {
    AddOutcome outcome = filter.add(items.first(item), items.second(item));
    if (outcome == AddOutcome.ADDED) {
      added[item / Long.SIZE] |= 1L << item;
      addedCount++;
    }
    return outcome;
  }

  private boolean isRefused() {
    return last == AddOutcome.FULL || last == AddOutcome.CANNOT_GROW;
  }

  private boolean isAdded(int item) {
    return (added[item / Long.SIZE] >>> item & 1) == 1;
  }

  /**
   * For the journal: the items that were new, so that it does not matter what else the filter said
   * to. The request itself, where it says just that.
   */
  private void effect(CommandContext context, boolean creates, FilterParameters parameters) {
    if (creates) {
      addItems(parameters.insertEffect(context));
    } else if (addedCount < items.count()) {
      addItems(context.effect("BF.MADD").argument(items.request(), 1));
    }
  }

  private void addItems(Effects.Effect effect) {
    for (int i = 0; i < answered; i++) {
      if (isAdded(i)) {
        effect.argument(items.request(), items.firstItem() + i);
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
    ItemBatch.answer(added, 0, accepted, reply);
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
