package io.porteiro.server.store;

import io.porteiro.server.hash.KeyHash;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.FilterCensus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * All keys of all databases, in 256 shards chosen by a hash of the key that is seeded at random at
 * start. Locks are taken by {@link ShardScope} only.
 */
public final class Keyspace {
  /** Fixed: the shard is the low byte of the hash and of SCAN's cursor. */
  public static final int SHARDS = 256;

  private final long seed;
  private final int databases;
  private final MemoryPool pool;
  private final Shard[] shards = new Shard[SHARDS];
  private final LongAdder changes = new LongAdder();
  private final AtomicLong heapBytes = new AtomicLong();
  private volatile long heapLimitBytes = Long.MAX_VALUE;
  private volatile boolean expiring = true;
  private volatile long epoch;
  private volatile @Nullable Capture capture;

  /**
   * @param databases their number, at least 1
   * @param seed of the key hash; random, except in tests
   */
  public Keyspace(MemoryPool pool, int databases, long seed) {
    this.pool = pool;
    this.databases = databases;
    this.seed = seed;
    Arrays.setAll(shards, i -> new Shard(i, databases));
  }

  public int databases() {
    return databases;
  }

  public MemoryPool pool() {
    return pool;
  }

  long hash(long address, int length) {
    return KeyHash.hash(OffHeap.MEMORY, address, length, seed);
  }

  Shard shardOf(long hash) {
    return shards[(int) hash & (SHARDS - 1)];
  }

  /** A shard by its number, 0 to 255. */
  public Shard shard(int index) {
    return shards[index];
  }

  /** Number of keys, those past their time but not yet removed included; no lock is taken. */
  public long size(int database) {
    long size = 0;
    for (Shard shard : shards) {
      size += shard.table(database).size();
    }
    return size;
  }

  /** Number of keys with an expiry; no lock is taken. */
  public long expiringSize(int database) {
    long size = 0;
    for (Shard shard : shards) {
      size += shard.table(database).expiringSize();
    }
    return size;
  }

  /** What the table of a database takes on the heap, its keys not counted; no lock is taken. */
  public long tableBytes(int database) {
    return size(database) * Entry.HEAP_BYTES;
  }

  /** What there is of Bloom filters in all databases; no lock is taken. */
  public FilterCensus filters() {
    FilterCensus sum = new FilterCensus();
    for (Shard shard : shards) {
      for (int database = 0; database < databases; database++) {
        shard.table(database).addCensusTo(sum);
      }
    }
    return sum;
  }

  /** Changes since the server started: what INFO counts for the save points. */
  public long changes() {
    return changes.sum();
  }

  void countChanges(long count) {
    changes.add(count);
  }

  /** Heap bytes of all entries, as estimated per entry. */
  public long heapBytes() {
    return heapBytes.get();
  }

  /** The most heap that entries may take; creating a key beyond is refused. Not while loading. */
  public void setHeapLimitBytes(long heapLimitBytes) {
    this.heapLimitBytes = heapLimitBytes;
  }

  /**
   * Counts a new entry, or something else that is kept per key.
   *
   * @throws MemoryLimitException if there is no heap for it
   */
  public void reserveHeap(long bytes) {
    if (heapBytes.addAndGet(bytes) > heapLimitBytes) {
      heapBytes.addAndGet(-bytes);
      throw new MemoryLimitException("keys take all the heap there is: raise -Xmx");
    }
    pool.count(bytes);
  }

  public void releaseHeap(long bytes) {
    heapBytes.addAndGet(-bytes);
    pool.count(-bytes);
  }

  /**
   * Whether keys past their time are absent. Off while loading: a later log entry may save them.
   */
  public boolean isExpiring() {
    return expiring;
  }

  public void setExpiring(boolean expiring) {
    this.expiring = expiring;
  }

  /** The current snapshot epoch: entries carry that of their creation or last capture. */
  public long epoch() {
    return epoch;
  }

  /** Begins a new epoch with all shards locked; what is older belongs to the snapshot. */
  public void beginEpoch(Capture snapshot) {
    long next = epoch + 1;
    epoch = next;
    capture = snapshot;
  }

  /**
   * Marks an entry as captured in this epoch. For the snapshot alone, under the lock of its shard,
   * if only for reading: no one else marks entries then.
   *
   * @return false if it was captured or created in this epoch already
   */
  public boolean markCaptured(Entry entry) {
    if (entry.epoch() == epoch) {
      return false;
    }
    entry.setEpoch(epoch);
    return true;
  }

  /** The snapshot is done: nothing is captured any more. */
  public void endCapture() {
    capture = null;
  }

  /** What a table's entries and values count for in the pool. */
  public static long countedBytes(KeyTable table) {
    long[] sum = {0};
    table.forEach(entry -> sum[0] += entry.heapBytes() + entry.value().countedBytes());
    return sum[0];
  }

  void captureBeforeChange(int database, Entry entry) {
    if (entry.epoch() != epoch) {
      Capture running = capture;
      if (running != null) {
        running.capture(database, entry);
      }
      entry.setEpoch(epoch);
    }
  }

  /**
   * Frees tables that were flushed, in the background; those that a running snapshot needs, when it
   * has passed them.
   */
  void giveAway(List<KeyTable> flushed) {
    Capture running = capture;
    List<KeyTable> unneeded = new ArrayList<>(flushed);
    if (running != null) {
      unneeded.removeIf(running::keep);
    }
    long keys = unneeded.stream().mapToLong(KeyTable::size).sum();
    pool.freeLater(keys, () -> unneeded.forEach(this::discard));
  }

  /** Releases the values of a table that no one can reach any more. */
  public void discard(KeyTable table) {
    table.forEach(entry -> {
      entry.value().release();
      releaseHeap(entry.heapBytes());
    });
  }
}
