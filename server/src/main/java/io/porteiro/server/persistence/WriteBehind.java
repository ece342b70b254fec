package io.porteiro.server.persistence;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.rdb.RdbSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Hands bytes to a sink on a thread of its own, so that summing them up and writing them go on at
 * the same time, each of which takes about a second per GB. What fails there is thrown here, at the
 * next call.
 *
 * <p>One thread uses it.
 */
final class WriteBehind implements RdbSink, AutoCloseable {
  private static final int BUFFERS = 4;
  private static final long BUFFER_BYTES = 1 << 20;

  /** The length that ends the thread. */
  private static final long END = -1;

  /** A buffer with so many bytes to be written. */
  private record Piece(Block buffer, long length) {}

  private final RdbSink sink;
  private final List<Block> buffers = new ArrayList<>(BUFFERS);
  private final BlockingQueue<Block> free = new ArrayBlockingQueue<>(BUFFERS);
  private final BlockingQueue<Piece> filled = new ArrayBlockingQueue<>(BUFFERS + 1);
  private final Thread thread;
  private volatile @Nullable Throwable failure;

  /**
   * Begins with nothing written.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room for the buffers
   */
  WriteBehind(RdbSink sink, MemoryPool pool) {
    this.sink = sink;
    try {
      for (int i = 0; i < BUFFERS; i++) {
        buffers.add(pool.allocate(BUFFER_BYTES));
      }
      free.addAll(buffers);
      thread = Thread.ofPlatform().daemon().name("snapshot-write").start(this::run);
    } catch (RuntimeException | Error e) { // no memory, or no thread
      buffers.forEach(Block::release);
      throw e;
    }
  }

  /** Of the thread that the sink is called on. */
  long threadId() {
    return thread.threadId();
  }

  private void run() {
    for (Piece next = take(filled); next.length != END; next = take(filled)) {
      write(next);
      free.add(next.buffer);
    }
  }

  private void write(Piece piece) {
    if (failure == null) {
      try {
        sink.write(piece.buffer.address(), piece.length);
      } catch (IOException | RuntimeException | Error e) { // or the other side would wait for ever
        failure = e;
      }
    }
  }

  @Override
  public void write(long address, long length) throws IOException {
    for (long done = 0; done < length; done += BUFFER_BYTES) {
      long step = Math.min(BUFFER_BYTES, length - done);
      Block buffer = take(free);
      OffHeap.copy(address + done, buffer.address(), step);
      filled.add(new Piece(buffer, step));
    }
    throwFailure();
  }

  /** Waits until the sink has taken everything. */
  void flush() throws IOException {
    for (int i = 0; i < BUFFERS; i++) {
      take(free);
    }
    free.addAll(buffers);
    throwFailure();
  }

  /** An interrupt is not for whoever waits here; both sides end when the other has. */
  private static <T> T take(BlockingQueue<T> queue) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return queue.take();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void throwFailure() throws IOException {
    Throwable met = failure;
    if (met instanceof IOException) {
      throw new IOException(met.getMessage(), met);
    }
    if (met != null) {
      throw new IllegalStateException(met.toString(), met);
    }
  }

  /** Ends the thread, when the sink has taken what it was given. */
  @Override
  public void close() {
    filled.add(new Piece(buffers.getFirst(), END));
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return; // the buffers are still the thread's
    }
    buffers.forEach(Block::release);
  }
}
