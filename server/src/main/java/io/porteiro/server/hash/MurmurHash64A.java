package io.porteiro.server.hash;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The 64-bit MurmurHash2 (variant A, by Austin Appleby), which Redis uses for HyperLogLog and its
 * Bloom module for filters. Words are read little-endian, tail bytes are unsigned.
 */
public final class MurmurHash64A {
  private static final long M = 0xc6a4a7935bd1e995L;
  private static final int R = 47;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private MurmurHash64A() {}

  /**
   * The hash of {@code length} bytes from {@code offset} on.
   *
   * @param length 0 or more; that many bytes must be there
   */
  public static long hash(MemorySegment bytes, long offset, long length, long seed) {
    long h = seed ^ (length * M);
    long wordsEnd = offset + (length & -8L);
    for (long at = offset; at < wordsEnd; at += 8) {
      h = (h ^ scramble(bytes.get(LONG, at))) * M;
    }
    if ((length & 7) != 0) {
      h = (h ^ tail(bytes, offset, length)) * M;
    }
    return finish(h);
  }

  /**
   * Hashes bytes twice: with a seed, and with that hash as the seed.
   *
   * @param pairs gets the hashes at index {@code at} and behind it
   */
  public static void hashTwice(
      MemorySegment bytes, long offset, long length, long seed, long[] pairs, int at) {
    if (length >= 2 * Long.BYTES) {
      long first = hash(bytes, offset, length, seed);
      pairs[at] = first;
      pairs[at + 1] = hash(bytes, offset, length, first);
      return;
    }
    // Most items are that short, and what is done to a word does not depend on the seed.
    long word = length >= Long.BYTES ? scramble(bytes.get(LONG, offset)) : 0;
    long tail = (length & 7) != 0 ? tail(bytes, offset, length) : 0;
    long first = hashShort(word, tail, length, seed);
    pairs[at] = first;
    pairs[at + 1] = hashShort(word, tail, length, first);
  }

  private static long hashShort(long scrambledWord, long tail, long length, long seed) {
    long h = seed ^ (length * M);
    if (length >= Long.BYTES) {
      h = (h ^ scrambledWord) * M;
    }
    if ((length & 7) != 0) {
      h = (h ^ tail) * M;
    }
    return finish(h);
  }

  private static long scramble(long word) {
    long k = word * M;
    return (k ^ (k >>> R)) * M;
  }

  private static long finish(long hash) {
    long h = (hash ^ (hash >>> R)) * M;
    return h ^ (h >>> R);
  }

  /** The last {@code length & 7} (1 to 7) bytes as one number. */
  private static long tail(MemorySegment bytes, long offset, long length) {
    if (length > 8) { // the last whole word ends in the tail: shift out what was hashed already
      return bytes.get(LONG, offset + length - 8) >>> (64 - 8 * (length & 7));
    }
    if (length >= 4) { // two words that overlap cover 4 to 7 bytes
      long low = Integer.toUnsignedLong(bytes.get(INT, offset));
      long high = Integer.toUnsignedLong(bytes.get(INT, offset + length - 4));
      return low | high << (8 * (length - 4));
    }
    return shortTail(bytes, offset, length);
  }

  /** 1 to 3 bytes: the first, the middle and the last cover them, some twice. */
  private static long shortTail(MemorySegment bytes, long offset, long length) {
    long first = unsignedByte(bytes, offset);
    long middle = unsignedByte(bytes, offset + length / 2) << (8 * (length / 2));
    long last = unsignedByte(bytes, offset + length - 1) << (8 * (length - 1));
    return first | middle | last;
  }

  private static long unsignedByte(MemorySegment bytes, long offset) {
    return Byte.toUnsignedLong(bytes.get(ValueLayout.JAVA_BYTE, offset));
  }
}
