package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.Value;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** {@code add key item} and {@code has key item} over a {@link TestSet}, as filters do it. */
final class TestProbe implements Probe {
  /** Stands for an item that is answered with an error. */
  private static final long BAD = -1;

  private final boolean adds;
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger applied = new AtomicInteger();
  private final AtomicInteger touched = new AtomicInteger();

  TestProbe(boolean adds) {
    this.adds = adds;
  }

  /** How many requests were answered under the read lock. */
  int answered() {
    return answered.get();
  }

  /** How many requests went through the write lock. */
  int applied() {
    return applied.get();
  }

  int touched() {
    return touched.get();
  }

  @Override
  public boolean accepts(int arguments) {
    return arguments == 3;
  }

  @Override
  public void hash(Request request, HashList hashes) {
    if (request.text(2).equals("bad")) {
      hashes.add(BAD);
      return;
    }
    long hash = 17;
    long address = request.address(2);
    for (int i = 0; i < request.length(2); i++) {
      hash = hash * 31 + OffHeap.getByte(address + i);
    }
    hashes.add(hash);
  }

  @Override
  public void touch(Value value, HashList hashes, int from, int to) {
    touched.incrementAndGet();
  }

  @Override
  public boolean answer(
      CommandContext context,
      @Nullable Entry entry,
      HashList hashes,
      int from,
      int to,
      ReplyWriter reply) {
    refuseBad(hashes.get(from));
    boolean found = entry != null && set(entry).contains(hashes.get(from));
    if (adds && !found) {
      return false;
    }
    answered.incrementAndGet();
    reply.integer(adds ? 0 : found ? 1 : 0);
    return true;
  }

  @Override
  public void apply(CommandContext context, HashList hashes, int from, int to, ReplyWriter reply) {
    refuseBad(hashes.get(from));
    applied.incrementAndGet();
    Key key = context.key(1);
    if (!adds) {
      Entry entry = context.read(key);
      reply.integer(entry != null && set(entry).contains(hashes.get(from)) ? 1 : 0);
      return;
    }
    Entry entry = context.forWrite(key);
    TestSet set = entry == null ? create(context, key) : set(entry);
    boolean added = set.add(hashes.get(from));
    if (added) {
      context.changed(key, KeyspaceEvent.module("add"));
    }
    reply.integer(added ? 1 : 0);
  }

  private static void refuseBad(long hash) {
    if (hash == BAD) {
      throw new CommandException("ERR bad item");
    }
  }

  private static TestSet create(CommandContext context, Key key) {
    TestSet set = new TestSet();
    context.create(key, set);
    return set;
  }

  static TestSet set(Entry entry) {
    if (entry.value() instanceof TestSet set) {
      return set;
    }
    throw Errors.wrongType();
  }
}
