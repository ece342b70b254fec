package io.porteiro.server.access;

/** A file of users that cannot be read, or has lines that are wrong; the message names them all. */
public final class UserFileException extends Exception {
  private static final long serialVersionUID = 1L;

  UserFileException(String message) {
    super(message, null, false, false);
  }

  /** What is wrong, in Redis's words. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
