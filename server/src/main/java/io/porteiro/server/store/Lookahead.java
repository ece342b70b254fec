package io.porteiro.server.store;

import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.Value;
import org.jspecify.annotations.Nullable;

/**
 * Brings what leads to the values of several keys into the processor's cache, so that commands on
 * them wait for the memory of all at once and not of one after the other.
 *
 * <p>It takes no lock. So what it reads may be of any time and half made, and is used for nothing
 * but to have been read; and it reads only what the heap holds, because memory off the heap may be
 * gone.
 */
public final class Lookahead {
  /** A database in which the tables are smaller is in the cache anyway, or as good as. */
  private static final int MIN_SLOTS = 8;

  private final Keyspace keyspace;
  private final long[] hashes;
  private final @Nullable Entry[] entries;
  private int count;
  private long lastAddress;
  private int lastLength;

  /** What was read, because the compiler leaves out what nobody wants. */
  private long read;

  /**
   * Not for several threads.
   *
   * @param keys for how many keys at most
   */
  public Lookahead(Keyspace keyspace, int keys) {
    this.keyspace = keyspace;
    this.hashes = new long[keys];
    this.entries = new Entry[keys];
  }

  /** Whether a database has so many keys that it pays. */
  public boolean pays(int database) {
    return keyspace.shard(0).table(database).slotCount() >= MIN_SLOTS;
  }

  /** Names a key, unless it is the one that was named last. */
  public void name(long address, int length) {
    if (count > 0 && OffHeap.areEqual(lastAddress, lastLength, address, length)) {
      return;
    }
    lastAddress = address;
    lastLength = length;
    hashes[count++] = keyspace.hash(address, length);
  }

  /** Fetches for the keys named, and forgets their names. */
  public void fetch(int database) {
    int keys = count;
    count = 0;
    // Each loop makes many loads that do not wait for each other.
    for (int i = 0; i < keys; i++) {
      entries[i] = table(database, i).guess(hashes[i], 0);
    }
    for (int i = 0; i < keys; i++) {
      Entry entry = entries[i];
      if (entry != null && entry.hash != hashes[i]) {
        entries[i] = table(database, i).guess(hashes[i], 1);
      }
    }
    long sum = 0;
    for (int i = 0; i < keys; i++) {
      Entry entry = entries[i];
      entries[i] = null;
      sum += entry == null ? 0 : touch(entry);
    }
    read = sum;
  }

  private KeyTable table(int database, int key) {
    return keyspace.shardOf(hashes[key]).table(database);
  }

  private static long touch(Entry entry) {
    Value value = entry.value();
    return entry.key().length + (value == null ? 0 : value.touchObjects());
  }

  /** The sum of what was read last; of no use but that it has to be known. */
  long lastRead() {
    return read;
  }
}
