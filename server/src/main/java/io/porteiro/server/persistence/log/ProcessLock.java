package io.porteiro.server.persistence.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second server from what this one writes, the directory of a log or a snapshot file: a
 * lock of the kernel's on a file beside it, which ends with the process however that ends. The file
 * stays; it means nothing.
 */
public final class ProcessLock implements AutoCloseable {
  private final FileChannel file;

  private ProcessLock(FileChannel file) {
    this.file = file;
  }

  /**
   * Takes the lock.
   *
   * @return null if another process, or another server in this one, has it
   */
  public static @Nullable ProcessLock tryLock(Path path) throws IOException {
    FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = file.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      // the same as another process's
    } finally {
      if (!locked) {
        file.close();
      }
    }
    return locked ? new ProcessLock(file) : null;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
