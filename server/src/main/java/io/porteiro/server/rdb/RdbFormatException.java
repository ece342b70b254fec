package io.porteiro.server.rdb;

import java.io.IOException;

/**
 * An RDB encoding that is damaged, cut short or not understood. The message says where and, when
 * known, at which key. Without a stack trace, because a client's RESTORE can provoke it at will.
 */
public final class RdbFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final long offset;

  /**
   * A refusal at a place.
   *
   * @param reason what is wrong, as a clause
   * @param offset bytes from the start of the file or payload
   */
  public RdbFormatException(String reason, long offset) {
    this(reason, offset, "offset " + offset + ": " + reason);
  }

  private RdbFormatException(String reason, long offset, String message) {
    super(message);
    this.reason = reason;
    this.offset = offset;
  }

  /** The same with the key at which it happened. */
  RdbFormatException atKey(long database, byte[] key) {
    String where = "offset " + offset + ", key " + KeyText.of(key) + " in database " + database;
    return new RdbFormatException(reason, offset, where + ": " + reason);
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
