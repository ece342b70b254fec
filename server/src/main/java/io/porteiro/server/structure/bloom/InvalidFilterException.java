package io.porteiro.server.structure.bloom;

/**
 * A stored filter contradicts itself or would not fit. Nothing was made of it. Without a stack
 * trace, because a client can provoke it at will.
 */
public final class InvalidFilterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidFilterException(String message) {
    super(message, null, false, false);
  }
}
