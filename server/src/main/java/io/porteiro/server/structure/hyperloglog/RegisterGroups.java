package io.porteiro.server.structure.hyperloglog;

import java.util.Arrays;

/**
 * All registers on the heap, for merging and counting: a word for each {@link DenseRegisters group}
 * of eight, packed as there, so that loading and storing are copies.
 *
 * <pre>
 *   63            48 47    42 41                12 11     6 5      0
 *  +----------------+--------+--------------------+--------+--------+
 *  |       0        | reg. 7 |        ...         | reg. 1 | reg. 0 |
 *  +----------------+--------+--------------------+--------+--------+
 * </pre>
 *
 * <p>Merging works on whole words, without a branch that depends on a register: such branches would
 * be mispredicted half of the time. The loops are methods of their own, over nothing but arrays and
 * addresses, so that they are compiled by themselves, the same in every process.
 */
final class RegisterGroups {
  private static final int REGISTER_BITS = DenseRegisters.REGISTER_BITS;
  private static final int REGISTER_MASK = (1 << REGISTER_BITS) - 1;
  private static final int PER_GROUP = DenseRegisters.PER_GROUP;
  private static final int GROUP_BITS = PER_GROUP * REGISTER_BITS;

  /** Two neighbours, one number of 12 bits. */
  private static final int PAIR_BITS = 2 * REGISTER_BITS;

  private static final int PAIRS = 1 << PAIR_BITS;
  private static final int PAIR_MASK = PAIRS - 1;

  private final long[] groups = new long[DenseRegisters.GROUPS];
  private final int[] pairCounts = new int[PAIRS];
  private final int[] valueCounts = new int[Histogram.CLASSES];

  void clear() {
    Arrays.fill(groups, 0);
  }

  int get(int register) {
    return (int) (groups[register / PER_GROUP] >>> shift(register)) & REGISTER_MASK;
  }

  private static int shift(int register) {
    return register % PER_GROUP * REGISTER_BITS;
  }

  /** Raises a run of registers to the value where they are below it. */
  void raise(int first, int run, int value) {
    for (int register = first; register < first + run; register++) {
      long more = Math.max(0, value - get(register));
      groups[register / PER_GROUP] += more << shift(register);
    }
  }

  /** Takes the dense registers at the address. */
  void load(long dense) {
    load(groups, dense);
  }

  private static void load(long[] groups, long dense) {
    for (int i = 0; i < DenseRegisters.GROUPS - 1; i++) {
      groups[i] = DenseRegisters.group(dense, i);
    }
    groups[DenseRegisters.GROUPS - 1] = DenseRegisters.lastGroup(dense);
  }

  /** Takes the greater ones of the dense registers at two addresses. */
  void loadMax(long dense, long other) {
    loadMax(groups, dense, other);
  }

  private static void loadMax(long[] groups, long dense, long other) {
    for (int i = 0; i < DenseRegisters.GROUPS - 1; i++) {
      groups[i] = max(DenseRegisters.group(dense, i), DenseRegisters.group(other, i));
    }
    groups[DenseRegisters.GROUPS - 1] =
        max(DenseRegisters.lastGroup(dense), DenseRegisters.lastGroup(other));
  }

  /** Raises the registers to the dense ones at the address where they are below them. */
  void raise(long dense) {
    raise(groups, dense);
  }

  private static void raise(long[] groups, long dense) {
    for (int i = 0; i < DenseRegisters.GROUPS - 1; i++) {
      groups[i] = max(groups[i], DenseRegisters.group(dense, i));
    }
    int last = DenseRegisters.GROUPS - 1;
    groups[last] = max(groups[last], DenseRegisters.lastGroup(dense));
  }

  /**
   * The greater one, register by register. The subtraction is one of eight small ones: the top bit
   * of each register is set before and taken from the other side, so that nothing is borrowed
   * across (Warren, "Hacker's Delight", 2nd edition, section 2-18); what it said is settled after.
   */
  static long max(long left, long right) {
    long tops = DenseRegisters.TOP_BITS;
    long differing = left ^ right;
    long rest = (left | tops) - (right & ~tops);
    long notLess = ((left & ~right) | (~differing & rest)) & tops;
    long leftMask = (notLess << 1) - (notLess >>> (REGISTER_BITS - 1));
    return right ^ (differing & leftMask);
  }

  /**
   * Counts the registers by value: two neighbours at once, in 4096 classes, which are added up
   * afterwards. That halves the additions that wait for each other's store to the same place.
   */
  void count(Histogram histogram) {
    Arrays.fill(pairCounts, 0);
    countPairs(groups, pairCounts);
    Arrays.fill(valueCounts, 0);
    addUp(pairCounts, valueCounts);
    histogram.clear();
    for (int value = 0; value < Histogram.CLASSES; value++) {
      histogram.add(value, valueCounts[value]);
    }
  }

  private static void countPairs(long[] groups, int[] pairCounts) {
    for (long group : groups) {
      pairCounts[(int) group & PAIR_MASK]++;
      pairCounts[(int) (group >>> PAIR_BITS) & PAIR_MASK]++;
      pairCounts[(int) (group >>> (2 * PAIR_BITS)) & PAIR_MASK]++;
      pairCounts[(int) (group >>> (3 * PAIR_BITS)) & PAIR_MASK]++;
    }
  }

  /** A pair counts for its upper and for its lower register. */
  private static void addUp(int[] pairCounts, int[] valueCounts) {
    for (int upper = 0; upper < Histogram.CLASSES; upper++) {
      int sum = 0;
      for (int lower = 0; lower < Histogram.CLASSES; lower++) {
        int count = pairCounts[upper * Histogram.CLASSES + lower];
        sum += count;
        valueCounts[lower] += count;
      }
      valueCounts[upper] += sum;
    }
  }

  /** How many groups of eight registers differ from the dense ones at the address. */
  int differingGroups(long dense) {
    int differing = 0;
    for (int i = 0; i < DenseRegisters.GROUPS; i++) {
      differing += groups[i] == DenseRegisters.anyGroup(dense, i) ? 0 : 1;
    }
    return differing;
  }

  /** Makes the histogram at the address, which is that of the dense registers, be that of these. */
  void moveHistogram(long dense, long histogram) {
    for (int i = 0; i < DenseRegisters.GROUPS; i++) {
      long before = DenseRegisters.anyGroup(dense, i);
      if (before != groups[i]) {
        moveHistogram(before, groups[i], histogram);
      }
    }
  }

  private static void moveHistogram(long before, long after, long histogram) {
    for (int shift = 0; shift < GROUP_BITS; shift += REGISTER_BITS) {
      int from = (int) (before >>> shift) & REGISTER_MASK;
      int to = (int) (after >>> shift) & REGISTER_MASK;
      if (from != to) {
        Histogram.move(histogram, from, to);
      }
    }
  }

  /** Writes all registers to the dense ones at the address. */
  void store(long dense) {
    for (int i = 0; i < DenseRegisters.GROUPS - 1; i++) {
      DenseRegisters.setGroup(dense, i, groups[i]);
    }
    DenseRegisters.setLastGroup(dense, groups[DenseRegisters.GROUPS - 1]);
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
    int i = from / PER_GROUP;
    if (i == DenseRegisters.GROUPS) {
      return -1;
    }
    long group = groups[i] & -1L << shift(from);
    while (group == 0) {
      i++;
      if (i == DenseRegisters.GROUPS) {
        return -1;
      }
      group = groups[i];
    }
    return i * PER_GROUP + Long.numberOfTrailingZeros(group) / REGISTER_BITS;
  }
}
