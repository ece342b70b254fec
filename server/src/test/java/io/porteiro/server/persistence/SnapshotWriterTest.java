package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.memory.SnapshotMemory;
import io.porteiro.server.rdb.RdbSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes are made between two pieces of the file, where a client's would come. */
class SnapshotWriterTest {
  private static final long SEED = 0x5a_0001L;
  private static final int KEYS = 3000;
  private static final int PAIRS = 300;
  private static final long FAR_FUTURE = 4_102_444_800_000L;

  private final TestKeyspace source = new TestKeyspace();
  private final TestKeyspace copy = new TestKeyspace();
  private final MemoryPool buffers = new MemoryPool(64 << 20);
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final SaveProgress progress = new SaveProgress(1_700_000_000_000L, 0, 0);

  /** What a snapshot has to show: everything there was when all shards were locked. */
  private Map<String, String> atCut = Map.of();

  @TempDir Path directory;

  @AfterEach
  void close() {
    source.close();
    copy.close();
    buffers.close();
  }

  /** Writes a snapshot, and makes the changes after each piece of the file. */
  private void write(Runnable change) throws IOException {
    RdbSink sink =
        (address, length) -> {
          written.writeBytes(OffHeap.toArray(address, (int) length));
          change.run();
        };
    SnapshotWriter.Options options =
        new SnapshotWriter.Options(false, true, 1_700_000_000, false, false);
    SnapshotMemory memory = new SnapshotMemory(source.pool, Long.MAX_VALUE);
    SnapshotWriter.write(
        source.keyspace, buffers, memory, sink, options, progress, () -> atCut = source.contents());
  }

  private void writeAndLoad(Runnable change) throws IOException {
    write(change);
    Path file = directory.resolve("dump.rdb");
    Files.write(file, written.toByteArray());
    Loader.load(copy.keyspace, InstantSource.system(), file, false, _ -> {});
  }

  private void fill() {
    for (int i = 0; i < KEYS; i++) {
      source.set(0, "a" + i, "first " + i + "x".repeat(1000));
      source.set(1, "a" + i, "second " + i + "y".repeat(1000));
      source.set(7, "number" + i, Integer.toString(i), 4_102_444_800_000L + i);
    }
  }

  @Test
  void write_nothingChanges_isAllThereIs() throws IOException {
    fill();
    writeAndLoad(() -> {});
    assertThat(copy.contents()).hasSize(3 * KEYS).isEqualTo(source.contents());
    assertThat(progress.keysSaved()).isEqualTo(3 * KEYS);
  }

  @Test
  void write_emptyKeyspace_isAnEmptyFile() throws IOException {
    writeAndLoad(() -> {});
    assertThat(copy.contents()).isEmpty();
  }

  /** Every way to change, move or remove a key, at keys that the walk has passed and has not. */
  @Test
  void write_whileKeysChange_isAsTheyWereAtTheBeginning() throws IOException {
    fill();
    Map<String, String> before = source.contents();
    Random random = new Random(SEED);
    int[] next = {0};
    writeAndLoad(() -> {
      for (int i = 0; i < 100 && next[0] < KEYS; i++) {
        change(random, next[0]++);
      }
    });
    assertThat(copy.contents()).as("seed %x", SEED).isEqualTo(before);
    assertThat(source.contents()).isNotEqualTo(before);
  }

  private void change(Random random, int i) {
    String name = "a" + i;
    switch (random.nextInt(6)) {
      case 0 -> source.overwrite(0, name, "changed");
      case 1 -> source.set(1, name, "replaced");
      case 2 -> source.delete(0, name);
      case 3 -> source.rename(0, name, 0, "renamed" + i);
      case 4 -> source.rename(1, name, 2, name);
      default -> source.set(0, "new" + i, "added");
    }
  }

  /** A number kept as such has no block that could be held. */
  @Test
  void write_whileNumbersChange_isAsTheyWere() throws IOException {
    fill();
    Map<String, String> before = source.contents();
    int[] next = {0};
    writeAndLoad(() -> {
      for (int i = 0; i < 500 && next[0] < KEYS; i++) {
        source.set(7, "number" + next[0]++, "-1");
      }
    });
    assertThat(copy.contents()).isEqualTo(before);
  }

