package io.porteiro.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Off-heap memory that receives one large argument while it arrives. The server implements it over
 * memory that it counts and that grows in place, so that a large argument is never copied and never
 * doubled.
 */
public interface BulkMemory {
  /** Where the bytes are. Changes when it grows. */
  long address();

  /** Bytes that fit. */
  long capacity();

  /**
   * Makes room, keeping the bytes.
   *
   * @param capacity bytes, more than {@link #capacity()}
   * @return false if the memory is refused; everything is as it was
   */
  boolean grow(long capacity);

  /** Gives the memory back. Only for its owner, once. */
  void release();

  /** Where the memory for large arguments comes from. */
  @FunctionalInterface
  interface Source {
    /**
     * Memory for a first part of an argument.
     *
     * @param capacity bytes, at least 1
     * @return null if the memory is refused
     */
    @Nullable BulkMemory allocate(long capacity);
  }
}
