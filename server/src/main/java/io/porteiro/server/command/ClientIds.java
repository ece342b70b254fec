package io.porteiro.server.command;

import java.util.function.LongConsumer;

/**
 * A small set of client ids, which are never 0: a table with open addressing, at most half full.
 */
final class ClientIds {
  private static final int INITIAL_CAPACITY = 2;
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  private long[] table = new long[INITIAL_CAPACITY];
  private int size;

  int size() {
    return size;
  }

  /** Heap bytes of the table. */
  long heapBytes() {
    return 8L * table.length;
  }

  /** Heap bytes by which adding one more id would let the table grow. */
  long growthBytes() {
    return isHalfFull() ? heapBytes() : 0;
  }

  private boolean isHalfFull() {
    return 2 * size >= table.length;
  }

  boolean contains(long id) {
    return table[find(table, id)] == id;
  }

  /** Adds an id that is not in the set. */
  void add(long id) {
    if (isHalfFull()) {
      grow();
    }
    table[find(table, id)] = id;
    size++;
  }

  private void grow() {
    long[] larger = new long[2 * table.length];
    forEach(id -> larger[find(larger, id)] = id);
    table = larger;
  }

  /** The place of an id, or the free one where it belongs. */
  private static int find(long[] table, long id) {
    int mask = table.length - 1;
    int place = (int) ((id * GOLDEN_RATIO) >>> 32) & mask;
    while (table[place] != 0 && table[place] != id) {
      place = (place + 1) & mask;
    }
    return place;
  }

  void forEach(LongConsumer action) {
    for (long id : table) {
      if (id != 0) {
        action.accept(id);
      }
    }
  }
}
