package io.porteiro.server.rdb;

import io.porteiro.server.memory.OffHeap;

/**
 * Copies a piece of a value that others may be changing: the snapshot takes the shard's lock around
 * each piece.
 */
@FunctionalInterface
public interface RangeReader {
  /** For values that nobody changes meanwhile. */
  RangeReader DIRECT = OffHeap::copy;

  /**
   * Copies one piece.
   *
   * @param length at most {@link RdbOutput#FILE_BUFFER_BYTES}
   */
  void copy(long from, long to, long length);
}
