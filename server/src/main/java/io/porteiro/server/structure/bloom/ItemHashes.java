package io.porteiro.server.structure.bloom;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The hashes of a command's items, made before any lock is taken. Reused from command to command;
 * not for use by several threads.
 */
public final class ItemHashes {
  /** What is kept for the next command; more is given back. */
  private static final int KEPT_ITEMS = 1024;

  private long[] pairs = new long[2 * 16];
  private int count;

  public int count() {
    return count;
  }

  public void clear() {
    count = 0;
    if (pairs.length > 2 * KEPT_ITEMS) {
      pairs = new long[2 * KEPT_ITEMS];
    }
  }

  /** Hashes one more item. */
  public void add(HashWidth width, MemorySegment bytes, long offset, long length) {
    if (2 * count == pairs.length) {
      pairs = Arrays.copyOf(pairs, 2 * pairs.length);
    }
    long first = width.first(bytes, offset, length);
    pairs[2 * count] = first;
    pairs[2 * count + 1] = width.second(bytes, offset, length, first);
    count++;
  }

  long first(int item) {
    return pairs[2 * item];
  }

  long second(int item) {
    return pairs[2 * item + 1];
  }
}
