package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.Microbenchmark;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.string.StringValue;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The union of counters, per call: counted (PFCOUNT of several), and stored in a counter (PFMERGE)
 * that changes or knew all before. To be compared with passes over the 2048 words of eight
 * registers, at some ten instructions each 2 to 4 us a counter, and one of HyperLogLogBenchmark's
 * countAnew to count; and with Redis, whose PFCOUNT of 2 dense counters takes 130 to 140 us (load).
 */
@State(Scope.Thread)
public class UnionBenchmark extends Microbenchmark {
  private static final int ELEMENTS = 100_000;

  /** What counters that follow each other do not share. */
  private static final int STEP = 20_000;

  /** Sources, beside the destination of a merge. */
  @Param({"2", "8"})
  public int counters;

  /** Dense, or all of them sparse, as small ones are. */
  @Param({"dense", "sparse"})
  public String encoding;

  private final MemoryPool pool = new MemoryPool(1 << 20);
  private final Workspace workspace = new Workspace();
  private final Counters maker = new Counters(pool, workspace);
  private final Union union = new Union(workspace);
  private final List<StringValue> sources = new ArrayList<>();
  private StringValue all = maker.of(0, 0);
  private StringValue first = maker.of(0, 0);
  private StringValue changing = maker.of(0, 0);

  @Setup
  public void fill() {
    int scale = encoding.equals("dense") ? 1 : 1000;
    for (int i = 0; i < counters; i++) {
      int from = i * STEP / scale;
      sources.add(maker.of(from, from + ELEMENTS / scale));
    }
    first = sources.getFirst();
    all = merged();
    changing = first.copy();
    requireEncoding();
  }

  private StringValue merged() {
    StringValue destination = maker.of(0, 0);
    merge(destination);
    return destination;
  }

  private void requireEncoding() {
    if (HyperLogLog.isDense(all) != encoding.equals("dense")) {
      throw new IllegalStateException("not " + encoding);
    }
  }

  private void include() {
    union.clear();
    for (StringValue source : sources) {
      union.include(source);
    }
  }

  private long merge(StringValue destination) {
    union.clear();
    union.include(destination);
    for (StringValue source : sources) {
      union.include(source);
    }
    union.storeIn(destination, Counters.SPARSE_MAX_BYTES);
    return destination.address();
  }

  @Benchmark
  public long count() {
    include();
    return union.count();
  }

  @Benchmark
  public long mergeNothingNew() {
    return merge(all);
  }

  /** Contains copying the destination's bytes as they were before: some 0.3 us of 12 KB. */
  @Benchmark
  public long mergeChanging() {
    changing.setLength(first.length());
    OffHeap.copy(first.address(), changing.edit(), first.length());
    return merge(changing);
  }

  @TearDown
  public void close() {
    pool.close();
  }
}
