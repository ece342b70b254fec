package io.porteiro.server;

import io.porteiro.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code pidfile}: the number of the process, for scripts that watch it. As in Redis a convenience:
 * where it cannot be written, the server runs without.
 */
final class PidFile {
  private static final Logger log = LoggerFactory.getLogger(PidFile.class);

  private PidFile() {}

  static void write(ServerConfig config) {
    if (config.pidfile().isEmpty()) {
      return;
    }
    try {
      Files.writeString(Path.of(config.pidfile()), ProcessHandle.current().pid() + "\n");
    } catch (IOException e) {
      log.warn("Cannot write the pid file: {}", e.toString());
    }
  }

  static void delete(ServerConfig config) {
    if (config.pidfile().isEmpty()) {
      return;
    }
    try {
      Files.deleteIfExists(Path.of(config.pidfile()));
    } catch (IOException e) {
      log.warn("Cannot delete the pid file: {}", e.toString());
    }
  }
}
