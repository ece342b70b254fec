package io.porteiro.server.command;

/** A command of a log cannot be executed, and without it the data would not be whole. */
public final class ReplayException extends Exception {
  private static final long serialVersionUID = 1L;

  ReplayException(String message) {
    super(message);
  }
}
