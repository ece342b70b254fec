package io.porteiro.server.structure.bloom;

import io.porteiro.server.Inputs;
import io.porteiro.server.Microbenchmark;
import io.porteiro.server.memory.MemoryPool;
import java.util.function.LongUnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Adding to and asking a filter, per item, singly and in batches of 64: one of 1.4 MB, in the
 * cache, and one of 551 MB, where nearly every probe misses it. Half of the bits are set at random,
 * as in a full filter, which no branch predictor learns.
 *
 * <p>To be compared with the memory: an item that is present has 8 probes, an absent one 2 on
 * average. In the cache a probe should take 1 to 2 ns. Out of it a lone item waits for its misses,
 * page walks included, though for several at once; batches overlap those of several items, and
 * should take clearly less per item. Measured when they were built: 130 ns for absent items, 325
 * for present ones, 385 to add one. Hashes are made up at some 2 ns, which {@link #hashesAlone}
 * measures and all others contain.
 */
@State(Scope.Thread)
public class BloomFilterBenchmark extends Microbenchmark {
  private static final int BATCH = BloomFilter.MAX_BATCH;
  private static final double ERROR_RATE = 0.01;
  private static final int MOST_MEMBERS = 1_000_000;

  /** Items from here on were never added. */
  private static final long STRANGERS = 1L << 40;

  @Param({"1000000", "400000000"})
  public long capacity;

  private final MemoryPool pool = new MemoryPool(1 << 30);
  private final long[] hashes = new long[2 * BATCH];
  private BloomFilter filter = BloomFilter.create(pool, 1, ERROR_RATE, 2, false);
  private long members;
  private long nextMember;
  private long nextStranger = STRANGERS;
  private long roomLeft;

  @Setup
  public void fill() {
    filter = BloomFilter.create(pool, capacity, ERROR_RATE, 2, false);
    clear();
    members = Math.min(capacity / 10, MOST_MEMBERS);
    for (long i = 0; i < members; i++) {
      filter.add(first(i), second(i));
    }
  }

  /** Adding the items of a full one would take minutes; this takes a second. */
  private void clear() {
    SubFilter link = filter.link(0);
    Inputs.fill(link.block().address(), link.shape().bytes());
    link.setSize(0);
    roomLeft = capacity / 10;
  }

  private static long first(long item) {
    return Inputs.random(2 * item);
  }

  private static long second(long item) {
    return Inputs.random(2 * item + 1);
  }

  private long nextMember() {
    nextMember = nextMember + 1 < members ? nextMember + 1 : 0;
    return nextMember;
  }

  private long nextStranger() {
    return nextStranger++;
  }

  /** So that neither the share of set bits changes much nor the filter grows; 2 ns an item. */
  private long nextNew(int items) {
    roomLeft -= items;
    if (roomLeft < 0) {
      clear();
    }
    return nextStranger();
  }

  private long[] batch(LongUnaryOperator item) {
    for (int i = 0; i < BATCH; i++) {
      long next = item.applyAsLong(i);
      hashes[2 * i] = first(next);
      hashes[2 * i + 1] = second(next);
    }
    return hashes;
  }

  @Benchmark
  public long hashesAlone() {
    long item = nextStranger();
    return first(item) ^ second(item);
  }

  @Benchmark
  public boolean containsAbsent() {
    long item = nextStranger();
    return filter.contains(first(item), second(item));
  }

  @Benchmark
  public boolean containsPresent() {
    long item = nextMember();
    return filter.contains(first(item), second(item));
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long testAbsent() {
    return filter.test(batch(_ -> nextStranger()), 0, BATCH);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long testPresent() {
    return filter.test(batch(_ -> nextMember()), 0, BATCH);
  }

  @Benchmark
  public AddOutcome addNew() {
    long item = nextNew(1);
    return filter.add(first(item), second(item));
  }

  @Benchmark
  public AddOutcome addPresent() {
    long item = nextMember();
    return filter.add(first(item), second(item));
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long addAllNew() {
    nextNew(BATCH);
    return filter.addAll(batch(_ -> nextStranger()), 0, BATCH);
  }

  @TearDown
  public void release() {
    filter.release();
    pool.close();
  }
}
