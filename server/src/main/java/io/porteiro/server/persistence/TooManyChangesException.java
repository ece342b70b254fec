package io.porteiro.server.persistence;

import java.io.IOException;

/** A snapshot was given up, because what changed meanwhile took too much memory. */
final class TooManyChangesException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param bytes what the snapshot held besides the data when it was given up
   */
  TooManyChangesException(long bytes) {
    super(
        "given up: what changed meanwhile takes "
            + bytes
            + " bytes besides the data, and there is no memory left for it");
  }
}
