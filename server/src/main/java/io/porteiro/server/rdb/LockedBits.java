package io.porteiro.server.rdb;

import java.io.IOException;

/** Bits that nobody changes, because their shard is locked. */
record LockedBits(long address) implements BitSource {
  @Override
  public void writeChunk(RdbOutput out, long offset, long length) throws IOException {
    out.write(address + offset, length);
  }

  @Override
  public void release() {}
}
