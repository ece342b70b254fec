package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.Microbenchmark;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.string.StringValue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Adding an element to a counter, and counting one, per call.
 *
 * <p>To be compared: an add to a dense counter with a few loads from a warm cache (some 5 ns), to a
 * sparse one with a walk over half of its 1200 opcodes. Counting after a change with adding up 50
 * numbers one after the other (7 cycles each), counting anew with one pass over 12 KB: a cycle per
 * register is 5 to 6 us.
 */
@State(Scope.Thread)
public class HyperLogLogBenchmark extends Microbenchmark {
  private static final int DENSE_ELEMENTS = 100_000;
  private static final int SPARSE_ELEMENTS = 600;

  /** Elements that are added before the counter is emptied again: most of them change it. */
  private static final int CHANGING_ELEMENTS = 4096;

  private final MemoryPool pool = new MemoryPool(1 << 20);
  private final Workspace workspace = new Workspace();
  private final Counters counters = new Counters(pool, workspace);
  private final StringValue dense = counters.of(0, DENSE_ELEMENTS);
  private final StringValue sparse = counters.of(0, SPARSE_ELEMENTS);
  private final StringValue changing = counters.emptyDense();
  private int next;

  private int next(int bound) {
    next = next + 1 < bound ? next + 1 : 0;
    return next;
  }

  private int add(StringValue value, int element) {
    return HyperLogLog.add(
        value, Counters::hash, element, element + 1, Counters.SPARSE_MAX_BYTES, workspace);
  }

  /** What PFADD asks first, under the lock for reading. */
  @Benchmark
  public boolean wouldChangeDense() {
    return HyperLogLog.wouldChange(dense, Counters.hash(next(DENSE_ELEMENTS)), workspace);
  }

  @Benchmark
  public boolean wouldChangeSparse() {
    return HyperLogLog.wouldChange(sparse, Counters.hash(next(SPARSE_ELEMENTS)), workspace);
  }

  @Benchmark
  public int addPresentToDense() {
    return add(dense, next(DENSE_ELEMENTS));
  }

  @Benchmark
  public int addPresentToSparse() {
    return add(sparse, next(SPARSE_ELEMENTS));
  }

  /** Emptying costs 0.1 ns an element. */
  @Benchmark
  public int addNewToDense() {
    int element = next(CHANGING_ELEMENTS);
    if (element == 0) {
      OffHeap.fill(HyperLogLog.registers(changing), DenseRegisters.BYTES, (byte) 0);
    }
    return add(changing, element);
  }

  @Benchmark
  public long countCached() {
    return HyperLogLog.count(dense, workspace);
  }

  /** After a PFADD: the histogram is there. */
  @Benchmark
  public long countAfterChange() {
    HyperLogLogHeader.markStale(dense.editKeepingAttachment());
    return HyperLogLog.count(dense, workspace);
  }

  /** After a SETRANGE: it is not. */
  @Benchmark
  public long countAnew() {
    HyperLogLogHeader.markStale(dense.edit());
    return HyperLogLog.count(dense, workspace);
  }

  @Benchmark
  public long countSparse() {
    HyperLogLogHeader.markStale(sparse.edit());
    return HyperLogLog.count(sparse, workspace);
  }

  @TearDown
  public void close() {
    dense.release();
    sparse.release();
    changing.release();
    pool.close();
  }
}
