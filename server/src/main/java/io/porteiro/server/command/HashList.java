package io.porteiro.server.command;

import io.porteiro.protocol.RequestBatch;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Hashes of the items of a run of commands, those of each command behind those of the one before.
 * Grows to the largest run and is used again.
 */
public final class HashList implements IntToLongFunction {
  /** Kept between runs; what a giant request made it grow beyond is given back. */
  private static final int KEPT = 1 << 16;

  private long[] hashes = new long[256];
  private int size;

  /** Where each command's hashes end. */
  private final int[] ends = new int[RequestBatch.MAX_REQUESTS];

  private int commands;

  public int size() {
    return size;
  }

  public long get(int index) {
    return hashes[index];
  }

  /** As {@link #get}, for who knows no lists. */
  @Override
  public long applyAsLong(int index) {
    return get(index);
  }

  /** All of them and room for more; another array after the next {@link #add}. */
  public long[] array() {
    return hashes;
  }

  public void add(long hash) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, size * 2);
    }
    hashes[size++] = hash;
  }

  /**
   * Adds so many that are still to be written into {@link #array}.
   *
   * @return the index of the first
   */
  public int extend(int count) {
    int first = size;
    if (hashes.length - first < count) {
      hashes = Arrays.copyOf(hashes, Math.max(2 * first, Math.addExact(first, count)));
    }
    size = first + count;
    return first;
  }

  /** What was added since the last call are the hashes of one command. */
  void endCommand() {
    ends[commands++] = size;
  }

  /** Index of the first hash of a command, the first of which is number 0. */
  public int start(int command) {
    return end(command - 1);
  }

  /** Index behind the last hash of a command. */
  public int end(int command) {
    return command < 0 ? 0 : ends[command];
  }

  void clear() {
    size = 0;
    commands = 0;
    if (hashes.length > KEPT) {
      hashes = new long[KEPT];
    }
  }
}
