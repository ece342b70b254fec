package io.porteiro.server.hash;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The CRC-64 of Redis: polynomial 0xad93d23594c935a9 ("Jones"), bits reflected, initial value 0, no
 * final xor. "123456789" gives 0xe9c6d914c4b8d9ca.
 *
 * <p>It is streamed: the value over the first piece is the start value for the second. Sixteen
 * bytes are taken at a time, each through a table of its own that carries its effect to the end of
 * the sixteen ("slicing", Kounavis and Berry 2005).
 */
public final class Crc64 {
  /** The polynomial with its bits in reverse order, as the reflected algorithm wants it. */
  private static final long REFLECTED_POLYNOMIAL = Long.reverse(0xad93d23594c935a9L);

  private static final int SLICE_BYTES = 16;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** {@code TABLE[256 * n + b]}: what byte b does to the value when n more bytes follow it. */
  private static final long[] TABLE = table();

  private Crc64() {}

  private static long[] table() {
    long[] table = new long[SLICE_BYTES * 256];
    for (int b = 0; b < 256; b++) {
      table[b] = bitByBit(b);
    }
    for (int i = 256; i < table.length; i++) {
      long before = table[i - 256];
      table[i] = (before >>> 8) ^ table[(int) before & 0xff];
    }
    return table;
  }

  private static long bitByBit(long crc) {
    for (int bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (REFLECTED_POLYNOMIAL & -(crc & 1));
    }
    return crc;
  }

  /** The value over what {@code crc} stands for (0: nothing) and {@code length} more bytes. */
  public static long update(long crc, MemorySegment bytes, long offset, long length) {
    long end = offset + length;
    long at = offset;
    for (; at <= end - SLICE_BYTES; at += SLICE_BYTES) {
      crc = slice(crc ^ bytes.get(LONG, at), bytes.get(LONG, at + 8));
    }
    for (; at < end; at++) {
      crc = (crc >>> 8) ^ TABLE[(int) (crc ^ bytes.get(ValueLayout.JAVA_BYTE, at)) & 0xff];
    }
    return crc;
  }

  private static long slice(long first, long second) {
    return eight(first, 15 * 256) ^ eight(second, 7 * 256);
  }

  /** The effect of the eight bytes of {@code word}, the lowest through the table at {@code top}. */
  private static long eight(long word, int top) {
    long[] t = TABLE;
    return t[top + (int) (word & 0xff)]
        ^ t[top - 256 + (int) (word >>> 8 & 0xff)]
        ^ t[top - 2 * 256 + (int) (word >>> 16 & 0xff)]
        ^ t[top - 3 * 256 + (int) (word >>> 24 & 0xff)]
        ^ t[top - 4 * 256 + (int) (word >>> 32 & 0xff)]
        ^ t[top - 5 * 256 + (int) (word >>> 40 & 0xff)]
        ^ t[top - 6 * 256 + (int) (word >>> 48 & 0xff)]
        ^ t[top - 7 * 256 + (int) (word >>> 56)];
  }
}
