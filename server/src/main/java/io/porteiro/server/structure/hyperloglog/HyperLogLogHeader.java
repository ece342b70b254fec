package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.memory.OffHeap;

/**
 * The 16 bytes in front of the registers.
 *
 * <pre>
 *   0        4          5          8                         15
 *  +--------+----------+----------+--------------------------+
 *  | "HYLL" | encoding | reserved | cached cardinality, stale |
 *  +--------+----------+----------+--------------------------+
 * </pre>
 *
 * <p>The cardinality is a little-endian number whose top bit says that it is stale: registers have
 * changed since. The bits below it keep the last count. The reserved bytes are never looked at.
 */
final class HyperLogLogHeader {
  static final int BYTES = 16;
  static final byte DENSE = 0;
  static final byte SPARSE = 1;

  private static final int MAGIC = 'H' | 'Y' << 8 | 'L' << 16 | 'L' << 24;
  private static final int ENCODING_OFFSET = 4;
  private static final int CARDINALITY_OFFSET = 8;
  private static final long STALE = Long.MIN_VALUE;

  private HyperLogLogHeader() {}

  static boolean hasMagic(long address) {
    return OffHeap.getInt(address) == MAGIC;
  }

  static void writeMagic(long address) {
    OffHeap.putInt(address, MAGIC);
  }

  static byte encoding(long address) {
    return OffHeap.getByte(address + ENCODING_OFFSET);
  }

  static void setEncoding(long address, byte encoding) {
    OffHeap.putByte(address + ENCODING_OFFSET, encoding);
  }

  static boolean isStale(long address) {
    return cardinality(address) < 0;
  }

  /** The cached cardinality, negative while it is stale. */
  static long cardinality(long address) {
    return OffHeap.getLong(address + CARDINALITY_OFFSET);
  }

  static void setCardinality(long address, long cardinality) {
    OffHeap.putLong(address + CARDINALITY_OFFSET, cardinality);
  }

  static void markStale(long address) {
    setCardinality(address, cardinality(address) | STALE);
  }
}
