package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.string.StringValue;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What PFSELFTEST runs on the machine at hand: registers keep what was set, all representations
 * agree, and counts are as near as theory promises. Always the same elements; some 50 ms, some 30
 * KB off-heap.
 */
public final class SelfTest {
  private static final int SPARSE_ELEMENTS = 2000;
  private static final int DENSE_ELEMENTS = 300_000;
  private static final double STANDARD_ERROR = 1.04 / Math.sqrt(HyperLogLog.REGISTERS);

  /** Of the standard error: a deviation that no healthy estimator shows in all the world's runs. */
  private static final int TOLERANCE = 6;

  private final MemoryPool pool;
  private final SplittableRandom random = new SplittableRandom(0xadc83b19);
  private final Workspace workspace = new Workspace();

  private SelfTest(MemoryPool pool) {
    this.pool = pool;
  }

  /**
   * Runs it.
   *
   * @return what is wrong, or null
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room to test in
   */
  public static @Nullable String run(MemoryPool pool) {
    SelfTest test = new SelfTest(pool);
    String failure = test.registers();
    return failure == null ? test.counts() : failure;
  }

  private @Nullable String registers() {
    Block block = pool.allocate(DenseRegisters.BYTES);
    try {
      int[] model = new int[HyperLogLog.REGISTERS];
      for (int round = 0; round < 2 * HyperLogLog.REGISTERS; round++) {
        int register = random.nextInt(HyperLogLog.REGISTERS);
        model[register] = random.nextInt(Histogram.CLASSES);
        DenseRegisters.set(block.address(), register, model[register]);
      }
      workspace.registers.load(block.address());
      String failure = compare("dense", model, i -> DenseRegisters.get(block.address(), i));
      return failure == null ? compare("loaded", model, workspace.registers::get) : failure;
    } finally {
      block.release();
    }
  }

  private static @Nullable String compare(String what, int[] model, IntUnaryOperator actual) {
    for (int i = 0; i < model.length; i++) {
      if (actual.applyAsInt(i) != model[i]) {
        return what + " register " + i + " is not " + model[i];
      }
    }
    return null;
  }

  private @Nullable String counts() {
    StringValue sparse = HyperLogLog.create(pool);
    try {
      StringValue dense = HyperLogLog.create(pool);
      try {
        HyperLogLog.toDense(dense, workspace);
        return counts(sparse, dense);
      } finally {
        dense.release();
      }
    } finally {
      sparse.release();
    }
  }

  private @Nullable String counts(StringValue sparse, StringValue dense) {
    int checkpoint = 1;
    for (int added = 1; added <= DENSE_ELEMENTS; added++) {
      long hash = random.nextLong();
      add(dense, hash);
      if (added <= SPARSE_ELEMENTS) {
        add(sparse, hash);
      }
      if (added == checkpoint) {
        String failure = check(sparse, dense, added);
        if (failure != null) {
          return failure;
        }
        checkpoint *= 10;
      }
    }
    return null;
  }

  private void add(StringValue value, long hash) {
    HyperLogLog.add(value, _ -> hash, 0, 1, Long.MAX_VALUE, workspace);
  }

  private @Nullable String check(StringValue sparse, StringValue dense, int added) {
    long count = HyperLogLog.count(dense, workspace);
    if (Math.abs(count - added) > Math.max(1, TOLERANCE * STANDARD_ERROR * added)) {
      return added + " elements were counted as " + count;
    }
    return added <= SPARSE_ELEMENTS ? checkSparse(sparse, dense, added) : null;
  }

  private @Nullable String checkSparse(StringValue sparse, StringValue dense, int added) {
    StringValue converted = sparse.copy();
    try {
      HyperLogLog.toDense(converted, workspace);
      HyperLogLog.count(converted, workspace);
      boolean agree = Arrays.equals(converted.toArray(), dense.toArray());
      return agree ? null : "sparse and dense differ after " + added + " elements";
    } finally {
      converted.release();
    }
  }
}
