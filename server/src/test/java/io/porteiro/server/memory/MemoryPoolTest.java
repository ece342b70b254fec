package io.porteiro.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryPoolTest {
  private static final long MAPPED = Block.MAPPED_FROM_BYTES;

  private final MemoryPool pool = new MemoryPool(64 << 20);

  @AfterEach
  void close() {
    pool.close();
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  // ---- counting and limits

  @Test
  void block_isCountedInFullUntilItIsFreed() {
    Block small = pool.allocate(100);
    Block mapped = pool.allocate(10 * MAPPED);
    assertThat(pool.usedBytes()).isEqualTo(100 + 10 * MAPPED);

    small.release();
    mapped.release();
    await(() -> pool.usedBytes() == 0);
  }

  @Test
  void allocation_beyondTheLimit_isRefusedAndTakesNothing() {
    Block block = pool.allocate(60 << 20);

    assertThatThrownBy(() -> pool.allocate((4 << 20) + 1)).isInstanceOf(MemoryLimitException.class);
    assertThat(pool.usedBytes()).isEqualTo(60 << 20);
    pool.allocate(4 << 20).release();
    block.release();
  }

  @Test
  void allocation_ofImpossibleSize_isRefusedWithoutOverflow() {
    pool.setLimitBytes(Long.MAX_VALUE);
    for (long size : new long[] {-1, Long.MIN_VALUE, MemoryPool.MAX_BLOCK_BYTES + 1}) {
      assertThatThrownBy(() -> pool.allocate(size)).isInstanceOf(MemoryLimitException.class);
    }
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void resize_toImpossibleSize_leavesTheBlockAsItWas() {
    Block block = pool.allocate(100);
    for (long size : new long[] {-1, MemoryPool.MAX_BLOCK_BYTES + 1}) {
      assertThatThrownBy(() -> block.resize(size)).isInstanceOf(MemoryLimitException.class);
    }
    assertThat(block.size()).isEqualTo(100);
    block.release();
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void shrinking_isNeverRefusedAlsoAcrossTheThreshold() {
    Block block = pool.allocate(2 * MAPPED);
    pool.setLimitBytes(10);
    block.resize(100);

    assertThat(block.size()).isEqualTo(100);
    await(() -> pool.usedBytes() == 100);
    block.release();
  }

  @Test
  void growing_acrossTheThreshold_needsOnlyTheDifference() {
    Block block = pool.allocate(MAPPED - 1);
    pool.setLimitBytes(MAPPED);
    block.resize(MAPPED);

    assertThat(pool.usedBytes()).isEqualTo(MAPPED);
    block.release();
  }

  @Test
  void fault_onTheBackgroundThread_doesNotStopFreeing() {
    List<Throwable> reported = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, fault) -> reported.add(fault));
    try {
      pool.freeLater(
          1,
          () -> {
            throw new IllegalStateException("on purpose");
          });
      pool.allocate(2 * MAPPED).release();
      await(() -> pool.usedBytes() == 0);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(reported).singleElement().isInstanceOf(IllegalStateException.class);
  }

  @Test
  void allocation_thatTheSystemRefuses_takesNothing() {
    pool.setLimitBytes(Long.MAX_VALUE);
    List<Block> blocks = new ArrayList<>();
    // 128 TiB is all the address space there is, so the kernel must refuse one of these.
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 3; i++) {
                blocks.add(pool.allocate(MemoryPool.MAX_BLOCK_BYTES));
              }
            })
        .isInstanceOf(MemoryLimitException.class)
        .hasMessageContaining("the system has no");
    assertThat(pool.usedBytes()).isEqualTo(blocks.size() * MemoryPool.MAX_BLOCK_BYTES);
    blocks.forEach(Block::release);
  }

  @Test
  void allocation_thatWouldBeRefused_waitsForWhatIsBeingFreed() {
    Block full = pool.allocate(64 << 20);
    CountDownLatch go = new CountDownLatch(1);
    pool.freeLater(1, () -> awaitLatch(go));
    full.release(); // behind the latch in the queue
    Thread.ofVirtual()
        .start(() -> {
          sleep(50);
          go.countDown();
        });

    pool.allocate(64 << 20).release();
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sleep(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void count_ofWhatIsKeptElsewhere_leavesLessForBlocks() {
    pool.count(64 << 20);
    assertThatThrownBy(() -> pool.allocate(1)).isInstanceOf(MemoryLimitException.class);

    pool.count(-1);
    pool.allocate(1).release();
    assertThat(pool.usedBytes()).isEqualTo((64 << 20) - 1);
  }

  @Test
  void unlimitedBlock_isCountedAndNotRefused() {
    Block full = pool.allocate(64 << 20);
    Block more = pool.allocateUnlimited(1000);
    assertThat(pool.usedBytes()).isEqualTo((64 << 20) + 1000);

    assertThatThrownBy(() -> pool.allocateUnlimited(-1)).isInstanceOf(MemoryLimitException.class);
    more.release();
    assertThat(pool.usedBytes()).isEqualTo(64 << 20);
    full.release();
  }

  @Test
  void limit_belowWhatIsInUse_refusesOnlyMore() {
    Block block = pool.allocate(1000);
    pool.setLimitBytes(10);

    assertThat(pool.usedBytes()).isEqualTo(1000);
    assertThatThrownBy(() -> pool.allocate(1)).isInstanceOf(MemoryLimitException.class);
    pool.allocate(0).release();
    block.resize(5);
    assertThat(pool.usedBytes()).isEqualTo(5);
    block.release();
  }

  @Test
  void count_fromManyThreads_isExactAndNeverAboveTheLimit() throws Exception {
    long seed = 11;
    int threads = 4;
    pool.setLimitBytes(3 * MAPPED);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<Future<Boolean>> results = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Random random = new Random(seed + t);
      results.add(executor.submit(() -> allocateAndRelease(random)));
    }
    for (Future<Boolean> result : results) {
      assertThat(result.get()).as("never above the limit, seed %d", seed).isTrue();
    }
    executor.shutdown();
    await(() -> pool.usedBytes() == 0);
  }

  private boolean allocateAndRelease(Random random) {
    boolean withinLimit = true;
    for (int i = 0; i < 2000; i++) {
      try {
        Block block = pool.allocate(random.nextLong(1, MAPPED / 2));
        withinLimit &= pool.usedBytes() <= pool.limitBytes();
        if (random.nextBoolean()) {
          block.resize(random.nextLong(1, MAPPED / 2));
        }
        block.release();
      } catch (MemoryLimitException e) {
        withinLimit &= pool.usedBytes() <= pool.limitBytes();
      }
    }
    return withinLimit;
  }

  // ---- contents

  @Test
  void memory_isZeroedAlsoWhereItWasUsedBefore() {
    for (long size : new long[] {1, 24, 4096, MAPPED - 1, MAPPED, 5 * MAPPED}) {
      for (int round = 0; round < 5; round++) {
        Block block = pool.allocate(size);
        assertThat(isFilledWith(block, 0, size, 0)).as("%d bytes", size).isTrue();
        OffHeap.fill(block.address(), size, (byte) 0xff);
        block.release();
      }
    }
  }

  private static boolean isFilledWith(Block block, long from, long to, int value) {
    for (long i = from; i < to; i++) {
      if (OffHeap.getByte(block.address() + i) != (byte) value) {
        return false;
      }
    }
    return true;
  }

  @Test
  void resize_acrossTheThreshold_keepsTheBytesAndZeroesNewOnes() {
    long[] sizes = {0, 10, 5000, MAPPED - 1, MAPPED, MAPPED + 1, 3 * MAPPED + 7};
    for (long from : sizes) {
      for (long to : sizes) {
        Block block = pool.allocate(from);
        OffHeap.fill(block.address(), from, (byte) 0x5a);
        block.resize(to);

        long kept = Math.min(from, to);
        assertThat(block.size()).isEqualTo(to);
        assertThat(isFilledWith(block, 0, kept, 0x5a)).as("%d to %d", from, to).isTrue();
        assertThat(isFilledWith(block, kept, to, 0)).as("%d to %d", from, to).isTrue();
        block.release();
      }
    }
    await(() -> pool.usedBytes() == 0);
  }

  @Test
  void resize_afterACut_doesNotBringTheCutBytesBack() {
    for (long[] step : new long[][] {{100, 50, 100}, {2 * MAPPED, MAPPED + 10, 2 * MAPPED}}) {
      Block block = pool.allocate(step[0]);
      OffHeap.fill(block.address(), step[0], (byte) 0x5a);
      block.resize(step[1]);
      block.resize(step[2]);

      assertThat(isFilledWith(block, step[1], step[2], 0)).as("%d bytes", step[2]).isTrue();
      block.release();
    }
  }

  @Test
  void resize_beyondTheLimit_leavesTheBlockAsItWas() {
    for (long size : new long[] {100, 2 * MAPPED}) {
      Block block = pool.allocate(size);
      OffHeap.fill(block.address(), size, (byte) 7);

      assertThatThrownBy(() -> block.resize(65L << 20)).isInstanceOf(MemoryLimitException.class);
      assertThat(block.size()).isEqualTo(size);
      assertThat(isFilledWith(block, 0, size, 7)).isTrue();
      assertThat(pool.usedBytes()).isEqualTo(size);
      block.release();
      await(() -> pool.usedBytes() == 0);
    }
  }

  // ---- holders

  @Test
  void release_byTheLastHolder_freesIt() {
    Block block = pool.allocate(100);
    block.retain();
    assertThat(block.isShared()).isTrue();
    block.release();
    assertThat(block.isShared()).isFalse();
    assertThat(pool.usedBytes()).isEqualTo(100);
    block.release();
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void freedBlock_isNeverTouchedAgain() {
    Block block = pool.allocate(100);
    block.release();

    assertThatThrownBy(block::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(block::retain).isInstanceOf(IllegalStateException.class);
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void sharedBlock_cannotBeResized() {
    Block block = pool.allocate(100);
    block.retain();

    assertThatThrownBy(() -> block.resize(200)).isInstanceOf(IllegalStateException.class);
    block.release();
    block.resize(200);
    block.release();
  }

  // ---- pages

  @Test
  void bigBlock_takesNoPagesBeforeItIsUsed() throws Exception {
    pool.setLimitBytes(Long.MAX_VALUE);
    long before = residentBytes();
    Block block = pool.allocate(4L << 30);

    assertThat(residentBytes() - before).isLessThan(64L << 20);
    block.release();
  }

  @Test
  void populate_makesThePagesPresent() throws Exception {
    Block block = pool.allocate(48 << 20);
    long before = residentBytes();
    pool.populate(block);
    await(() -> !block.isShared());

    assertThat(residentBytes() - before).isGreaterThan(40L << 20);
    block.release();
  }

  @Test
  void populate_withoutHugePages_leavesTheBlockToGrowWithUse() {
    pool.setHugePages(false);
    Block block = pool.allocate(64 << 20);
    pool.populate(block);
    assertThat(block.isShared()).isFalse();
    block.release();
  }

  @Test
  void populate_ofABlockThatIsReleased_endsAndFreesIt() {
    Block block = pool.allocate(60 << 20);
    pool.populate(block);
    block.release();

    await(() -> pool.usedBytes() == 0);
  }

  /** Every 100th block stays: a C library gives back by itself only what lies behind the last. */
  @Test
  void trim_givesBackFreedMemoryBetweenBlocks() throws Exception {
    List<Block> kept = new ArrayList<>();
    List<Block> freed = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      Block block = pool.allocate(100_000);
      OffHeap.fill(block.address(), block.size(), (byte) 1);
      (i % 100 == 99 ? kept : freed).add(block);
    }
    freed.forEach(Block::release);
    long before = residentBytes();
    MemoryPool.trim();

    assertThat(before - residentBytes()).isGreaterThan(30L << 20);
    kept.forEach(Block::release);
  }

  private static long residentBytes() throws Exception {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new AssertionError("no VmRSS");
  }
}
