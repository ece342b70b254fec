package io.porteiro.server.persistence;

import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.persistence.log.Disk;
import io.porteiro.server.persistence.log.LogDirectory;
import io.porteiro.server.persistence.log.ProcessLock;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log's directory, once it was opened, and the lock that keeps other servers out of it. Opened
 * by the thread that loads, or later with the monitor of {@link LogPersistence} held, as it is
 * unlocked; {@link #get} from any thread.
 */
final class OwnedLogDirectory {
  private static final Logger logger = LoggerFactory.getLogger(OwnedLogDirectory.class);

  private final ServerConfig config;
  private final Disk disk;
  private volatile @Nullable LogDirectory directory;
  private @Nullable ProcessLock lock;

  OwnedLogDirectory(ServerConfig config, Disk disk) {
    this.config = config;
    this.disk = disk;
  }

  /** Null if it was not opened yet. */
  @Nullable LogDirectory get() {
    return directory;
  }

  /**
   * Locks and opens the directory that is configured; nothing in it is read or changed.
   *
   * @throws LoadException if another server has it, or it cannot be locked
   */
  LogDirectory open() throws LoadException {
    Path path = Path.of(config.dir(), config.appenddirname()).toAbsolutePath().normalize();
    LogDirectory opened = new LogDirectory(disk, path, config.appendfilename());
    try {
      lock = ProcessLock.tryLock(path.resolveSibling(path.getFileName() + ".lock"));
    } catch (IOException e) {
      throw new LoadException(path, "cannot be locked: " + e, e);
    }
    if (lock == null) {
      throw new LoadException(path, "another server is using it");
    }
    directory = opened;
    return opened;
  }

  /** Lets another server have it. */
  void unlock() {
    try {
      if (lock != null) {
        lock.close();
      }
    } catch (IOException e) {
      logger.warn("The log's directory cannot be unlocked: {}", e.toString());
    }
    lock = null;
  }
}
