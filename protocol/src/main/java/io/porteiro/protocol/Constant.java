package io.porteiro.protocol;

/**
 * A short reply, ready to be stored with one instruction.
 *
 * @param word its bytes, the first in the lowest bits
 * @param length at most 8
 */
record Constant(long word, int length) {
  static Constant of(String text) {
    if (text.length() > Long.BYTES) {
      throw new IllegalArgumentException(text);
    }
    long word = 0;
    for (int i = 0; i < text.length(); i++) {
      word |= (long) text.charAt(i) << (Byte.SIZE * i);
    }
    return new Constant(word, text.length());
  }
}
