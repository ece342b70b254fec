package io.porteiro.server.rdb;

import io.porteiro.server.structure.bloom.UndoLog;
import java.io.IOException;

/** Bits that are set further while they are written as they were. */
record CapturedBits(UndoLog log) implements BitSource {
  @Override
  public void writeChunk(RdbOutput out, long offset, long length) throws IOException {
    long to = out.claim(length);
    if (!log.takeChunk((int) (offset / CHUNK_BYTES), to)) {
      throw new LostCaptureException();
    }
  }

  @Override
  public void release() {
    log.end();
  }
}