  /** After SWAPDB a writer names another database than the one that belongs to the snapshot. */
  @Test
  void write_whileDatabasesAreSwapped_keepsThemAsTheyWere() throws IOException {
    fill();
    Map<String, String> before = source.contents();
    int[] next = {0};
    writeAndLoad(() -> {
      source.swap(0, 1);
      for (int i = 0; i < 50 && next[0] < KEYS; i++) {
        source.overwrite(0, "a" + next[0]++, "after");
      }
    });
    assertThat(copy.contents()).isEqualTo(before);
  }

  /** Growing tables move entries; none may be missed or written twice. */
  @Test
  void write_whileTablesGrow_hasEachKeyOnce() throws IOException {
    fill();
    Map<String, String> before = source.contents();
    int[] next = {0};
    writeAndLoad(() -> {
      for (int i = 0; i < 20_000 && next[0] < 40_000; i++) {
        source.set(0, "grow" + next[0]++, "");
      }
    });
    assertThat(copy.contents()).isEqualTo(before);
  }

  /** The values of a flushed database may be freed only when the walk has passed them. */
  @Test
  void write_whileDatabasesAreFlushed_keepsThemAsTheyWere() throws IOException {
    fill();
    writeAndLoad(() -> {
      source.flush(1);
      source.flush(7);
      source.set(1, "a1", "new");
      source.set(2, "a2", "new");
      source.flush(2);
    });
    assertThat(copy.contents()).isEqualTo(atCut);
    assertThat(source.contents().keySet().stream().filter(name -> !name.startsWith("0:")))
        .containsExactly("1:a1");
    assertNothingHeld();
  }

  @Test
  void write_whileKeysExpire_keepsThemWithTheirTimes() throws IOException {
    for (int i = 0; i < KEYS; i++) {
      source.set(0, "a" + i, "first " + i + "x".repeat(1000), FAR_FUTURE + i);
    }
    int[] next = {0};
    writeAndLoad(() -> {
      for (int i = 0; i < 50 && next[0] < KEYS; i++) {
        source.expire(0, "a" + next[0]++, FAR_FUTURE + KEYS);
      }
    });
    assertThat(copy.contents()).hasSize(KEYS).isEqualTo(atCut);
    assertThat(source.contents()).hasSizeLessThan(KEYS);
  }

  /**
   * Each writer counts up in one key and then in another, so at any instant the first is equal or
   * one ahead. A snapshot that is not of one instant shows other differences.
   */
  @Test
  void write_besideWritersInThreads_isOfOneInstant() throws Exception {
    for (int round = 0; round < 3; round++) {
      AtomicBoolean stop = new AtomicBoolean();
      List<Thread> writers = List.of(startCounting(0, stop), startCounting(1, stop));
      written.reset();
      writeAndLoad(() -> {});
      stop.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
      Map<String, String> found = copy.contents();
      for (int i = 0; i < 2 * PAIRS; i++) {
        long first = Long.parseLong(found.getOrDefault("0:first" + i, "0"));
        long second = Long.parseLong(found.getOrDefault("0:second" + i, "0"));
        assertThat(first - second).as("round %d, pair %d: %d", round, i, first).isBetween(0L, 1L);
      }
      copy.flush(0);
    }
  }

  private Thread startCounting(int number, AtomicBoolean stop) {
    TestKeyspace mine = source.forAnotherThread();
    CountDownLatch warm = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              for (long count = 1; !stop.get(); count++) {
                for (int i = number * PAIRS; i < (number + 1) * PAIRS; i++) {
                  mine.set(0, "first" + i, Long.toString(count));
                  mine.set(0, "second" + i, Long.toString(count));
                }
                warm.countDown();
              }
            });
    await(warm);
    return thread;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void write_sinkFails_holdsNothingAfterwards() {
    fill();
    source.set(3, "large", "z".repeat(5_000_000));
    assertThatThrownBy(() ->
            write(() -> {
              source.overwrite(0, "a5", "changed");
              throw new IllegalStateException("disk");
            }))
        .hasMessage("disk");
    assertNothingHeld();
  }

  @Test
  void write_abandoned_endsAndHoldsNothing() {
    fill();
    assertThatThrownBy(() -> write(progress::abandon)).isInstanceOf(AbandonedException.class);
    assertNothingHeld();
  }

  private void assertNothingHeld() {
    for (int database = 0; database < 16; database++) {
      source.flush(database);
    }
    awaitUsed(source.pool, 0);
    awaitUsed(buffers, 0);
  }

  private static void awaitUsed(MemoryPool pool, long expected) {
    long deadline = System.nanoTime() + 5_000_000_000L;
    while (pool.usedBytes() != expected && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }
    assertThat(pool.usedBytes()).isEqualTo(expected);
  }
}
