package io.porteiro.protocol;

/**
 * The line that begins most replies and all arguments: a type byte, a decimal number, CR LF. {@code
 * :1} and {@code $11} are such lines.
 */
final class Heads {
  /** The most bytes that {@link #put} touches. */
  static final int MAX_BYTES = 1 + Numbers.MAX_LENGTH + Short.BYTES;

  /** A head with a one-digit number. */
  static final int DIGIT_BYTES = 4;

  private static final int NONE = -1;

  private static final int CR_LF = '\r' | '\n' << 8;

  private Heads() {}

  /** A head with a one-digit number, as a word of four bytes. */
  static long word(byte type, long digit) {
    return type | ('0' + digit) << 8 | (long) CR_LF << 16;
  }

  /**
   * Writes a head of an integer 0 or 1 for each bit of a word.
   *
   * @return the bytes written, {@link #DIGIT_BYTES} for each
   */
  static int putBits(long address, long bits, int count) {
    int zero = (int) word((byte) ':', 0);
    for (int i = 0; i < count; i++) {
      int bit = (int) (bits >>> i) & 1;
      NativeBytes.putInt(address + (long) DIGIT_BYTES * i, zero + (bit << Byte.SIZE));
    }
    return DIGIT_BYTES * count;
  }

  /**
   * Writes a head.
   *
   * @return the bytes written, at most {@link #MAX_BYTES}
   */
  static int put(long address, byte type, long number) {
    NativeBytes.putByte(address, type);
    int end = 1 + Numbers.put(address + 1, number);
    NativeBytes.putByte(address + end, (byte) '\r');
    NativeBytes.putByte(address + end + 1, (byte) '\n');
    return end + 2;
  }

  /**
   * Reads a head of a type with one to three canonical digits. The byte after CR is not looked at.
   *
   * @param word the first eight bytes, the first in the lowest bits
   * @return the number and the length, for {@link #numberOf} and {@link #lengthOf}; negative if the
   *     word does not begin with such a head
   */
  static int parse(long word, char type) {
    int first = digit(word, 1);
    if ((byte) word != type || first > 9) {
      return NONE;
    }
    if (isEnd(word, 2)) {
      return packed(first, 2);
    }
    return first == 0 ? NONE : parseMore(word, first);
  }

  private static int parseMore(long word, int first) {
    int second = digit(word, 2);
    int third = digit(word, 3);
    if (second <= 9 && isEnd(word, 3)) {
      return packed(first * 10 + second, 3);
    }
    return second <= 9 && third <= 9 && isEnd(word, 4)
        ? packed((first * 10 + second) * 10 + third, 4)
        : NONE;
  }

  /** The digit in a byte of the word; more than 9 if it is none. */
  private static int digit(long word, int index) {
    return (int) (word >>> (Byte.SIZE * index) & 0xff) - '0' & 0xff;
  }

  private static boolean isEnd(long word, int index) {
    return (byte) (word >>> (Byte.SIZE * index)) == '\r';
  }

  private static int packed(int number, int end) {
    return number << 3 | end + Short.BYTES;
  }

  /** Whether a word begins with the head that another begins with; as there, but for LF. */
  static boolean areEqual(long word, long other, int headBytes) {
    return (word ^ other) << (Long.SIZE - Byte.SIZE * (headBytes - 1)) == 0;
  }

  static int numberOf(int head) {
    return head >> 3;
  }

  static int lengthOf(int head) {
    return head & 7;
  }
}
