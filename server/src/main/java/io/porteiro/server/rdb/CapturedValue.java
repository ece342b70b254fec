package io.porteiro.server.rdb;

import io.porteiro.server.memory.Block;

/** A value as it was at some moment, or as it is under a lock. */
sealed interface CapturedValue permits CapturedValue.Text, CapturedValue.WholeNumber, BloomImage {
  /** Gives back what the capture holds; only of captured ones. */
  void release();

  /** Bytes it takes in memory. */
  long bytes();

  /** A string that is kept as a number. */
  record WholeNumber(long number) implements CapturedValue {
    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void release() {}
  }

  /** A string. Whoever changes it while it is held works on a copy of the block. */
  record Text(Block block, long length) implements CapturedValue {
    @Override
    public long bytes() {
      return length;
    }

    @Override
    public void release() {
      block.releaseFromSnapshot();
    }
  }
}
