package io.porteiro.server.structure.string;

import io.porteiro.server.memory.OffHeap;

/**
 * 64-bit integers as text. Only the canonical form counts as a number: what {@link Long#toString}
 * would write, so that the number and its text can stand for each other.
 */
public final class Decimal {
  /** The length of {@link Long#MIN_VALUE}'s text. */
  public static final int MAX_LENGTH = 20;

  private static final int MAX_DIGITS = 19;

  private Decimal() {}

  /** Whether the bytes are the canonical text of a 64-bit integer. */
  public static boolean isCanonical(long address, long length) {
    if (length < 1 || length > MAX_LENGTH) {
      return false;
    }
    boolean negative = OffHeap.getByte(address) == '-';
    long first = negative ? address + 1 : address;
    long end = address + length;
    return end > first && isMagnitude(first, end, negative);
  }

  private static boolean isMagnitude(long first, long end, boolean negative) {
    if (OffHeap.getByte(first) == '0') {
      return end - first == 1 && !negative;
    }
    if (!allDigits(first, end)) {
      return false;
    }
    return end - first < MAX_DIGITS || (end - first == MAX_DIGITS && fits(first, end, negative));
  }

  private static boolean allDigits(long first, long end) {
    for (long at = first; at < end; at++) {
      byte character = OffHeap.getByte(at);
      if (character < '0' || character > '9') {
        return false;
      }
    }
    return true;
  }

  /** 19 digits never pass 2^64, so that a number beyond 63 bits shows as a wrong sign. */
  private static boolean fits(long first, long end, boolean negative) {
    long magnitude = magnitude(first, end);
    return magnitude >= 0 || (negative && magnitude == Long.MIN_VALUE);
  }

  private static long magnitude(long first, long end) {
    long number = 0;
    for (long at = first; at < end; at++) {
      number = number * 10 + (OffHeap.getByte(at) - '0');
    }
    return number;
  }

  /** The number whose {@link #isCanonical canonical} text the bytes are. */
  public static long parse(long address, long length) {
    boolean negative = OffHeap.getByte(address) == '-';
    long magnitude = magnitude(negative ? address + 1 : address, address + length);
    return negative ? -magnitude : magnitude;
  }

  /** The length of the number's text, 1 to {@link #MAX_LENGTH}. */
  public static int length(long number) {
    int length = number < 0 ? 2 : 1;
    for (long rest = number / 10; rest != 0; rest /= 10) {
      length++;
    }
    return length;
  }

  /** Writes the number's text and returns its length. */
  public static int write(long number, long address) {
    int length = length(number);
    long at = address + length;
    long rest = number;
    do {
      at--;
      OffHeap.putByte(at, (byte) ('0' + Math.abs(rest % 10)));
      rest /= 10;
    } while (rest != 0);
    if (number < 0) {
      OffHeap.putByte(address, (byte) '-');
    }
    return length;
  }
}
