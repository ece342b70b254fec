package io.porteiro.server.persistence;

import io.porteiro.server.persistence.log.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Temporary files of saves: how they are named, and what becomes of those whose process was killed.
 */
final class UnfinishedSaves {
  private static final Logger log = LoggerFactory.getLogger(UnfinishedSaves.class);

  /** Redis's name for it, with the number of the process. */
  private static final Pattern NAME = Pattern.compile("temp-([0-9]{1,10})\\.rdb");

  /**
   * A process number says nothing of the processes in other containers, which may share the
   * directory. But whoever saves writes all the time.
   */
  private static final long UNTOUCHED_MS = TimeUnit.MINUTES.toMillis(1);

  private final Disk disk;
  private final InstantSource clock;

  UnfinishedSaves(Disk disk, InstantSource clock) {
    this.disk = disk;
    this.clock = clock;
  }

  /** Where this process writes a snapshot that is going to be the file {@code target}. */
  static Path temporary(Path target) {
    return target.resolveSibling("temp-" + ProcessHandle.current().pid() + ".rdb");
  }

  /** Deletes those beside the snapshot file of which it is certain that nobody writes them. */
  void deleteBeside(Path target) {
    try {
      for (Path file : filesBeside(target)) {
        if (isUnfinished(file)) {
          disk.delete(file);
          log.info("Deleted {}, left by a process that ended while it saved", file);
        }
      }
    } catch (IOException e) {
      log.warn("Unfinished saves could not be deleted: {}", e.toString());
    }
  }

  private static List<Path> filesBeside(Path target) throws IOException {
    try (Stream<Path> files = Files.list(target.resolveSibling(".").normalize())) {
      return files.toList();
    }
  }

  private boolean isUnfinished(Path file) throws IOException {
    Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
    return name.matches()
        && Files.isRegularFile(file)
        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()
        && clock.millis() - Files.getLastModifiedTime(file).toMillis() >= UNTOUCHED_MS;
  }
}
