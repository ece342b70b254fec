package io.porteiro.server.rdb;

import java.io.IOException;

/**
 * Lengths and other unsigned numbers of up to 64 bits, and the marks of specially encoded strings.
 *
 * <pre>
 *   00nnnnnn                  n
 *   01nnnnnn nnnnnnnn         n, 14 bits
 *   10000000 4 bytes          n, big-endian
 *   10000001 8 bytes          n, big-endian
 *   11ssssss                  no length but string form s
 * </pre>
 */
final class LengthCode {
  static final int BITS_14 = 0x40;
  static final int BITS_32 = 0x80;
  static final int BITS_64 = 0x81;
  static final int STRING_FORM = 0xc0;

  /** Values below fit the first byte, or the first two. */
  static final long SIX_BITS_END = 1 << 6;

  static final long FOURTEEN_BITS_END = 1 << 14;

  private LengthCode() {}

  static boolean isStringForm(int first) {
    return first >= STRING_FORM;
  }

  /** An unsigned number; above 2^63 it looks negative. */
  static long read(RdbInput in) throws IOException {
    return readAfter(in, in.readByte());
  }

  /** The number whose first byte has been read already. */
  static long readAfter(RdbInput in, int first) throws IOException {
    if (first < BITS_14) {
      return first;
    }
    if (first < BITS_32) {
      return (first & 0x3fL) << 8 | in.readByte();
    }
    return switch (first) {
      case BITS_32 -> in.readBigEndian(Integer.BYTES);
      case BITS_64 -> in.readBigEndian(Long.BYTES);
      default -> throw in.bad("not a length: first byte " + first);
    };
  }

  static void write(RdbOutput out, long value) throws IOException {
    if (value < 0 || value > 0xffffffffL) {
      out.writeByte(BITS_64);
      out.writeBigEndian(value, Long.BYTES);
    } else if (value >= FOURTEEN_BITS_END) {
      out.writeByte(BITS_32);
      out.writeBigEndian(value, Integer.BYTES);
    } else if (value >= SIX_BITS_END) {
      out.writeBigEndian(BITS_14 << 8 | value, Short.BYTES);
    } else {
      out.writeByte((int) value);
    }
  }
}
