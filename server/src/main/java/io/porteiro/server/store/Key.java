package io.porteiro.server.store;

import io.porteiro.server.memory.OffHeap;

/**
 * A key as a request names it: bytes in memory that someone else owns, and their hash, computed
 * once. Reusable, so that looking a key up allocates nothing.
 */
public final class Key {
  private long address;
  private int length;
  private long hash;

  /** Points at the bytes; they must stay until the key is no longer used. */
  public void set(Keyspace keyspace, long address, int length) {
    this.address = address;
    this.length = length;
    this.hash = keyspace.hash(address, length);
  }

  public long address() {
    return address;
  }

  public int length() {
    return length;
  }

  public long hash() {
    return hash;
  }

  /** The index of its shard. */
  public int shard() {
    return (int) hash & (Keyspace.SHARDS - 1);
  }

  /** A copy of the bytes. */
  public byte[] bytes() {
    return OffHeap.toArray(address, length);
  }

  /** Whether the given bytes are this key. */
  public boolean matches(long otherAddress, int otherLength) {
    return OffHeap.areEqual(address, length, otherAddress, otherLength);
  }

  boolean matches(byte[] other) {
    return OffHeap.areEqual(address, length, other);
  }
}
