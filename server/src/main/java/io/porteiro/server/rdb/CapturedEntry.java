package io.porteiro.server.rdb;

/**
 * A key with its value as it was when it was captured. Holds the value's memory until it is closed.
 */
public final class CapturedEntry implements AutoCloseable {
  final byte[] key;
  final long expireAtMs;
  final int type;
  final CapturedValue value;

  CapturedEntry(byte[] key, long expireAtMs, int type, CapturedValue value) {
    this.key = key;
    this.expireAtMs = expireAtMs;
    this.type = type;
    this.value = value;
  }

  @Override
  public void close() {
    value.release();
  }
}
