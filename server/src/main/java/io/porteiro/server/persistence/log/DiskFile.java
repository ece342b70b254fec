package io.porteiro.server.persistence.log;

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
