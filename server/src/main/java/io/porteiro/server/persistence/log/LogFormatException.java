package io.porteiro.server.persistence.log;

import java.io.IOException;

/** A file of the log does not hold commands where it should. */
public final class LogFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offset;

  LogFormatException(String reason, long offset) {
    super(reason + " at offset " + offset);
    this.offset = offset;
  }

  /** Where in the file. */
  public long offset() {
    return offset;
  }
}
