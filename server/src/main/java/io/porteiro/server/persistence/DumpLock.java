package io.porteiro.server.persistence;

import io.porteiro.server.persistence.log.ProcessLock;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The right to write the snapshot file. Of two servers that are started in one directory, the one
 * that writes first has it, and the other cannot write over what that one keeps.
 *
 * <p>Taken before the file is written, wherever {@code dir} and {@code dbfilename} point by then; a
 * server that never saves takes none.
 */
final class DumpLock implements AutoCloseable {
  private @Nullable Path path;
  private @Nullable ProcessLock lock;

  /**
   * Takes it for this file, instead of the one that it was for.
   *
   * @return false if another server has it; then nothing has changed
   */
  synchronized boolean take(Path dump) throws IOException {
    // One directory may have several names, and taking the lock twice would lose it.
    Path directory = dump.resolveSibling(".").toRealPath();
    Path wanted = directory.resolve(dump.getFileName() + ".lock");
    if (wanted.equals(path)) {
      return true;
    }
    ProcessLock taken = ProcessLock.tryLock(wanted);
    if (taken == null) {
      return false;
    }
    close();
    lock = taken;
    path = wanted;
    return true;
  }

  @Override
  public synchronized void close() throws IOException {
    path = null;
    if (lock != null) {
      lock.close();
      lock = null;
    }
  }
}
