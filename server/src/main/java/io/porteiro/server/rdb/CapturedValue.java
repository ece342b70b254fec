package io.porteiro.server.rdb;

import io.porteiro.server.memory.Block;

/**
 * A value as it was at some moment, to be written later without the lock: the numbers are copied,
 * the blocks are held.
 */
sealed interface CapturedValue permits CapturedValue.Text, CapturedValue.WholeNumber, BloomImage {
  /** Adds a holder to every block. */
  void retain();

  void release();

  /** A string that is kept as a number. */
  record WholeNumber(long number) implements CapturedValue {
    @Override
    public void retain() {}

    @Override
    public void release() {}
  }

  /** A string. Whoever changes it while it is held works on a copy of the block. */
  record Text(Block bytes, long length) implements CapturedValue {
    @Override
    public void retain() {
      bytes.retain();
    }

    @Override
    public void release() {
      bytes.release();
    }
  }
}
