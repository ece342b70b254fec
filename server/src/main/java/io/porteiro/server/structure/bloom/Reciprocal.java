package io.porteiro.server.structure.bloom;

/**
 * A divisor whose unsigned remainders cost a multiplication instead of a division.
 *
 * <p>With M = floor((2^64 - 1) / d) and r = (2^64 - 1) mod d, the number x * M / 2^64 is less than
 * x / d by x * (1 + r) / (d * 2^64), which is less than 1. So its integer part is the quotient or
 * one less, and one conditional subtraction makes the remainder exact, whatever the 64 bits of x.
 */
final class Reciprocal {
  /** The intermediate remainder is below 2d, which must be a positive long. */
  static final long MAX_DIVISOR = 1L << 62;

  private final long divisor;
  private final long multiplier;

  /**
   * @param divisor from 1 to {@link #MAX_DIVISOR}
   */
  Reciprocal(long divisor) {
    if (divisor < 1 || divisor > MAX_DIVISOR) {
      throw new IllegalArgumentException("divisor " + divisor);
    }
    this.divisor = divisor;
    this.multiplier = Long.divideUnsigned(-1L, divisor);
  }

  long divisor() {
    return divisor;
  }

  /** The same as {@code Long.remainderUnsigned(x, divisor)}. */
  long remainder(long x) {
    long beyond = x - Math.unsignedMultiplyHigh(x, multiplier) * divisor - divisor;
    // Without a branch: whether the subtraction was one too many is as good as random.
    return beyond + (divisor & (beyond >> 63));
  }
}
