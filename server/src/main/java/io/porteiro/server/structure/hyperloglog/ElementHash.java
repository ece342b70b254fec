package io.porteiro.server.structure.hyperloglog;

/**
 * What the 64-bit hash of an element says: which register, and how rare the element is.
 *
 * <pre>
 *   63                                   14 13              0
 *  +---------------------------------------+-----------------+
 *  |  pattern: rank = 1 + trailing zeros   | register index  |
 *  +---------------------------------------+-----------------+
 * </pre>
 */
public final class ElementHash {
  /** The seed with which Redis hashes elements (MurmurHash64A). */
  public static final long SEED = 0xadc83b19L;

  /** A pattern without a single one: rank 51, the greatest. */
  private static final long PATTERN_STOP = 1L << 50;

  private ElementHash() {}

  static int index(long hash) {
    return (int) hash & (HyperLogLog.REGISTERS - 1);
  }

  /** 1 to 51. */
  static int rank(long hash) {
    return 1 + Long.numberOfTrailingZeros((hash >>> HyperLogLog.PRECISION) | PATTERN_STOP);
  }
}
