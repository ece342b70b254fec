package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.Inputs;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.string.StringValue;

/** Makes the counters that benchmarks work on. */
final class Counters {
  static final long SPARSE_MAX_BYTES = 3000;

  private final MemoryPool pool;
  private final Workspace workspace;

  Counters(MemoryPool pool, Workspace workspace) {
    this.pool = pool;
    this.workspace = workspace;
  }

  /** With the elements from one number up to another. */
  StringValue of(int from, int to) {
    StringValue value = HyperLogLog.create(pool);
    for (int i = from; i < to; i++) {
      HyperLogLog.add(value, Counters::hash, i, i + 1, SPARSE_MAX_BYTES, workspace);
    }
    return value;
  }

  StringValue emptyDense() {
    StringValue value = HyperLogLog.create(pool);
    HyperLogLog.toDense(value, workspace);
    return value;
  }

  static long hash(int element) {
    return Inputs.random(element);
  }
}
