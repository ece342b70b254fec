package io.porteiro.protocol;

/**
 * Decimal integers as Redis reads them: canonical only. No sign but '-', no leading zero, no blank,
 * nothing beyond 64 bits.
 */
public final class Numbers {
  /** Digits of 2^63; any number of as many digits fits 64 bits unsigned. */
  private static final int MOST_DIGITS = 19;

  private Numbers() {}

  /** Whether the bytes are a canonical decimal number between -2^63 and 2^63-1. */
  public static boolean isLong(long address, long length) {
    if (length < 1 || length > MOST_DIGITS + 1) {
      return false;
    }
    int sign = signLength(address);
    long digits = length - sign;
    return isCanonical(address + sign, digits, sign == 1)
        && (digits < MOST_DIGITS || fits(address + sign, sign == 1));
  }

  private static boolean isCanonical(long address, long digits, boolean negative) {
    if (digits < 1 || digits > MOST_DIGITS) {
      return false;
    }
    if (NativeBytes.getByte(address) == '0') {
      return digits == 1 && !negative;
    }
    return areDigits(address, digits);
  }

  private static boolean areDigits(long address, long count) {
    for (long i = 0; i < count; i++) {
      if (!isDigit(NativeBytes.getByte(address + i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(byte value) {
    return value >= '0' && value <= '9';
  }

  private static boolean fits(long address, boolean negative) {
    long magnitude = magnitude(address, MOST_DIGITS);
    return Long.compareUnsigned(magnitude, negative ? Long.MIN_VALUE : Long.MAX_VALUE) <= 0;
  }

  /** The number that the bytes are, if {@link #isLong}; else undefined. */
  public static long toLong(long address, long length) {
    int sign = signLength(address);
    long magnitude = magnitude(address + sign, length - sign);
    return sign == 0 ? magnitude : -magnitude;
  }

  private static int signLength(long address) {
    return NativeBytes.getByte(address) == '-' ? 1 : 0;
  }

  private static long magnitude(long address, long digits) {
    long value = 0;
    for (long i = 0; i < digits; i++) {
      value = value * 10 + (NativeBytes.getByte(address + i) - '0');
    }
    return value;
  }

  /** The most bytes that {@link #put} writes: a sign and the digits. */
  static final int MAX_LENGTH = MOST_DIGITS + 1;

  /**
   * Writes a number in decimal.
   *
   * @return the bytes written, at most {@link #MAX_LENGTH}
   */
  static int put(long address, long value) {
    if (value < 0) {
      NativeBytes.putByte(address, (byte) '-');
    }
    long negative = negative(value);
    int length = length(value);
    long at = address + length;
    do {
      long rest = negative / 10;
      NativeBytes.putByte(--at, (byte) ('0' + (rest * 10 - negative)));
      negative = rest;
    } while (negative != 0);
    return length;
  }

  /** There is one more negative number than positive ones. */
  private static long negative(long value) {
    return value < 0 ? value : -value;
  }

  /** How many bytes a number has in decimal. */
  static int length(long value) {
    return (value < 0 ? 1 : 0) + digits(negative(value));
  }

  private static int digits(long negative) {
    long bound = -10;
    for (int digits = 1; digits < MOST_DIGITS; digits++) {
      if (negative > bound) {
        return digits;
      }
      bound *= 10;
    }
    return MOST_DIGITS;
  }
}
