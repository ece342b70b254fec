package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.string.StringValue;

/**
 * The registers of a HyperLogLog with few elements, run-length coded (see {@link SparseOpcode}).
 * Updates give the very bytes that Redis's would.
 *
 * <p>An update splits the opcode that covers the register into what is left of it, the new VAL, and
 * what is right of it, and then merges equal neighbours that this made possible:
 *
 * <pre>
 *   XZERO 16384                        register 5 becomes 1
 *   ZERO 5 | VAL 1 x1 | XZERO 16378    register 6 becomes 1
 *   ZERO 5 | VAL 1 x2 | XZERO 16377
 * </pre>
 *
 * <p>One per thread; it has no state between calls but its position in an ascending series.
 */
final class SparseRegisters {
  static final int EMPTY_BYTES = 2;

  /** What came of an update. */
  enum Outcome {
    UNCHANGED,
    CHANGED,
    /** Nothing has changed: the sparse form cannot hold the value, or must not grow that much. */
    TOO_BIG
  }

  /** A text of half a MiB; two bytes for each register are the longest string that can be right. */
  private static final int MAX_DESCRIBED_BYTES = 1 << 16;

  /** Opcodes looked at for merging: the five that a split VAL and its neighbours can be. */
  private static final int MERGE_LOOKS = 5;

  private final SparseCursor cursor = new SparseCursor();

  /** The opcodes that replace the current one, the first in the lowest byte; and how many bytes. */
  private long replacement;

  private int replacementBytes;

  /** All registers 0, in {@link #EMPTY_BYTES} from the address on. */
  static void writeEmpty(long address) {
    OffHeap.putShort(address, (short) SparseOpcode.xzero(HyperLogLog.REGISTERS));
  }

  /**
   * Whether the register is below the rank.
   *
   * @throws CorruptHyperLogLogException if the opcodes end before the register
   */
  boolean isBelow(StringValue value, int register, int rank) {
    cursor.rewind();
    cursor.seek(value, register);
    return cursor.registerValue() < rank;
  }

  /**
   * Raises the register to the rank if it is below it. The string can grow by {@link
   * SparseOpcode#MAX_GROWTH_BYTES}; it does not fail for memory where that much is reserved.
   *
   * @param maxBytes greatest length to which it may grow
   * @throws CorruptHyperLogLogException if the opcodes end before the register; nothing has changed
   */
  Outcome raise(StringValue value, int register, int rank, long maxBytes) {
    cursor.rewind();
    return raiseFromHere(value, register, rank, maxBytes);
  }

  /** Before a series of {@link #raiseNext}. */
  void startSeries() {
    cursor.rewind();
  }

  /**
   * As {@link #raise}, of a register behind that of the last call, and without walking up to it
   * again: a merge of sparse HyperLogLogs is a series.
   */
  Outcome raiseNext(StringValue value, int register, int rank, long maxBytes) {
    cursor.stepBack();
    return raiseFromHere(value, register, rank, maxBytes);
  }

  private Outcome raiseFromHere(StringValue value, int register, int rank, long maxBytes) {
    if (rank > SparseOpcode.VAL_MAX_VALUE) {
      return Outcome.TOO_BIG;
    }
    cursor.seek(value, register);
    if (cursor.registerValue() >= rank) {
      return Outcome.UNCHANGED;
    }
    split(register, rank);
    int growth = replacementBytes - SparseOpcode.bytes(cursor.opcode());
    if (growth > 0 && value.length() + growth > maxBytes) {
      return Outcome.TOO_BIG;
    }
    replace(value, growth);
    merge(value);
    HyperLogLogHeader.markStale(value.edit());
    return Outcome.CHANGED;
  }

  /** Into the parts left and right of the register, which keep their value, and the new VAL. */
  private void split(int register, int rank) {
    replacement = 0;
    replacementBytes = 0;
    int left = register - cursor.firstRegister();
    putRun(cursor.registerValue(), left);
    putRun(rank, 1);
    putRun(cursor.registerValue(), cursor.run() - left - 1);
  }

  private void putRun(int value, int run) {
    if (run == 0) {
      return;
    }
    if (value > 0) {
      put(SparseOpcode.val(value, run), 1);
    } else if (run <= SparseOpcode.ZERO_MAX_RUN) {
      put(SparseOpcode.zero(run), 1);
    } else {
      put(SparseOpcode.xzero(run), 2);
    }
  }

