package io.porteiro.server.store;

import io.porteiro.server.structure.Value;

/** A key with its value, expiry and bookkeeping. Guarded by the lock of its shard. */
public final class Entry {
  /** No expiry. Not -1: a log in loading may hold times before 1970. */
  public static final long NO_EXPIRY = Long.MIN_VALUE;

  /** Heap bytes of an entry besides its key: object, array header, table slot at its usual fill. */
  static final long HEAP_BYTES = 140;

  final long hash;
  private final byte[] key;
  private Value value;
  private long expireAtMs = NO_EXPIRY;
  private long epoch;
  private int accessedAtSeconds;

  Entry(byte[] key, long hash, Value value) {
    this.key = key;
    this.hash = hash;
    this.value = value;
  }

  /** The index of its shard, which never changes. */
  public int shard() {
    return (int) hash & (Keyspace.SHARDS - 1);
  }

  /** The key's bytes; not to be changed. */
  public byte[] key() {
    return key;
  }

  public Value value() {
    return value;
  }

  void setValue(Value value) {
    this.value = value;
  }

  /** Unix time in milliseconds at which the key is gone, or {@link #NO_EXPIRY}. */
  public long expireAtMs() {
    return expireAtMs;
  }

  void setExpireAtMs(long expireAtMs) {
    this.expireAtMs = expireAtMs;
  }

  public boolean hasExpiry() {
    return expireAtMs != NO_EXPIRY;
  }

  /** Redis's rule: the key lives through its millisecond of expiry only up to its beginning. */
  public boolean isExpired(long nowMs) {
    return expireAtMs != NO_EXPIRY && nowMs > expireAtMs;
  }

  /** The snapshot epoch in which this entry was created or last captured. */
  public long epoch() {
    return epoch;
  }

  void setEpoch(long epoch) {
    this.epoch = epoch;
  }

  /** Unix seconds, modulo 2^32, when a command last used the key: for OBJECT IDLETIME. */
  public int accessedAtSeconds() {
    return accessedAtSeconds;
  }

  /** Readers race here without harm: any of their times will do. */
  public void setAccessedAtSeconds(int seconds) {
    this.accessedAtSeconds = seconds;
  }

  long heapBytes() {
    return HEAP_BYTES + key.length;
  }

  /** Bytes of the key and its value, without the entry's share of the table: MEMORY USAGE. */
  public long memoryBytes() {
    return key.length + value.memoryBytes();
  }
}
