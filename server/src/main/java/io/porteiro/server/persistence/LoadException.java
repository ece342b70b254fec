package io.porteiro.server.persistence;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file cannot be loaded. The message, for the operator, names the file and, where they are known,
 * offset and key.
 */
public final class LoadException extends IOException {
  private static final long serialVersionUID = 1L;

  LoadException(Path file, String reason, Throwable cause) {
    super(file + ": " + reason, cause);
  }

  LoadException(Path file, String reason) {
    super(file + ": " + reason);
  }
}
