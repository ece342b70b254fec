package io.porteiro.server.command;

/**
 * The error a command answers instead of its reply. Thrown while parsing, or in apply before
 * anything was changed. Without a stack trace: clients provoke it at will.
 */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param error the reply without the leading '-': a code in capitals and a text
   */
  public CommandException(String error) {
    super(error, null, false, false);
  }

  /** The reply without the leading '-'. */
  public String error() {
    return String.valueOf(getMessage());
  }
}
