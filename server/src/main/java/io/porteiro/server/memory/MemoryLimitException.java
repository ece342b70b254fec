package io.porteiro.server.memory;

/**
 * Memory that was asked for is not to be had: it would pass the limit, or the kernel refused it.
 * Nothing was taken. Without a stack trace, because a client can provoke it at will.
 */
public final class MemoryLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MemoryLimitException(String message) {
    super(message, null, false, false);
  }
}
