package io.porteiro.server.rdb;

import java.io.IOException;

/** Where the bits of a link come from. */
sealed interface BitSource permits LockedBits, CapturedBits {
  /** Writes all of them, {@code length} bytes. */
  void write(RdbOutput out, long length) throws IOException;

  void release();
}
