package io.porteiro.server.structure.bloom;

/**
 * No link can have this capacity and error rate. Without a stack trace, because a client can
 * provoke it at will.
 */
public final class ImpossibleLinkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ImpossibleLinkException(long entries, double errorRate) {
    super(
        "no filter for " + Long.toUnsignedString(entries) + " entries at rate " + errorRate,
        null,
        false,
        false);
  }
}
