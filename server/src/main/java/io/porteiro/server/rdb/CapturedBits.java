package io.porteiro.server.rdb;

import io.porteiro.server.structure.bloom.UndoLog;
import java.io.IOException;

/** Bits that are set further while they are written as they were. */
record CapturedBits(UndoLog log) implements BitSource {
  @Override
  public void write(RdbOutput out, long length) throws IOException {
    for (int chunk = 0; chunk < log.chunks(); chunk++) {
      long to = out.claim(log.chunkBytes(chunk));
      if (!log.takeChunk(chunk, to)) {
        throw new LostCaptureException();
      }
    }
  }

  @Override
  public void release() {
    log.end();
  }
}