  private void put(long opcode, int bytes) {
    replacement |= opcode << (8 * replacementBytes);
    replacementBytes += bytes;
  }

  private void replace(StringValue value, int growth) {
    long oldLength = value.length();
    long tail = cursor.offset() + SparseOpcode.bytes(cursor.opcode());
    if (growth > 0) {
      value.setLength(oldLength + growth);
    }
    long base = value.edit();
    if (growth != 0) {
      OffHeap.copy(base + tail, base + tail + growth, oldLength - tail);
    }
    for (int i = 0; i < replacementBytes; i++) {
      OffHeap.putByte(base + cursor.offset() + i, (byte) (replacement >>> (8 * i)));
    }
    if (growth < 0) {
      value.setLength(oldLength + growth);
    }
  }

  /** Starts at the opcode before the changed one, because the changed one may fit its value. */
  private void merge(StringValue value) {
    boolean isFirst = cursor.previousOffset() == SparseCursor.NONE;
    long at = isFirst ? cursor.offset() : cursor.previousOffset();
    for (int look = 0; look < MERGE_LOOKS && at < value.length(); look++) {
      if (!mergeWithNext(value, at)) {
        at += SparseOpcode.bytes(OffHeap.getByte(value.address() + at));
      }
    }
  }

  private static boolean mergeWithNext(StringValue value, long at) {
    if (at + 1 >= value.length()) {
      return false;
    }
    int left = OffHeap.getByte(value.address() + at);
    int right = OffHeap.getByte(value.address() + at + 1);
    if (!areOneRun(left, right)) {
      return false;
    }
    int run = SparseOpcode.valRun(left) + SparseOpcode.valRun(right);
    long base = value.edit();
    OffHeap.putByte(base + at, (byte) SparseOpcode.val(SparseOpcode.valValue(left), run));
    OffHeap.copy(base + at + 2, base + at + 1, value.length() - at - 2);
    value.setLength(value.length() - 1);
    return true;
  }

  private static boolean areOneRun(int left, int right) {
    return SparseOpcode.isVal(left)
        && SparseOpcode.isVal(right)
        && SparseOpcode.valValue(left) == SparseOpcode.valValue(right)
        && SparseOpcode.valRun(left) + SparseOpcode.valRun(right) <= SparseOpcode.VAL_MAX_RUN;
  }

  /**
   * Raises the registers to those of the string.
   *
   * @throws CorruptHyperLogLogException if its opcodes cover other than exactly all registers; some
   *     may be raised
   */
  void raiseTo(StringValue value, RegisterGroups registers) {
    cursor.rewind();
    while (cursor.next(value)) {
      if (SparseOpcode.isVal(cursor.opcode())) {
        registers.raise(cursor.passedRegister(), cursor.run(), cursor.registerValue());
      }
    }
    cursor.requireAllCovered();
  }

  /**
   * Counts the registers by value.
   *
   * @throws CorruptHyperLogLogException if the opcodes cover other than exactly all registers
   */
  void count(StringValue value, Histogram histogram) {
    histogram.clear();
    cursor.rewind();
    while (cursor.next(value)) {
      histogram.add(cursor.registerValue(), cursor.run());
    }
    cursor.requireAllCovered();
  }

  /**
   * The opcodes as PFDEBUG DECODE shows them, such as {@code Z:12711 v:2,1 z:57}, also where they
   * cover other than all registers.
   *
   * @throws CorruptHyperLogLogException if there are so many that they cannot be right, or the last
   *     one is cut
   */
  String describe(StringValue value) {
    if (value.length() > MAX_DESCRIBED_BYTES) {
      throw new CorruptHyperLogLogException();
    }
    StringBuilder text = new StringBuilder();
    cursor.rewind();
    while (cursor.nextOfAny(value)) {
      text.append(text.isEmpty() ? "" : " ");
      describe(text);
    }
    return text.toString();
  }

  private void describe(StringBuilder text) {
    if (SparseOpcode.isVal(cursor.opcode())) {
      text.append("v:").append(cursor.registerValue()).append(',').append(cursor.run());
    } else {
      text.append(SparseOpcode.isXzero(cursor.opcode()) ? "Z:" : "z:").append(cursor.run());
    }
  }
}
