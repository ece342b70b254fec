package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.rdb.RdbSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WriteBehindTest {
  private static final long SEED = 0x3b_0001L;

  private final MemoryPool pool = new MemoryPool(64 << 20);

  @AfterEach
  void close() {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (pool.usedBytes() != 0 && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }
    assertThat(pool.usedBytes()).isZero();
    pool.close();
  }

  /** The bytes may be overwritten as soon as write has returned. */
  @Test
  void write_piecesOfAnySize_arriveInOrder() throws IOException {
    Random random = new Random(SEED);
    byte[] bytes = new byte[20 << 20];
    random.nextBytes(bytes);
    ByteArrayOutputStream arrived = new ByteArrayOutputStream();
    Block piece = pool.allocate(3 << 20);
    try (WriteBehind behind =
        new WriteBehind(
            (address, length) -> arrived.writeBytes(OffHeap.toArray(address, (int) length)),
            pool)) {
      for (int at = 0; at < bytes.length; ) {
        int length = Math.min(bytes.length - at, random.nextInt((int) piece.size()));
        OffHeap.copyFrom(bytes, at, piece.address(), length);
        behind.write(piece.address(), length);
        OffHeap.fill(piece.address(), length, (byte) 0);
        at += length;
      }
      behind.flush();
      assertThat(arrived.toByteArray()).as("seed %x", SEED).isEqualTo(bytes);
    }
    piece.release();
  }

  /** A failure is told once at the latest by flush, and nothing is written after it. */
  @Test
  void write_sinkFails_isToldAndTheRestIsNotWritten() {
    AtomicInteger writes = new AtomicInteger();
    Block piece = pool.allocate(100);
    try (WriteBehind behind =
        new WriteBehind(
            (_, _) -> {
              if (writes.incrementAndGet() == 2) {
                throw new IOException("No space left on device");
              }
            },
            pool)) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 20; i++) {
                  behind.write(piece.address(), 100);
                }
                behind.flush();
              })
          .isInstanceOf(IOException.class)
          .hasMessage("No space left on device");
      assertThatThrownBy(behind::flush).isInstanceOf(IOException.class);
      assertThat(writes).hasValue(2);
    }
    piece.release();
  }

  @Test
  void write_sinkHasAFault_isToldAsSuch() {
    assertFaultIsTold((_, _) -> {
      throw new IllegalArgumentException("fault");
    });
  }

  /** Otherwise whoever waits for the save would wait for ever. */
  @Test
  @Timeout(20)
  void write_sinkCannotBeLinked_isToldAsSuch() {
    assertFaultIsTold((_, _) -> {
      throw new LinkageError("fault");
    });
  }

  private void assertFaultIsTold(RdbSink sink) {
    Block piece = pool.allocate(1);
    try (WriteBehind behind = new WriteBehind(sink, pool)) {
      assertThatThrownBy(
              () -> {
                behind.write(piece.address(), 1);
                behind.flush();
              })
          .isInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage("fault");
    }
    piece.release();
  }

  /** Of a snapshot that is given up what was begun is still written, so that nothing hangs. */
  @Test
  void close_withoutFlush_ends() throws IOException {
    Block piece = pool.allocate(10);
    try (WriteBehind behind = new WriteBehind((_, _) -> {}, pool)) {
      behind.write(piece.address(), 10);
    }
    piece.release();
  }
}
