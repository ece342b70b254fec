package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.memory.OffHeap;
import java.util.Arrays;

/**
 * How many registers have each value. All that the {@link Estimator} needs to know of them.
 *
 * <p>A dense HyperLogLog that was counted keeps its own as the attachment of its string: 64 numbers
 * of 4 bytes, one for each value that 6 bits can have, so that strings made by hand cannot overflow
 * it.
 */
final class Histogram {
  static final int CLASSES = 64;

  /** As an attachment. */
  static final int BYTES = 4 * CLASSES;

  private final int[] counts = new int[CLASSES];

  void clear() {
    Arrays.fill(counts, 0);
  }

  int count(int registerValue) {
    return counts[registerValue];
  }

  void add(int registerValue, int registers) {
    counts[registerValue] += registers;
  }

  /** Reads the attachment at the address. */
  void load(long address) {
    for (int i = 0; i < CLASSES; i++) {
      counts[i] = OffHeap.getInt(address + 4L * i);
    }
  }

  /** Writes the attachment at the address. */
  void store(long address) {
    for (int i = 0; i < CLASSES; i++) {
      OffHeap.putInt(address + 4L * i, counts[i]);
    }
  }

  /** In the attachment at the address, moves one register from one class to another. */
  static void move(long address, int from, int to) {
    add(address, from, -1);
    add(address, to, 1);
  }

  private static void add(long address, int registerValue, int registers) {
    long at = address + 4L * registerValue;
    OffHeap.putInt(at, OffHeap.getInt(at) + registers);
  }
}
