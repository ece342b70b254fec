package io.porteiro.server.structure.hyperloglog;

/**
 * A string that has the header of a HyperLogLog holds opcodes that do not describe 16384 registers.
 * Nothing was changed. Without a stack trace, because a client can provoke it at will.
 */
public final class CorruptHyperLogLogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CorruptHyperLogLogException() {
    super("the opcodes do not describe 16384 registers", null, false, false);
  }
}
