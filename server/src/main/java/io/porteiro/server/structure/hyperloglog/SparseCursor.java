package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.string.StringValue;

/**
 * A walk over the opcodes of a sparse HyperLogLog. It remembers the two opcodes before the one it
 * is at: an update merges from the one before, and the next update of an ascending series starts at
 * the one before that, which the merge left alone.
 *
 * <p>Positions are offsets from the start of the string, so that they outlive a move of the bytes.
 * Nothing outside of the string is ever read, whatever it holds.
 */
final class SparseCursor {
  static final long NONE = -1;

  private long at;
  private int first;
  private int run;
  private int opcode;

  private long previous;
  private int previousFirst;
  private long beforePrevious;
  private int beforePreviousFirst;

  /** To the first opcode. */
  void rewind() {
    at = HyperLogLogHeader.BYTES;
    first = 0;
    previous = NONE;
    beforePrevious = NONE;
  }

  /** To an opcode that a change at the current position, and the merging after it, cannot touch. */
  void stepBack() {
    if (beforePrevious == NONE) {
      rewind();
    } else {
      at = beforePrevious;
      first = beforePreviousFirst;
      previous = NONE;
      beforePrevious = NONE;
    }
  }

  /**
   * On to the opcode that covers the register.
   *
   * @throws CorruptHyperLogLogException if the opcodes end before it
   */
  void seek(StringValue value, int register) {
    long base = value.address();
    long end = value.length();
    skipShort(base, end, register);
    while (at < end) {
      read(base, end);
      if (register < first + run) {
        return;
      }
      skip();
      skipShort(base, end, register);
    }
    throw new CorruptHyperLogLogException();
  }

  /**
   * Over opcodes of one byte that end before the register, as long as there are any. In local
   * variables, because this is where the time goes.
   */
  private void skipShort(long base, long end, int register) {
    long here = at;
    int firstHere = first;
    long one = previous;
    int firstOne = previousFirst;
    long two = beforePrevious;
    int firstTwo = beforePreviousFirst;
    while (here < end) {
      int length = SparseOpcode.shortRun(OffHeap.getByte(base + here));
      if (length == 0 || register < firstHere + length) {
        break;
      }
      two = one;
      firstTwo = firstOne;
      one = here;
      firstOne = firstHere;
      here++;
      firstHere += length;
    }
    at = here;
    first = firstHere;
    previous = one;
    previousFirst = firstOne;
    beforePrevious = two;
    beforePreviousFirst = firstTwo;
  }

  private void skip() {
    beforePrevious = previous;
    beforePreviousFirst = previousFirst;
    previous = at;
    previousFirst = first;
    at += SparseOpcode.bytes(opcode);
    first += run;
  }

  /** Reads the opcode at the current position, of which at least the first byte is there. */
  private void read(long base, long end) {
    opcode = OffHeap.getByte(base + at);
    run = SparseOpcode.shortRun(opcode);
    if (run == 0) {
      if (at + 1 == end) {
        throw new CorruptHyperLogLogException();
      }
      run = SparseOpcode.xzeroRun(opcode, OffHeap.getByte(base + at + 1));
    }
  }

  /**
   * Reads the next opcode and goes on behind it; false at the end.
   *
   * @throws CorruptHyperLogLogException if the opcodes up to it cover more than all registers
   */
  boolean next(StringValue value) {
    boolean read = nextOfAny(value);
    if (first > HyperLogLog.REGISTERS) {
      throw new CorruptHyperLogLogException();
    }
    return read;
  }

  /** As {@link #next}, however many registers they cover; for strings of bounded length. */
  boolean nextOfAny(StringValue value) {
    if (at >= value.length()) {
      return false;
    }
    read(value.address(), value.length());
    skip();
    return true;
  }

  /**
   * To be called at the end.
   *
   * @throws CorruptHyperLogLogException if the opcodes did not cover all registers
   */
  void requireAllCovered() {
    if (first != HyperLogLog.REGISTERS) {
      throw new CorruptHyperLogLogException();
    }
  }

  /** Offset of the opcode that {@link #seek} found. */
  long offset() {
    return at;
  }

  /** Offset of the opcode before it, or {@link #NONE}. */
  long previousOffset() {
    return previous;
  }

  /** The first register that the opcode found by {@link #seek} covers. */
  int firstRegister() {
    return first;
  }

  /** The first register that the opcode read by {@link #next} covers. */
  int passedRegister() {
    return previousFirst;
  }

  /** How many registers the opcode read last covers. */
  int run() {
    return run;
  }

  /** The first byte of the opcode read last. */
  int opcode() {
    return opcode;
  }

  /** The value of the registers that the opcode read last covers. */
  int registerValue() {
    return SparseOpcode.isVal(opcode) ? SparseOpcode.valValue(opcode) : 0;
  }
}
