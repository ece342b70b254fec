package io.porteiro.server.hash;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The 32-bit MurmurHash2 (by Austin Appleby), with which the first versions of the Bloom module
 * placed items. Only filters from old files need it.
 */
public final class MurmurHash2 {
  private static final int M = 0x5bd1e995;
  private static final int R = 24;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private MurmurHash2() {}

  /**
   * The hash of {@code length} bytes from {@code offset} on. Of the length only the lower 32 bits
   * go into the hash.
   *
   * @param length 0 or more; that many bytes must be there
   */
  public static int hash(MemorySegment bytes, long offset, long length, int seed) {
    int h = seed ^ (int) length;
    long wordsEnd = offset + (length & -4L);
    for (long at = offset; at < wordsEnd; at += 4) {
      h = (h * M) ^ scramble(bytes.get(INT, at));
    }
    if ((length & 3) != 0) {
      h = (h ^ tail(bytes, wordsEnd, (int) (length & 3))) * M;
    }
    return finish(h);
  }

  private static int scramble(int word) {
    int k = word * M;
    return (k ^ (k >>> R)) * M;
  }

  private static int finish(int hash) {
    int h = (hash ^ (hash >>> 13)) * M;
    return h ^ (h >>> 15);
  }

  private static int tail(MemorySegment bytes, long offset, int count) {
    int tail = 0;
    for (int i = 0; i < count; i++) {
      tail |= Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, offset + i)) << (8 * i);
    }
    return tail;
  }
}
