package io.porteiro.server.rdb;

import java.io.IOException;

/**
 * How the next string of an encoding is written; its bytes come next in the input. The lengths are
 * checked: nothing larger than the input can be meant by them.
 */
sealed interface StringForm {
  int INT8 = 0xc0;
  int INT16 = 0xc1;
  int INT32 = 0xc2;
  int LZF = 0xc3;

  /** Bytes of the string itself. */
  long length();

  /** The bytes as they are. */
  record Plain(long length) implements StringForm {}

  /** LZF. */
  record Packed(long packedLength, long length) implements StringForm {}

  /** The decimal text of a number, which has been read. */
  record Decimal(int number) implements StringForm {
    @Override
    public long length() {
      return Integer.toString(number).length();
    }
  }

  static StringForm read(RdbInput in) throws IOException {
    int first = in.readByte();
    if (!LengthCode.isStringForm(first)) {
      long length = LengthCode.readAfter(in, first);
      in.require(length);
      return new Plain(length);
    }
    return switch (first) {
      case INT8 -> new Decimal((byte) in.readByte());
      case INT16 -> new Decimal((short) in.readLittleEndian(Short.BYTES));
      case INT32 -> new Decimal(in.readInt());
      case LZF -> packed(in);
      default -> throw in.bad("unknown string encoding " + (first & 0x3f));
    };
  }

  private static Packed packed(RdbInput in) throws IOException {
    long packedLength = LengthCode.read(in);
    long length = LengthCode.read(in);
    LzfDecoder.checkLengths(in, packedLength, length);
    return new Packed(packedLength, length);
  }
}
