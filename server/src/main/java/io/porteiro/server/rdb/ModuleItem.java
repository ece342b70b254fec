package io.porteiro.server.rdb;

import java.io.IOException;

/**
 * The items of a module value. Each carries its kind, so that a value of an unknown module can be
 * skipped.
 */
final class ModuleItem {
  static final int EOF = 0;
  static final int SINT = 1;
  static final int UINT = 2;
  static final int FLOAT = 3;
  static final int DOUBLE = 4;
  static final int STRING = 5;

  private ModuleItem() {}

  /** Refuses unless the next item is of this kind. */
  static void expect(RdbInput in, int kind) throws IOException {
    long found = LengthCode.read(in);
    if (found != kind) {
      throw in.bad(
          "module item of kind " + Long.toUnsignedString(found) + " where " + kind + " is due");
    }
  }

  static long readUnsigned(RdbInput in) throws IOException {
    expect(in, UINT);
    return LengthCode.read(in);
  }

  static double readDouble(RdbInput in) throws IOException {
    expect(in, DOUBLE);
    return in.readDouble();
  }

  /** Skips items up to and with the closing one. */
  static void skipAll(RdbInput in) throws IOException {
    long kind = LengthCode.read(in);
    while (kind != EOF) {
      skip(in, kind);
      kind = LengthCode.read(in);
    }
  }

  private static void skip(RdbInput in, long kind) throws IOException {
    switch (Math.clamp(kind, -1, STRING + 1)) {
      case SINT, UINT -> LengthCode.read(in);
      case FLOAT -> in.skip(Float.BYTES);
      case DOUBLE -> in.skip(Double.BYTES);
      case STRING -> StringInput.skip(in);
      default -> throw in.bad("unknown module item of kind " + Long.toUnsignedString(kind));
    }
  }

  static void writeUnsigned(RdbOutput out, long value) throws IOException {
    LengthCode.write(out, UINT);
    LengthCode.write(out, value);
  }

  static void writeDouble(RdbOutput out, double value) throws IOException {
    LengthCode.write(out, DOUBLE);
    out.writeLong(Double.doubleToRawLongBits(value));
  }

  static void writeEof(RdbOutput out) throws IOException {
    LengthCode.write(out, EOF);
  }
}
