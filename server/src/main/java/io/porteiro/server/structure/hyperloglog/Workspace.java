package io.porteiro.server.structure.hyperloglog;

/**
 * What one thread needs to work on HyperLogLogs without allocating: about 35 KB, used from the
 * start of an operation to its end and worth nothing in between.
 */
public final class Workspace {
  final SparseRegisters sparse = new SparseRegisters();
  final RegisterGroups registers = new RegisterGroups();
  final Histogram histogram = new Histogram();
}
