package io.porteiro.server.persistence;

import io.porteiro.server.persistence.log.Disk;
import io.porteiro.server.persistence.log.DiskFile;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A snapshot under way: a temporary file beside the one whose place it takes when it is complete
 * and on disk. What is not {@link #commit committed} is deleted, and the old file stays.
 */
final class SnapshotFile implements SnapshotTarget {
  /**
   * So much is synced at once where the disk keeps up. A sync of 32 MiB has the disk, and in a
   * virtual machine the host's processor time too, for so long that all others stand still.
   */
  private static final long SYNC_FROM_BYTES = 4L << 20;

  /** So much at most is left to sync: the writer waits, so that not all of it comes at the end. */
  private static final long MOST_UNSYNCED_BYTES = 32L << 20;

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
  private final BackgroundSync sync;
  private long bytes;
  private long unsyncedBytes;

  /**
   * Creates the temporary file, or empties one that an earlier process left.
   *
   * @param temporary where it is written, on the same file system as the target
   * @param target absolute
   * @param incrementalSync whether the disk gets some of it while it is written
   */
  SnapshotFile(Disk disk, Path temporary, Path target, boolean incrementalSync, Committed committed)
      throws IOException {
    this.disk = disk;
    this.temporary = temporary;
    this.target = target;
    this.incrementalSync = incrementalSync;
    this.committed = committed;
    this.file = disk.create(temporary);
    this.sync = new BackgroundSync(file);
  }

  @Override
  public void write(long address, long length) throws IOException {
    file.writeFully(address, length);
    bytes += length;
    unsyncedBytes += length;
    if (incrementalSync && isSyncDue()) {
      sync.begin();
      unsyncedBytes = 0;
    }
  }

  private boolean isSyncDue() {
    return unsyncedBytes >= MOST_UNSYNCED_BYTES
        || (unsyncedBytes >= SYNC_FROM_BYTES && !sync.isRunning());
  }

  /** {@inheritDoc} It is then in its place. */
  @Override
  public void commit() throws IOException {
    sync.await();
    file.sync();
    file.close();
    disk.rename(temporary, target);
    disk.syncDirectory(target.resolveSibling("."));
    committed.accept(bytes);
  }

  @Override
  public void close() throws IOException {
    sync.close();
    file.close();
    disk.delete(temporary);
  }
}
