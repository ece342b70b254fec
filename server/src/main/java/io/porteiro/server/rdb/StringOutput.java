package io.porteiro.server.rdb;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.string.Decimal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes strings in their shortest form: numbers of 32 bits as such, longer ones packed where that
 * is shorter and wanted. Not for several threads.
 */
final class StringOutput {
  /** Shorter strings are not worth packing (Redis's bound). */
  private static final long PACKED_FROM_BYTES = 21;

  /**
   * Packing must save this much to be used. Redis says 4, but its packer needs some room at the
   * end, so that a HyperLogLog of one element (21 bytes, 17 packed) is written as it is.
   */
  private static final long PACKING_SAVES_BYTES = 5;

  /** What stands before packed bytes: the form, and two lengths. */
  private static final long MAX_PACKED_HEADER_BYTES = 1 + 2 * (1 + Long.BYTES);

  /** The text of {@link Integer#MIN_VALUE}. */
  private static final int MAX_INT_LENGTH = 11;

  private final MemoryPool pool;
  private final boolean compress;
  private @Nullable LzfEncoder packer;

  StringOutput(MemoryPool pool, boolean compress) {
    this.pool = pool;
    this.compress = compress;
  }

  /** An upper bound of what a string of this length takes. */
  static long maxBytes(long length) {
    return 1 + Long.BYTES + length;
  }

  /** Short strings, that is nearly all keys, are neither packed nor worth a copy off-heap. */
  void write(RdbOutput out, byte[] bytes) throws IOException {
    if (bytes.length >= PACKED_FROM_BYTES || startsLikeNumber(bytes)) {
      writeCopied(out, bytes);
    } else {
      writePlain(out, bytes);
    }
  }

  private static boolean startsLikeNumber(byte[] bytes) {
    return bytes.length > 0 && (bytes[0] == '-' || (bytes[0] >= '0' && bytes[0] <= '9'));
  }

  private static void writePlain(RdbOutput out, byte[] bytes) throws IOException {
    LengthCode.write(out, bytes.length);
    out.write(bytes);
  }

  private void writeCopied(RdbOutput out, byte[] bytes) throws IOException {
    // Twice as much: packing uses the second half.
    long scratch = out.scratch(2L * bytes.length, MAX_PACKED_HEADER_BYTES + bytes.length);
    if (scratch == 0) {
      writeCopiedElsewhere(out, bytes);
    } else {
      OffHeap.copyFrom(bytes, 0, scratch, bytes.length);
      write(out, scratch, bytes.length);
    }
  }

  private void writeCopiedElsewhere(RdbOutput out, byte[] bytes) throws IOException {
    Block copy;
    try {
      copy = pool.allocate(bytes.length);
    } catch (MemoryLimitException _) {
      writePlain(out, bytes);
      return;
    }
    try {
      OffHeap.copyFrom(bytes, 0, copy.address(), bytes.length);
      write(out, copy.address(), bytes.length);
    } finally {
      copy.release();
    }
  }

  void write(RdbOutput out, long address, long length) throws IOException {
    if (length <= MAX_INT_LENGTH && Decimal.isCanonical(address, length)) {
      writeNumber(out, Decimal.parse(address, length));
    } else if (!compress || length < PACKED_FROM_BYTES || !writePacked(out, address, length)) {
      writePlain(out, address, length);
    }
  }

  /** A number in place of its decimal text. */
  void writeNumber(RdbOutput out, long number) throws IOException {
    if (number == (byte) number) {
      writeForm(out, StringForm.INT8, number, Byte.BYTES);
    } else if (number == (short) number) {
      writeForm(out, StringForm.INT16, number, Short.BYTES);
    } else if (number == (int) number) {
      writeForm(out, StringForm.INT32, number, Integer.BYTES);
    } else {
      writeDigits(out, number);
    }
  }

  private static void writeForm(RdbOutput out, int form, long number, int bytes)
      throws IOException {
    out.writeByte(form);
    out.writeLittleEndian(number, bytes);
  }

  private void writeDigits(RdbOutput out, long number) throws IOException {
    byte[] digits = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    LengthCode.write(out, digits.length);
    out.write(digits);
  }

  private static void writePlain(RdbOutput out, long address, long length) throws IOException {
    LengthCode.write(out, length);
    out.write(address, length);
  }

  /** False, with nothing written, where packing does not pay or there is no memory for it. */
  private boolean writePacked(RdbOutput out, long address, long length) throws IOException {
    long limit = length - PACKING_SAVES_BYTES;
    long scratch = out.scratch(limit, MAX_PACKED_HEADER_BYTES + limit);
    return scratch == 0
        ? writePackedElsewhere(out, address, length)
        : writePacked(out, address, length, scratch, limit);
  }

  private boolean writePackedElsewhere(RdbOutput out, long address, long length)
      throws IOException {
    Block packed;
    try {
      packed = pool.allocate(length - PACKING_SAVES_BYTES);
    } catch (MemoryLimitException _) {
      return false;
    }
    try {
      return writePacked(out, address, length, packed.address(), packed.size());
    } finally {
      packed.release();
    }
  }

  private boolean writePacked(RdbOutput out, long address, long length, long packed, long limit)
      throws IOException {
    long packedLength = packer().encode(address, length, packed, limit);
    if (packedLength == 0) {
      return false;
    }
    out.writeByte(StringForm.LZF);
    LengthCode.write(out, packedLength);
    LengthCode.write(out, length);
    out.write(packed, packedLength);
    return true;
  }

  /** Made when it is first needed, for its table takes 64 KiB. */
  private LzfEncoder packer() {
    LzfEncoder made = packer;
    if (made == null) {
      packer = made = new LzfEncoder();
    }
    return made;
  }
}
