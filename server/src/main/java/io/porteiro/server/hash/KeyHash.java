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
      state = fold(state ^ tail(bytes, position, end), K2);
    }
    return fold(state, K1 ^ seed);
  }

  private static long tail(MemorySegment bytes, long position, long end) {
    long word = 0;
    for (long i = end - 1; i >= position; i--) {
      word = word << 8 | (bytes.get(ValueLayout.JAVA_BYTE, i) & 0xff);
    }
    return word;
  }

  private static long fold(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b) ^ (a * b);
  }
}
