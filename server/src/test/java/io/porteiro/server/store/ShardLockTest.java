package io.porteiro.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ShardLockTest {
  private final ShardLock lock = new ShardLock();

  @Test
  void readers_shareTheLock() throws Exception {
    long stamp = lock.readLock();
    CountDownLatch entered = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              lock.unlock(lock.readLock());
              entered.countDown();
            });
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    lock.unlock(stamp);
    other.join();
  }

  @Test
  void writer_waitsForReaders_andNewReadersWaitForTheWriter() throws Exception {
    long stamp = lock.readLock();
    AtomicBoolean written = new AtomicBoolean();
    AtomicBoolean readBeforeWrite = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              long writeStamp = lock.writeLock();
              written.set(true);
              lock.unlock(writeStamp);
            });
    awaitWaiting(writer);
    Thread reader =
        Thread.ofPlatform()
            .start(() -> {
              long readStamp = lock.readLock();
              readBeforeWrite.set(!written.get());
              lock.unlock(readStamp);
            });
    awaitWaiting(reader);
    assertThat(written).isFalse();

    lock.unlock(stamp);
    writer.join();
    reader.join();
    assertThat(written).isTrue();
    assertThat(readBeforeWrite).isFalse();
  }

  private static void awaitWaiting(Thread thread) throws InterruptedException {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
  }

  @Test
  void conversion_toTheWriteLock_worksOnlyForALoneReader() {
    long first = lock.readLock();
    long second = lock.readLock();
    assertThat(lock.tryConvertToWriteLock(first)).isZero();
    lock.unlock(second);

    long stamp = lock.tryConvertToWriteLock(first);
    assertThat(stamp).isNotZero();
    assertThat(lock.isWriteLocked()).isTrue();
    lock.unlock(stamp);
    assertThat(lock.isWriteLocked()).isFalse();
  }

  @Test
  void writers_excludeEachOtherAndReaders() throws Exception {
    int[] unguarded = new int[1];
    AtomicInteger torn = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      boolean writes = t % 2 == 0;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 5_000; i++) {
                  work(unguarded, writes, torn);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(unguarded[0]).isEqualTo(2 * 5_000 * 2);
    assertThat(torn).hasValue(0);
  }

  /** A writer makes the number odd for a moment; nobody else may see that. */
  private void work(int[] number, boolean writes, AtomicInteger torn) {
    long stamp = writes ? lock.writeLock() : lock.readLock();
    try {
      if (writes) {
        number[0]++;
        number[0]++;
      } else if (number[0] % 2 != 0) {
        torn.incrementAndGet();
      }
    } finally {
      lock.unlock(stamp);
    }
  }

  /**
   * Without the gate a writer waits for a second on average, because there is always a reader. The
   * bound leaves room for a machine that is busy with other things.
   */
  @Test
  void writer_amongEightReadersInALoop_doesNotStarve() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    CountDownLatch started = new CountDownLatch(8);
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      readers.add(
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                started.countDown();
                readUntil(stop);
              }));
    }
    started.await();
    long[] waits = new long[41];
    for (int i = 0; i < waits.length; i++) {
      long start = System.nanoTime();
      lock.unlock(lock.writeLock());
      waits[i] = System.nanoTime() - start;
      Thread.sleep(1);
    }
    stop.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    java.util.Arrays.sort(waits);
    assertThat(waits[20]).as("median wait in ns").isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
  }

  private void readUntil(AtomicBoolean stop) {
    while (!stop.get()) {
      long stamp = lock.readLock();
      long end = System.nanoTime() + 20_000;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      lock.unlock(stamp);
    }
  }
}
