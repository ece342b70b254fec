package io.porteiro.server.persistence;

import io.porteiro.server.persistence.log.LogDirectory;
import io.porteiro.server.persistence.log.ManifestEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How large the log is, and was. */
final class LogFigures {
  private volatile long bytesAfterRewrite;

  /** Bytes of all files of the log; 0 if there is none. */
  long currentBytes(@Nullable LogDirectory directory) {
    return directory == null ? 0 : bytesOf(directory);
  }

  static long bytesOf(LogDirectory directory) {
    long bytes = 0;
    for (ManifestEntry file : directory.manifest().loaded()) {
      bytes += bytesOf(directory.path(file));
    }
    return bytes;
  }

  /** A file that is deleted this moment counts for nothing. */
  static long bytesOf(Path file) {
    try {
      return Files.size(file);
    } catch (IOException _) {
      return 0;
    }
  }

  /** Bytes of the log after the last rewrite, or of the base with which the server started. */
  long bytesAfterRewrite() {
    return bytesAfterRewrite;
  }

  void setBytesAfterRewrite(long bytes) {
    bytesAfterRewrite = bytes;
  }
}
