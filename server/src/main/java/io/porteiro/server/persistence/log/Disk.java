package io.porteiro.server.persistence.log;

import java.io.IOException;
import java.nio.file.Path;

/**
 * All that logs and snapshots do to files and directories. The faults of disks are tested with one
 * that has them.
 */
public interface Disk {
  /** The file system that the process runs on. */
  Disk SYSTEM = new SystemDisk();

  /** A new, empty file; one that was there is emptied. */
  DiskFile create(Path path) throws IOException;

  /** A file that is there, to be written from its end on. */
  DiskFile append(Path path) throws IOException;

  /** Gives a file another name, in one step; a file of that name is gone. */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file, if it is there. */
  void delete(Path path) throws IOException;

  /** Makes a directory, if it is not there. */
  void createDirectory(Path path) throws IOException;

  /** Names that were made, changed or deleted in a directory stay so after a crash. */
  void syncDirectory(Path path) throws IOException;
}
