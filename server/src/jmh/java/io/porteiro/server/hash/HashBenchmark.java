package io.porteiro.server.hash;

import io.porteiro.server.Inputs;
import io.porteiro.server.Microbenchmark;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.bloom.HashWidth;
import io.porteiro.server.structure.hyperloglog.ElementHash;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Hashing one item or key: of a few bytes, of an odd few (with a tail), as clients mostly have
 * them, and long. In MurmurHash64A each 8 bytes wait for one multiplication and one xor, 4 cycles,
 * and the end takes some 10; a figure far above has branches or checks in it. A filter hashes an
 * item twice, the second time seeded with the first, so that the two cannot overlap; only what is
 * done to the words of short items is shared.
 */
@State(Scope.Thread)
public class HashBenchmark extends Microbenchmark {
  private static final int ITEMS = 256;

  @Param({"4", "13", "16", "64", "1024"})
  public int bytes;

  private final MemoryPool pool = new MemoryPool(1 << 20);
  private Block items = pool.allocate(1);
  private final long[] pair = new long[2];
  private int next;

  @Setup
  public void fill() {
    items = pool.allocate((long) ITEMS * bytes);
    Inputs.fill(items.address(), items.size());
  }

  private long nextItem() {
    next = (next + 1) % ITEMS;
    return items.address() + (long) next * bytes;
  }

  @Benchmark
  public long counterElement() {
    return MurmurHash64A.hash(OffHeap.MEMORY, nextItem(), bytes, ElementHash.SEED);
  }

  @Benchmark
  public long filterItem() {
    HashWidth.hash64(nextItem(), bytes, pair, 0);
    return pair[0] ^ pair[1];
  }

  @Benchmark
  public long itemOfOldFilter() {
    return MurmurHash2.hash(OffHeap.MEMORY, nextItem(), bytes, 1);
  }

  @Benchmark
  public long key() {
    return KeyHash.hash(OffHeap.MEMORY, nextItem(), bytes, 1);
  }

  @TearDown
  public void close() {
    pool.close();
  }
}
