package io.porteiro.server.rdb;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.SnapshotMemory;
import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.ValueType;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.string.StringValue;
import java.io.IOException;

/** Writes values. Not for several threads. */
final class ValueWriter {
  private static final int TYPE_BYTES = 1;

  private final StringOutput strings;

  /**
   * @param compress whether strings are packed where that makes them shorter
   */
  ValueWriter(MemoryPool pool, boolean compress) {
    this.strings = new StringOutput(pool, compress);
  }

  StringOutput strings() {
    return strings;
  }

  static int typeCode(ValueType type) {
    return switch (type) {
      case STRING -> ValueCode.STRING;
      case BLOOM -> ValueCode.MODULE;
    };
  }

  /** An upper bound of what a value takes, with its type byte. */
  static long maxBytes(Value value) {
    return TYPE_BYTES
        + switch (value) {
          case StringValue string -> StringOutput.maxBytes(string.length());
          case BloomFilter filter -> BloomCodec.maxBytes(filter);
          default -> throw unknown(value);
        };
  }

  /** Writes a value as it stands, under the lock that guards it. */
  void write(RdbOutput out, Value value) throws IOException {
    switch (value) {
      case StringValue string when string.isNumber() -> strings.writeNumber(out, string.number());
      case StringValue string -> strings.write(out, string.address(), string.length());
      case BloomFilter filter -> BloomCodec.write(out, BloomImage.ofLocked(filter));
      default -> throw unknown(value);
    }
  }

  /** Writes a value as it was captured. */
  void write(RdbOutput out, CapturedValue value) throws IOException {
    switch (value) {
      case CapturedValue.WholeNumber number -> strings.writeNumber(out, number.number());
      case CapturedValue.Text text -> strings.write(out, text.block().address(), text.length());
      case BloomImage filter -> BloomCodec.write(out, filter);
    }
  }

  /** Captures a value as it is now, under the lock that guards it. */
  static CapturedValue capture(Value value, SnapshotMemory memory) {
    return switch (value) {
      case StringValue string when string.isNumber() ->
          new CapturedValue.WholeNumber(string.number());
      case StringValue string -> held(string);
      case BloomFilter filter -> BloomImage.ofCaptured(filter, memory);
      default -> throw unknown(value);
    };
  }

  private static CapturedValue held(StringValue string) {
    string.block().holdForSnapshot();
    return new CapturedValue.Text(string.block(), string.length());
  }

  private static IllegalStateException unknown(Value value) {
    return new IllegalStateException("no RDB encoding for " + value.type());
  }
}
