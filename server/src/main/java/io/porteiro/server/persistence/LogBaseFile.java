package io.porteiro.server.persistence;

import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.persistence.log.Disk;
import io.porteiro.server.persistence.log.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A new base of the log under way, beside its place. What is not {@link #commit committed} is
 * deleted.
 */
final class LogBaseFile implements SnapshotTarget {
  private static final long SYNC_EVERY_BYTES = 4L << 20;

  /** What follows when the file is in its place and on the disk. */
  @FunctionalInterface
  interface Committed {
    /** Puts it into force. */
    void accept(long bytes) throws IOException;
  }

  private final Disk disk;
  private final Path temporary;
  private final Path target;
  private final boolean incrementalSync;
  private final Committed committed;
  private final DiskFile file;
  private long bytes;
  private long unsyncedBytes;

  /**
   * Creates the file.
   *
   * @param temporary where it is written, on the same file system as the target
   * @param incrementalSync {@code aof-rewrite-incremental-fsync}: so that the disk does not get all
   *     of it at the end, at once
   */
  LogBaseFile(Disk disk, Path temporary, Path target, boolean incrementalSync, Committed committed)
      throws IOException {
    this.disk = disk;
    this.temporary = temporary;
    this.target = target;
    this.incrementalSync = incrementalSync;
    this.committed = committed;
    this.file = disk.create(temporary);
  }

  @Override
  public void write(long address, long length) throws IOException {
    ByteBuffer buffer = OffHeap.MEMORY.asSlice(address, length).asByteBuffer();
    while (buffer.hasRemaining()) {
      file.write(buffer);
    }
    bytes += length;
    unsyncedBytes += length;
    if (incrementalSync && unsyncedBytes >= SYNC_EVERY_BYTES) {
      file.sync();
      unsyncedBytes = 0;
    }
  }

  @Override
  public void commit() throws IOException {
    file.sync();
    file.close();
    disk.rename(temporary, target);
    disk.syncDirectory(target.resolveSibling("."));
    committed.accept(bytes);
  }

  @Override
  public void close() throws IOException {
    file.close();
    disk.delete(temporary);
  }
}
