package io.porteiro.server.structure.hyperloglog;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * All registers, one to a byte, for merging and counting. Worked on eight at a time in 64-bit
 * words: a loop over bytes would mispredict its branches half of the time.
 */
final class UnpackedRegisters {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long HIGH_BITS = 0x8080808080808080L;

  /** The eight bytes of a word are counted apart, or equal neighbours would wait for each other. */
  private static final int LANES = 8;

  private final byte[] registers = new byte[HyperLogLog.REGISTERS];
  private final int[] laneCounts = new int[LANES * Histogram.CLASSES];

  private long word(int group) {
    return (long) WORDS.get(registers, group * Long.BYTES);
  }

  private void setWord(int group, long word) {
    WORDS.set(registers, group * Long.BYTES, word);
  }

  void clear() {
    Arrays.fill(registers, (byte) 0);
  }

  int get(int register) {
    return registers[register];
  }

  /** Raises a run of registers to the value where they are below it. */
  void raise(int first, int run, int value) {
    for (int i = first; i < first + run; i++) {
      registers[i] = (byte) Math.max(registers[i], value);
    }
  }

  /** Takes the dense registers at the address. */
  void load(long dense) {
    for (int group = 0; group < DenseRegisters.GROUPS; group++) {
      setWord(group, DenseRegisters.spread(dense, group));
    }
  }

  /** Raises the registers to the dense ones at the address where they are below them. */
  void raise(long dense) {
    for (int group = 0; group < DenseRegisters.GROUPS; group++) {
      setWord(group, max(word(group), DenseRegisters.spread(dense, group)));
    }
  }

  /**
   * The greater one, byte by byte. Registers have 6 bits, so that the high bit of each byte is free
   * to catch the borrow of left - right: it stays set where left is not less.
   */
  private static long max(long left, long right) {
    long notLess = ((left | HIGH_BITS) - right) & HIGH_BITS;
    long leftMask = notLess - (notLess >>> 7);
    return (left & leftMask) | (right & ~leftMask);
  }

  void count(Histogram histogram) {
    Arrays.fill(laneCounts, 0);
    for (int group = 0; group < DenseRegisters.GROUPS; group++) {
      countWord(word(group));
    }
    histogram.clear();
    for (int i = 0; i < laneCounts.length; i++) {
      histogram.add(i % Histogram.CLASSES, laneCounts[i]);
    }
  }

  private void countWord(long word) {
    laneCounts[(int) word & 63]++;
    laneCounts[64 + ((int) (word >>> 8) & 63)]++;
    laneCounts[128 + ((int) (word >>> 16) & 63)]++;
    laneCounts[192 + ((int) (word >>> 24) & 63)]++;
    laneCounts[256 + ((int) (word >>> 32) & 63)]++;
    laneCounts[320 + ((int) (word >>> 40) & 63)]++;
    laneCounts[384 + ((int) (word >>> 48) & 63)]++;
    laneCounts[448 + ((int) (word >>> 56) & 63)]++;
  }

  /** How many groups of eight registers differ from the dense ones at the address. */
  int differingGroups(long dense) {
    int differing = 0;
    for (int group = 0; group < DenseRegisters.GROUPS; group++) {
      differing += word(group) == DenseRegisters.spread(dense, group) ? 0 : 1;
    }
    return differing;
  }

  /** Makes the histogram at the address, which is that of the dense registers, be that of these. */
  void moveHistogram(long dense, long histogram) {
    for (int group = 0; group < DenseRegisters.GROUPS; group++) {
      long before = DenseRegisters.spread(dense, group);
      if (before != word(group)) {
        moveHistogram(before, word(group), histogram);
      }
    }
  }

  private static void moveHistogram(long before, long after, long histogram) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      int from = (int) (before >>> shift) & 63;
      int to = (int) (after >>> shift) & 63;
      if (from != to) {
        Histogram.move(histogram, from, to);
      }
    }
  }

  /** Writes all registers to the dense ones at the address. */
  void pack(long dense) {
    for (int group = 0; group < DenseRegisters.GROUPS; group++) {
      DenseRegisters.pack(dense, group, word(group));
    }
  }

  /** How many registers are not 0; fast where few are. */
  int countNonZero() {
    int nonZero = 0;
    for (int register = nextNonZero(0); register >= 0; register = nextNonZero(register + 1)) {
      nonZero++;
    }
    return nonZero;
  }

  /** The first register from {@code from} on that is not 0, or -1. */
  int nextNonZero(int from) {
    int group = from / Long.BYTES;
    if (group == DenseRegisters.GROUPS) {
      return -1;
    }
    long word = word(group) & -1L << (8 * (from % Long.BYTES));
    while (word == 0) {
      group++;
      if (group == DenseRegisters.GROUPS) {
        return -1;
      }
      word = word(group);
    }
    return group * Long.BYTES + Long.numberOfTrailingZeros(word) / Byte.SIZE;
  }
}
