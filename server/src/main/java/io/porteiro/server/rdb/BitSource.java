package io.porteiro.server.rdb;

import io.porteiro.server.memory.SnapshotMemory;
import java.io.IOException;

/** Where the bits of a link come from. */
sealed interface BitSource permits LockedBits, CapturedBits {
  /** Bits come in pieces of this size; the last may be shorter. */
  long CHUNK_BYTES = SnapshotMemory.SLAB_BYTES;

  /** Writes all of them, {@code length} bytes. */
  default void write(RdbOutput out, long length) throws IOException {
    for (long done = 0; done < length; done += CHUNK_BYTES) {
      writeChunk(out, done, Math.min(CHUNK_BYTES, length - done));
    }
  }

  /** Writes the piece that begins at an offset; each once. */
  void writeChunk(RdbOutput out, long offset, long length) throws IOException;

  void release();
}
