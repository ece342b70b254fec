package io.porteiro.server.store;

import io.porteiro.server.memory.OffHeap;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A key as a request names it: bytes in memory that someone else owns, and their hash, computed
 * once. Reusable, so that looking a key up allocates nothing.
 */
public final class Key {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

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
    return length == otherLength && OffHeap.areEqual(address, otherAddress, length);
  }

  boolean matches(byte[] other) {
    if (other.length != length) {
      return false;
    }
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      if ((long) WORDS.get(other, i) != OffHeap.getLong(address + i)) {
        return false;
      }
    }
    return matchesFrom(i, other);
  }

  private boolean matchesFrom(int from, byte[] other) {
    for (int i = from; i < length; i++) {
      if (other[i] != OffHeap.getByte(address + i)) {
        return false;
      }
    }
    return true;
  }
}
