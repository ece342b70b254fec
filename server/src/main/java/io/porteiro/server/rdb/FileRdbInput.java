package io.porteiro.server.rdb;

import io.porteiro.server.hash.Crc64;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.LongConsumer;

/**
 * A file, read through a window of 1 MiB; what is larger (the bits of filters) goes from the file
 * straight to its place. The checksum is computed on the way.
 */
public final class FileRdbInput extends RdbInput implements AutoCloseable {
  private final FileChannel file;
  private final Block window;
  private final LongConsumer progress;
  private long crc;

  /** Where the bytes start that are not in {@link #crc} yet; they end where reading stands. */
  private long unsummed;

  /**
   * An input that begins where the file stands.
   *
   * @param file stays open and the caller's
   * @param progress told after each MiB, also within large values, how many bytes are read
   */
  public FileRdbInput(FileChannel file, MemoryPool pool, LongConsumer progress) throws IOException {
    super(file.size() - file.position());
    this.file = file;
    this.progress = progress;
    this.window = pool.allocate(Math.min(WINDOW_BYTES, remaining()));
    this.unsummed = window.address();
    window(unsummed, 0);
  }

  @Override
  void refill() throws IOException {
    sum();
    long length = Math.min(WINDOW_BYTES, remaining());
    read(window.address(), length);
    window(window.address(), length);
    unsummed = window.address();
    progress.accept(offset());
  }

  @Override
  void readPastWindow(long to, long length) throws IOException {
    sum();
    for (long done = 0; done < length; done += WINDOW_BYTES) {
      long step = Math.min(WINDOW_BYTES, length - done);
      read(to + done, step);
      crc = Crc64.update(crc, OffHeap.MEMORY, to + done, step);
      progress.accept(offset() + done + step);
    }
  }

  private void read(long to, long length) throws IOException {
    ByteBuffer buffer = OffHeap.MEMORY.asSlice(to, length).asByteBuffer();
    while (buffer.hasRemaining()) {
      if (file.read(buffer) < 0) {
        throw new EOFException("the file became shorter while it was read");
      }
    }
  }

  private void sum() {
    crc = Crc64.update(crc, OffHeap.MEMORY, unsummed, windowAt() - unsummed);
    unsummed = windowAt();
  }

  /** CRC-64 of all bytes read so far. */
  long checksum() {
    sum();
    return crc;
  }

  @Override
  public void close() {
    window.release();
  }
}
