package io.porteiro.server.persistence.log;

import java.io.IOException;

/** A manifest cannot be understood. The message, for the operator, names line and reason. */
public final class ManifestException extends IOException {
  private static final long serialVersionUID = 1L;

  ManifestException(String message) {
    super(message);
  }
}
