package io.porteiro.server.persistence;

import io.porteiro.server.memory.OffHeap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A snapshot under way: a temporary file beside the one whose place it takes when it is complete
 * and on disk. What is not {@link #commit committed} is deleted, and the old file stays.
 */
final class SnapshotFile implements SnapshotTarget {
  /** So that the disk does not get all of it at the end, at once. */
  private static final long SYNC_EVERY_BYTES = 32L << 20;

  private final Path target;
  private final Path temporary;
  private final FileChannel file;
  private final BackgroundSync sync;
  private long unsyncedBytes;

  /**
   * Creates the temporary file, or empties one that an earlier process left.
   *
   * @param target absolute
   * @param temporaryName of the file beside it
   */
  SnapshotFile(Path target, String temporaryName) throws IOException {
    this.target = target;
    this.temporary = target.resolveSibling(temporaryName);
    this.file =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
    this.sync = new BackgroundSync(file);
  }

  @Override
  public void write(long address, long length) throws IOException {
    ByteBuffer bytes = OffHeap.MEMORY.asSlice(address, length).asByteBuffer();
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    unsyncedBytes += length;
    if (unsyncedBytes >= SYNC_EVERY_BYTES) {
      sync.begin();
      unsyncedBytes = 0;
    }
  }

  /** {@inheritDoc} It is then in its place. */
  @Override
  public void commit() throws IOException {
    sync.await();
    file.force(true);
    file.close();
    Files.move(
        temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncDirectory();
  }

  private void syncDirectory() throws IOException {
    try (FileChannel directory = FileChannel.open(target.resolveSibling("."))) {
      directory.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    sync.close();
    file.close();
    Files.deleteIfExists(temporary);
  }
}
