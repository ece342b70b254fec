package io.porteiro.server.persistence.log;

import io.porteiro.server.memory.OffHeap;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that is written at its end. One thread at a time; {@link #sync} from any thread. */
public interface DiskFile extends AutoCloseable {
  /**
   * Writes some of the bytes, moving the buffer on.
   *
   * @return how many; they may be fewer than there are
   */
  int write(ByteBuffer bytes) throws IOException;

  /** Writes all the bytes. */
  default void writeFully(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      write(bytes);
    }
  }

  /** Writes so many bytes that lie at an address. */
  default void writeFully(long address, long length) throws IOException {
    for (long done = 0; done < length; ) {
      long step = Math.min(length - done, Integer.MAX_VALUE);
      writeFully(OffHeap.MEMORY.asSlice(address + done, step).asByteBuffer());
      done += step;
    }
  }

  /**
   * What is written stays after a crash. After a failure a later success means nothing: the kernel
   * may have dropped the pages.
   */
  void sync() throws IOException;

  /** Cuts off what is behind so many bytes; writing goes on there. */
  void truncate(long size) throws IOException;

  long size() throws IOException;

  @Override
  void close() throws IOException;
}
