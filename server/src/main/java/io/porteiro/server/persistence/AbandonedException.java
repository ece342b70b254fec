package io.porteiro.server.persistence;

import java.io.IOException;

/** A snapshot was given up because the server ends. */
final class AbandonedException extends IOException {
  private static final long serialVersionUID = 1L;

  AbandonedException() {
    super("given up, because the server ends");
  }
}
