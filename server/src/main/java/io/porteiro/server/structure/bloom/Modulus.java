package io.porteiro.server.structure.bloom;

/**
 * The number of bits of a link, modulo which a probe is the bit it means. Splits that bit into the
 * word of 64 bits it lies in and its place there.
 *
 * <p>All links made today are e whole words long, so that a probe's lowest six bits are the place,
 * and the word is the rest, n &lt; 2^58, modulo e. With 2^l &gt;= e and M = ceil(2^(58 + l) / e),
 * the number n * M / 2^(58 + l) is more than n / e by less than n * 2^l / (e * 2^(58 + l)), which
 * is less than 1 / e. So its integer part is the quotient, exactly: a multiplication and a shift
 * instead of a division (Granlund and Montgomery 1994, "Division by Invariant Integers using
 * Multiplication").
 *
 * <p>Links from old files may end within a word, and those of one or two words would need a wider
 * M. They are divided.
 */
final class Modulus {
  /** Sums of indexes and lengths stay positive. */
  static final long MAX_BITS = 1L << 62;

  private static final int PLACE_BITS = 6;
  private static final int WORD_BYTES_SHIFT = 3;
  private static final int NUMERATOR_BITS = Long.SIZE - PLACE_BITS;
  private static final long MIN_WORDS = 3;

  private final long bits;
  private final long words;

  /** 0 where probes are divided. */
  private final long multiplier;

  /** By how much more than 64 bits the product is shifted. */
  private final int shift;

  /**
   * @param bits from 1 to {@link #MAX_BITS}
   */
  Modulus(long bits) {
    if (bits < 1 || bits > MAX_BITS) {
      throw new IllegalArgumentException("modulus " + bits);
    }
    this.bits = bits;
    this.words = bits >>> PLACE_BITS;
    boolean divided = bits % Long.SIZE != 0 || words < MIN_WORDS;
    int exponent = Math.max(PLACE_BITS, Long.SIZE - Long.numberOfLeadingZeros(words - 1));
    this.shift = exponent - PLACE_BITS;
    this.multiplier = divided ? 0 : ceilOfPower(NUMERATOR_BITS + exponent, words);
  }

  /** 2^exponent / divisor, rounded up; below 2^63. */
  private static long ceilOfPower(int exponent, long divisor) {
    long quotient = 0;
    long remainder = 1;
    for (int i = 0; i < exponent; i++) {
      remainder <<= 1;
      quotient <<= 1;
      if (remainder >= divisor) {
        remainder -= divisor;
        quotient++;
      }
    }
    return remainder == 0 ? quotient : quotient + 1;
  }

  /** How many bytes before the word with a probe's bit the link begins. */
  long wordOffset(long probe) {
    if (multiplier == 0) {
      return (Long.remainderUnsigned(probe, bits) >>> PLACE_BITS) << WORD_BYTES_SHIFT;
    }
    long word = probe >>> PLACE_BITS;
    return (word - (Math.multiplyHigh(word, multiplier) >>> shift) * words) << WORD_BYTES_SHIFT;
  }

  /** Where in its word a probe's bit is, in the lowest six bits; what stands above is undefined. */
  long place(long probe) {
    return multiplier == 0 ? Long.remainderUnsigned(probe, bits) : probe;
  }

  /** The same as {@code Long.remainderUnsigned(probe, bits)}. */
  long remainder(long probe) {
    return wordOffset(probe) << WORD_BYTES_SHIFT | (place(probe) & (Long.SIZE - 1));
  }
}
