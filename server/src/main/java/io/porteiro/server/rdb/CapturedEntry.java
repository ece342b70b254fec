package io.porteiro.server.rdb;

import io.porteiro.server.memory.SnapshotMemory;
import io.porteiro.server.structure.Value;

/**
 * A key with its value as it was when it was captured. Holds the value's memory until it is closed.
 */
public final class CapturedEntry implements AutoCloseable {
  final byte[] key;
  final long expireAtMs;
  final int type;
  final CapturedValue value;

  private CapturedEntry(byte[] key, long expireAtMs, int type, CapturedValue value) {
    this.key = key;
    this.expireAtMs = expireAtMs;
    this.type = type;
    this.value = value;
  }

  /**
   * A key and its value as it is now, under the lock that guards it, to be written later and
   * without. In constant time: of strings the block is held, of filters what changes is noted.
   */
  public static CapturedEntry of(byte[] key, long expireAtMs, Value value, SnapshotMemory memory) {
    return new CapturedEntry(
        key, expireAtMs, ValueWriter.typeCode(value.type()), ValueWriter.capture(value, memory));
  }

  /** Bytes of the value. */
  public long bytes() {
    return value.bytes();
  }

  @Override
  public void close() {
    value.release();
  }
}
