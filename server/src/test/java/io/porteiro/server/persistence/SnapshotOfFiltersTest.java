package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.memory.SnapshotMemory;
import io.porteiro.server.rdb.RdbSink;
import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.string.StringValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filters, each bit of which must be as it was at the cut. A filter of some MiB is written chunk by
 * chunk; what is given to {@link #write} is done before each piece of the file, so that it meets
 * chunks that are taken and chunks that are not.
 */
class SnapshotOfFiltersTest {
  private static final long SEED = 0x5a_0002L;
  private static final long MIB = 1 << 20;

  private final TestKeyspace source = new TestKeyspace();
  private final TestKeyspace copy = new TestKeyspace();
  private final MemoryPool buffers = new MemoryPool(64 << 20);
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final SaveProgress progress = new SaveProgress(1_700_000_000_000L, 0, 0);
  private final Random random = new Random(SEED);
  private Map<String, String> atCut = Map.of();

  @TempDir Path directory;

  @AfterEach
  void close() {
    source.close();
    copy.close();
    buffers.close();
  }

  /**
   * Writes a snapshot.
   *
   * @param change is given the number of the piece that comes next, from 0
   */
  private void write(IntConsumer change) throws IOException {
    int[] pieces = {0};
    written.reset();
    RdbSink sink =
        (address, length) -> {
          change.accept(pieces[0]++);
          written.writeBytes(OffHeap.toArray(address, (int) length));
        };
    SnapshotWriter.Options options =
        new SnapshotWriter.Options(false, true, 1_700_000_000, false, false);
    SnapshotMemory memory = new SnapshotMemory(source.pool, Long.MAX_VALUE);
    SnapshotWriter.write(
        source.keyspace, buffers, memory, sink, options, progress, () -> atCut = source.contents());
  }

  /** Writes a snapshot and finds what was there at the cut. */
  private void assertExact(IntConsumer change) throws IOException {
    write(change);
    Path file = directory.resolve("dump.rdb");
    Files.write(file, written.toByteArray());
    copy.flush(0);
    copy.flush(1);
    Loader.load(copy.keyspace, InstantSource.system(), file, false, _ -> {});
    assertThat(copy.contents()).as("seed %x", SEED).isEqualTo(atCut);
    awaitUsed(source.pool::snapshotBytes, 0);
    awaitUsed(buffers::usedBytes, 0);
  }

  private static void awaitUsed(LongSupplier used, long expected) {
    long deadline = System.nanoTime() + 5_000_000_000L;
    while (used.getAsLong() != expected && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }
    assertThat(used.getAsLong()).isEqualTo(expected);
  }

  private void putFilter(String name, long capacity, int items) {
    source.put(0, name, BloomFilter.create(source.pool, capacity, 0.01, 2, false), Entry.NO_EXPIRY);
    add(name, items);
  }

  private void add(String name, int items) {
    for (int i = 0; i < items; i++) {
      source.add(0, name, random.nextLong(), random.nextLong());
    }
  }

  /** Of 3.9 MiB: three chunks and the rest. */
  private void putBig() {
    putFilter("big", 3_000_000, 20_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 40_000, 50_000, 55_000, 100_000, 800_000, 3_000_000})
  void write_whileItemsAreAdded_isExact(long capacity) throws IOException {
    for (int i = 0; i < 3; i++) {
      putFilter("filter" + i, capacity, (int) Math.min(capacity, 5_000));
    }
    assertExact(_ -> {
      for (int i = 0; i < 3; i++) {
        add("filter" + i, 500);
      }
    });
  }

  /** The second piece comes when the walk has captured the filter and taken the first chunk. */
  @Test
  void write_itemsAreAddedWhenTheWalkHasCapturedIt_isExact() throws IOException {
    putBig();
    assertExact(piece -> {
      if (piece == 1) {
        add("big", 20_000);
      }
    });
  }

  /** New links are no part of the snapshot, but the old ones' last bits are. */
  @Test
  void write_whileFiltersGrow_isExact() throws IOException {
    putFilter("small", 10, 8);
    putFilter("middle", 60_000, 59_500);
    putFilter("chain", 1_000, 100_000);
    putBig();
    assertExact(_ -> {
      add("small", 30);
      add("middle", 1_000);
      add("chain", 20_000);
      add("big", 1_000);
    });
  }

  /** Notes of a chunk that would take more than a copy of it: 262,144 of them. */
  @Test
  void write_soManyItemsThatChunksAreCopied_isExact() throws IOException {
    putBig();
    assertExact(piece -> add("big", piece == 0 || piece == 2 ? 250_000 : 0));
  }

  @Test
  void write_bitsAreOverwritten_isExact() throws IOException {
    putBig();
    byte[] other = new byte[(int) (MIB + MIB / 2)];
    random.nextBytes(other);
    assertExact(piece -> {
      add("big", 3_000);
      source.overwriteBits(0, "big", 2 + other.length + piece * MIB / 2, other);
      add("big", 3_000);
    });
  }

  /** The new name has another shard, so that another lock guards the bits from then on. */
  @Test
  void write_whileItIsRenamedAndGoesOn_isExact() throws IOException {
    putBig();
    assertExact(piece -> {
      String now = piece == 0 ? "big" : "big" + piece;
      add(now, 3_000);
      source.rename(0, now, 0, "big" + (piece + 1));
      add("big" + (piece + 1), 3_000);
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void write_deletedMeanwhile_isExact(int when) throws IOException {
    putBig();
    assertExact(piece -> {
      if (piece <= when) {
        add("big", 1_000);
      }
      if (piece == when) {
        source.delete(0, "big");
      }
    });
    assertThat(source.contents()).isEmpty();
    awaitUsed(source.pool::usedBytes, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void write_overwrittenMeanwhile_isExact(int when) throws IOException {
    putBig();
    assertExact(piece -> {
      if (piece == when) {
        add("big", 1_000);
        source.put(0, "big", StringValue.ofNumber(source.pool, 5), Entry.NO_EXPIRY);
      }
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void write_flushedMeanwhile_isExactAndThenFreed(int when) throws IOException {
    putBig();
    putFilter("small", 100, 50);
    source.set(0, "large", "x".repeat(3_000_000));
    assertExact(piece -> {
      if (piece == when) {
        add("big", 1_000);
        source.flush(0);
      }
    });
    awaitUsed(source.pool::usedBytes, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void write_expiredMeanwhile_isExact(int when) throws IOException {
    BloomFilter filter = BloomFilter.create(source.pool, 3_000_000, 0.01, 2, false);
    source.put(0, "big", filter, 4_102_444_800_000L);
    assertExact(piece -> {
      if (piece <= when) {
        add("big", 1_000);
      }
      if (piece == when) {
        source.expire(0, "big", 4_102_444_800_001L);
      }
    });
    assertThat(source.contents()).isEmpty();
  }

  @Test
  void write_databasesAreSwappedMeanwhile_isExact() throws IOException {
    putBig();
    source.set(1, "big", "y".repeat(100_000));
    assertExact(piece -> {
      source.swap(0, 1);
      if (piece % 2 == 1) {
        add("big", 1_000);
      } else {
        source.overwrite(0, "big", "changed " + piece);
      }
    });
  }

  /** A large string belongs to the snapshot as it was; whoever writes works on a copy. */
  @Test
  void write_largeStringsChange_isExact() throws IOException {
    for (int i = 0; i < 5; i++) {
      source.set(0, "large" + i, "x".repeat(70_000 + i * 1_000_000));
    }
    assertExact(piece -> {
      for (int i = 0; i < 5; i++) {
        source.overwrite(0, "large" + i, "changed at " + piece);
      }
    });
  }

  /** What was noted in one snapshot must not be taken off the next. */
  @Test
  void write_again_isExact() throws IOException {
    putBig();
    for (int round = 0; round < 3; round++) {
      assertExact(_ -> add("big", 2_000));
      add("big", 10);
    }
  }

  @Test
  void write_failsMeanwhile_leavesNothingBehindAndTheNextIsExact() throws IOException {
    putBig();
    assertThatThrownBy(() ->
            write(piece -> {
              add("big", 5_000);
              if (piece == 1) {
                throw new IllegalStateException("disk");
              }
            }))
        .hasMessage("disk");
    awaitUsed(source.pool::snapshotBytes, 0);
    assertThat(progress.keysSaved()).isZero();
    assertExact(_ -> add("big", 5_000));
  }

  /** A writer is never refused memory for the snapshot's sake. */
  @Test
  void write_changesTakeTooMuchMemory_isGivenUpWithTheFigure() {
    putFilter("big", 30_000_000, 1_000);
    source.pool.setLimitBytes(source.pool.usedBytes() + (1 << 16));
    assertThatThrownBy(() -> write(piece -> add("big", piece < 2 ? 600_000 : 1)))
        .isInstanceOf(TooManyChangesException.class)
        .hasMessageMatching("given up: what changed meanwhile takes [0-9]{7,8} bytes besides.*");
    awaitUsed(source.pool::snapshotBytes, 0);
    BloomFilter filter = (BloomFilter) Objects.requireNonNull(source.value(0, "big"));
    assertThat(filter.size()).isEqualTo(601_000);
  }

  /** Small entries that writers captured count, too; and so do strings that were replaced. */
  @ParameterizedTest
  @ValueSource(ints = {1_000, 100_000})
  void write_stringsChangeTooMuch_isGivenUpAndNobodyRefused(int length) {
    int count = 20_000_000 / length;
    for (int i = 0; i < count; i++) {
      source.set(0, "key" + i, "x".repeat(length));
    }
    source.pool.setLimitBytes(source.pool.usedBytes() + 1_000_000);
    assertThatThrownBy(() ->
            write(_ -> {
              for (int i = 0; i < count; i++) {
                source.overwrite(0, "key" + i, "changed");
              }
            }))
        .isInstanceOf(TooManyChangesException.class);
    awaitUsed(source.pool::snapshotBytes, 0);
  }

  /** With memory full and nothing changing, one can still save. */
  @Test
  void write_memoryIsFull_succeeds() throws IOException {
    putBig();
    source.pool.setLimitBytes(source.pool.usedBytes() / 2);
    assertExact(piece -> add("big", 100));
  }

  /** Flushed data do not count against clients while the snapshot still writes them. */
  @Test
  void write_flushedAndFilledAgain_isGivenUpAndNobodyRefused() {
    putFilter("big", 12_000_000, 1_000);
    source.pool.setLimitBytes(source.pool.usedBytes() + MIB);
    assertThatThrownBy(() ->
            write(piece -> {
              if (piece == 0) {
                source.flush(0);
                putFilter("big", 12_000_000, 1_000);
              }
            }))
        .isInstanceOf(TooManyChangesException.class);
    assertThat(source.contents()).hasSize(1);
  }

  /** Writers as fast as they can, in all the ways there are. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void write_besideWritersInThreads_isExact(long seed) throws Exception {
    for (int i = 0; i < 8; i++) {
      putFilter("filter" + i, 1L << (2 * i + 6), 1 << Math.min(12, 2 * i + 6));
    }
    putBig();
    AtomicBoolean stop = new AtomicBoolean();
    List<Thread> writers = List.of(startWriting(seed, stop), startWriting(seed + 100, stop));
    try {
      assertExact(_ -> {});
    } finally {
      stop.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
    }
  }

  private Thread startWriting(long seed, AtomicBoolean stop) throws InterruptedException {
    TestKeyspace mine = source.forAnotherThread();
    CountDownLatch warm = new CountDownLatch(2_000);
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              Random own = new Random(seed);
              while (!stop.get()) {
                writeOnce(mine, own);
                warm.countDown();
              }
            });
    assertThat(warm.await(20, TimeUnit.SECONDS)).isTrue();
    return thread;
  }

  private static void writeOnce(TestKeyspace mine, Random own) {
    switch (own.nextInt(20)) {
      case 0 -> mine.set(0, "key" + own.nextInt(100), "value " + own.nextInt());
      case 1 -> mine.set(1, "key" + own.nextInt(100), "z".repeat(own.nextInt(100_000)));
      case 2, 3, 4 -> mine.add(0, "filter" + own.nextInt(8), own.nextLong(), own.nextLong());
      default -> mine.add(0, "big", own.nextLong(), own.nextLong());
    }
  }
}
