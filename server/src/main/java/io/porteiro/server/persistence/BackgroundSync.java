package io.porteiro.server.persistence;

import io.porteiro.server.persistence.log.DiskFile;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Syncs a file now and then while it is being written, on a thread of its own, so that the disk and
 * the one who writes work at the same time. What fails is told at the next call: of a file that
 * could not be synced once, nothing is known any more.
 *
 * <p>One thread uses it.
 */
final class BackgroundSync implements AutoCloseable {
  private final DiskFile file;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("snapshot-sync").factory());

  private @Nullable Future<@Nullable Void> running;

  BackgroundSync(DiskFile file) {
    this.file = file;
  }

  /** Whether a sync has begun that has not ended. */
  boolean isRunning() {
    return running != null && !running.isDone();
  }

  /** Begins to sync what is written so far, when the last sync has ended. */
  void begin() throws IOException {
    await();
    running = thread.submit(this::sync);
  }

  private @Nullable Void sync() throws IOException {
    file.sync();
    return null;
  }

  /** Waits for the sync that runs, if there is one. */
  void await() throws IOException {
    Future<@Nullable Void> last = running;
    if (last == null) {
      return;
    }
    try {
      last.get();
    } catch (ExecutionException e) {
      throw new IOException("cannot sync: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    running = null;
  }

  /** Waits until the thread has ended, for the file is going to be closed. */
  @Override
  public void close() {
    thread.close();
  }
}
