package io.porteiro.server.structure.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.memory.SnapshotMemory;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UndoLogTest {
  private static final long SEED = 0x0d0_0001L;
  private static final int MIB = 1 << 20;

  private final MemoryPool pool = new MemoryPool(1 << 28);
  private final SnapshotMemory memory = new SnapshotMemory(pool, Long.MAX_VALUE);
  private final Random random = new Random(SEED);

  @AfterEach
  void close() {
    memory.close();
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (pool.usedBytes() != 0 && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }
    assertThat(pool.usedBytes()).isZero();
    pool.close();
  }

  /** A link of so many entries at 9.6 bits each, with some items. */
  private SubFilter link(long entries) {
    SubFilter link = SubFilter.allocate(pool, LinkShape.of(entries, 0.01));
    add(link, 1_000);
    return link;
  }

  private void add(SubFilter link, int items) {
    for (int i = 0; i < items; i++) {
      link.add(random.nextLong(), random.nextLong());
    }
  }

  private static byte[] bits(SubFilter link) {
    return OffHeap.toArray(link.block().address(), (int) link.shape().bytes());
  }

  private static byte[] chunk(UndoLog log, int chunk) {
    byte[] bytes = new byte[(int) log.chunkBytes(chunk)];
    try (MemoryPool scratch = new MemoryPool(MIB)) {
      var to = scratch.allocate(bytes.length);
      assertThat(log.takeChunk(chunk, to.address())).isTrue();
      OffHeap.copyTo(to.address(), bytes, 0, bytes.length);
      to.release();
    }
    return bytes;
  }

  /** Whether the first chunk can be had. */
  private boolean isTaken(UndoLog log) {
    Block to = pool.allocateUnlimited(log.chunkBytes(0));
    try {
      return log.takeChunk(0, to.address());
    } finally {
      to.release();
    }
  }

  private static byte[] part(byte[] bits, UndoLog log, int chunk) {
    byte[] part = new byte[(int) log.chunkBytes(chunk)];
    System.arraycopy(bits, chunk * MIB, part, 0, part.length);
    return part;
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 1_000, 100_000, 876_000, 2_000_000})
  void takeChunk_afterAdds_isAsBefore(int entries) {
    SubFilter link = link(entries);
    byte[] before = bits(link);
    UndoLog log = link.beginUndo(memory);
    for (int chunk = 0; chunk < log.chunks(); chunk++) {
      add(link, 5_000);
      assertThat(chunk(log, chunk)).as("seed %x", SEED).isEqualTo(part(before, log, chunk));
      add(link, 100);
    }
    log.end();
    link.release();
  }

  /** An add through the log says what it says without. */
  @Test
  void add_withALog_setsAndAnswersAsWithout() {
    SubFilter link = link(100_000);
    SubFilter plain = SubFilter.allocate(pool, link.shape());
    plain.copyBitsFrom(link);
    plain.setSize(link.size());
    UndoLog log = link.beginUndo(memory);
    for (int i = 0; i < 50_000; i++) {
      long first = random.nextLong(1_000);
      long second = random.nextLong(100);
      assertThat(link.add(first, second)).isEqualTo(plain.add(first, second));
    }
    long[] pairs = random.longs(2 * Long.SIZE, 0, 1_000_000).toArray();
    assertThat(link.add(pairs, 0, -1)).isEqualTo(plain.add(pairs, 0, -1));
    assertThat(bits(link)).isEqualTo(bits(plain));
    assertThat(link.size()).isEqualTo(plain.size());
    log.end();
    link.release();
    plain.release();
  }

  /** The copy is made beside writers, who may get into the middle of it. */
  @Test
  void takeChunk_besideAWriterInAThread_isAsBefore() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      SubFilter link = link(3_000_000);
      byte[] before = bits(link);
      UndoLog log = link.beginUndo(memory);
      AtomicBoolean stop = new AtomicBoolean();
      CountDownLatch warm = new CountDownLatch(1000);
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                Random own = new Random(SEED);
                while (!stop.get()) {
                  link.add(own.nextLong(), own.nextLong());
                  warm.countDown();
                }
              });
      warm.await();
      for (int chunk = 0; chunk < log.chunks(); chunk++) {
        assertThat(chunk(log, chunk)).as("chunk %d", chunk).isEqualTo(part(before, log, chunk));
      }
      stop.set(true);
      writer.join();
      log.end();
      link.release();
    }
  }

  /**
   * A writer gives the snapshot up and the filter is deleted, in the middle of a copy; whether all
   * is given back is looked at after each test.
   */
  @Test
  void end_besideACopy_keepsTheBitsUntilItIsMade() throws InterruptedException {
    for (int round = 0; round < 100; round++) {
      SubFilter link = link(3_000_000);
      UndoLog log = link.beginUndo(memory);
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                link.release();
                log.end();
              });
      while (isTaken(log)) {
        Thread.onSpinWait();
      }
      writer.join();
    }
  }

  /** 4 bytes a new bit, rounded up to cells; nothing for bits that are set already or taken. */
  @Test
  void notes_takeFourBytesABit() {
    SubFilter link = link(876_000);
    UndoLog log = link.beginUndo(memory);
    long before = setBits(link);
    add(link, 20_000);
    long set = setBits(link) - before;
    long cells = (set + 1021) / 1022 + 1;
    assertThat(pool.snapshotBytes()).isLessThanOrEqualTo((cells * 4096 / MIB + 1) * MIB + 32);
    long used = pool.snapshotBytes();
    chunk(log, 0);
    chunk(log, 1);
    add(link, 100_000);
    assertThat(pool.snapshotBytes()).isEqualTo(used);
    log.end();
    link.release();
  }

  private static long setBits(SubFilter link) {
    long set = 0;
    for (byte b : bits(link)) {
      set += Integer.bitCount(b & 0xff);
    }
    return set;
  }

  /** A chunk never takes more than a copy and the notes up to then. */
  @Test
  void notes_wouldTakeMoreThanACopy_becomeOne() {
    SubFilter link = link(876_000);
    byte[] before = bits(link);
    UndoLog log = link.beginUndo(memory);
    add(link, 400_000);
    assertThat(pool.snapshotBytes()).isLessThan(6 * MIB);
    assertThat(chunk(log, 0)).isEqualTo(part(before, log, 0));
    assertThat(chunk(log, 1)).isEqualTo(part(before, log, 1));
    log.end();
    link.release();
  }

  @Test
  void overwrite_bitsAreNotedAndNotTaken_areAsBefore() {
    SubFilter link = link(3_000_000);
    byte[] before = bits(link);
    UndoLog log = link.beginUndo(memory);
    add(link, 1_000);
    assertThat(chunk(log, 0)).isEqualTo(part(before, log, 0));
    SubFilter other = SubFilter.allocate(pool, link.shape());
    add(other, 100_000);
    link.overwrite(MIB / 2, other.block().address(), MIB + 1);
    link.overwrite(MIB + 5, other.block().address(), 1);
    link.overwrite(3 * MIB, other.block().address(), link.shape().bytes() - 3 * MIB);
    add(link, 1_000);
    for (int chunk = 1; chunk < log.chunks(); chunk++) {
      assertThat(chunk(log, chunk)).as("chunk %d", chunk).isEqualTo(part(before, log, chunk));
    }
    log.end();
    link.release();
    other.release();
  }

  @Test
  void log_thatHasEnded_notesNothing() {
    SubFilter link = link(100_000);
    UndoLog log = link.beginUndo(memory);
    log.end();
    long used = pool.usedBytes();
    add(link, 10_000);
    assertThat(pool.usedBytes()).isEqualTo(used);
    assertThat(isTaken(log)).isFalse();
    log.end();
    link.release();
  }

  /** The bits stay the log's until it ends. */
  @Test
  void link_thatIsReleased_canStillBeTaken() {
    SubFilter link = link(100_000);
    byte[] before = bits(link);
    UndoLog log = link.beginUndo(memory);
    add(link, 1_000);
    link.release();
    assertThat(chunk(log, 0)).isEqualTo(before);
    log.end();
  }

  /** The log must never hand out bits that it could not keep apart. */
  @Test
  void log_withoutMemory_endsAndTheLinkGoesOn() {
    SubFilter link = link(30_000_000);
    pool.setLimitBytes(pool.usedBytes());
    UndoLog log = link.beginUndo(memory);
    int added = 0;
    while (!log.hasEnded()) {
      added++;
      assertThat(link.add(random.nextLong(), random.nextLong())).isTrue();
    }
    assertThat(memory.isGivenUp()).isTrue();
    assertThat(added).isGreaterThan(100_000);
    assertThat(isTaken(log)).isFalse();
    assertThat(link.add(1, 2)).isTrue();
    link.release();
  }

  @Test
  void log_begunWithoutMemory_hasEndedFromTheStart() {
    SubFilter link = link(1_000);
    memory.close();
    UndoLog log = link.beginUndo(memory);
    assertThat(log.hasEnded()).isTrue();
    assertThat(link.add(1, 2)).isTrue();
    link.release();
  }
}
