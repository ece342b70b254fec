package io.porteiro.protocol;

/**
 * Decimal integers as Redis reads them: canonical only. No sign but '-', no leading zero, no blank,
 * nothing beyond 64 bits.
 */
public final class Numbers {
  private Numbers() {}

  /** Whether the bytes are a canonical decimal number between -2^63 and 2^63-1. */
  public static boolean isLong(long address, long length) {
    throw new UnsupportedOperationException();
  }

  /** The number that the bytes are, if {@link #isLong}; else undefined. */
  public static long toLong(long address, long length) {
    throw new UnsupportedOperationException();
  }
}
