package io.porteiro.server.hash;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A 64-bit hash of key bytes, seeded so that clients cannot choose keys that collide.
 *
 * <p>Multiply and fold: each 8-byte word is mixed into the state through the full 128-bit product,
 * as in wyhash (Wang Yi). Not stable across processes, never stored.
 */
public final class KeyHash {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt HALF =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long K1 = 0x9E3779B97F4A7C15L;
  private static final long K2 = 0xD1B54A32D192ED03L;

  private KeyHash() {}

  public static long hash(MemorySegment bytes, long offset, int length, long seed) {
    long state = seed ^ fold(length + K1, K2);
    long position = offset;
    long end = offset + length;
    for (; position + 8 <= end; position += 8) {
      state = fold(state ^ bytes.get(WORD, position), K1);
    }
    if (position < end) {
      state = fold(state ^ tail(bytes, offset, length), K2);
    }
    return fold(state, K1 ^ seed);
  }

  /** The bytes behind the last whole word, and some before them: in one or two loads. */
  private static long tail(MemorySegment bytes, long offset, int length) {
    if (length >= Long.BYTES) {
      return bytes.get(WORD, offset + length - Long.BYTES);
    }
    if (length >= Integer.BYTES) {
      long low = Integer.toUnsignedLong(bytes.get(HALF, offset));
      return low | (long) bytes.get(HALF, offset + length - Integer.BYTES) << Integer.SIZE;
    }
    return unsigned(bytes, offset)
        | unsigned(bytes, offset + length / 2) << Byte.SIZE
        | unsigned(bytes, offset + length - 1) << (2 * Byte.SIZE);
  }

  private static long unsigned(MemorySegment bytes, long offset) {
    return Byte.toUnsignedLong(bytes.get(ValueLayout.JAVA_BYTE, offset));
  }

  private static long fold(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b) ^ (a * b);
  }
}
