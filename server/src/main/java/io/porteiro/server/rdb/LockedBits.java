package io.porteiro.server.rdb;

import java.io.IOException;

/** Bits that nobody changes, because their shard is locked. */
record LockedBits(long address) implements BitSource {
  @Override
  public void write(RdbOutput out, long length) throws IOException {
    out.write(address, length);
  }

  @Override
  public void release() {}
}
