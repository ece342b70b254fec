package io.porteiro.protocol;

/**
 * Bytes of a reply that stay as they are, where they are, until they are sent: a large value need
 * not be copied as a whole to be answered.
 */
public interface LastingBytes {
  long address();

  long length();

  /** They are no longer needed. Called once. */
  void release();
}
