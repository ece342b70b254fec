package io.porteiro.server.persistence;

import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.persistence.SnapshotFailure.Kind;
import io.porteiro.server.store.Keyspace;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes snapshots of the keyspace for whoever wants one, one at a time, on a thread of its own.
 */
final class Snapshotter {
  private static final Logger log = LoggerFactory.getLogger(Snapshotter.class);

  /**
   * Enough for the output's buffer and for packing strings of up to some 60 MB; longer ones are
   * written as they are. Apart from the keyspace's pool, because one must be able to save when
   * memory is full.
   */
  private static final long BUFFERS_BYTES = 64L << 20;

  private final Keyspace keyspace;
  private final ServerConfig config;
  private final InstantSource clock;
  private final MemoryPool buffers = new MemoryPool(BUFFERS_BYTES);
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("snapshot").factory());

  private @Nullable SnapshotRun background;

  Snapshotter(Keyspace keyspace, ServerConfig config, InstantSource clock) {
    this.keyspace = keyspace;
    this.config = config;
    this.clock = clock;
  }

  /** Runs on the snapshot thread, when no snapshot does. */
  void execute(Runnable task) {
    thread.execute(task);
  }

  /**
   * Begins a job in the background.
   *
   * @return false if there is one already; then nothing was done
   */
  synchronized boolean begin(SnapshotJob job) {
    if (background != null) {
      return false;
    }
    SnapshotRun run = new SnapshotRun(job, newProgress());
    background = run;
    log.info("{}: started in the background", job.name());
    execute(() -> runInBackground(run));
    return true;
  }

  private void runInBackground(SnapshotRun run) {
    try {
      runNow(run);
    } finally {
      endBackground();
    }
  }

  private synchronized void endBackground() {
    background = null;
    notifyAll();
  }

  /** The background job that runs or waits for its turn, or null. */
  synchronized @Nullable SnapshotRun background() {
    return background;
  }

  /** Gives up the background job and waits until it has ended. */
  synchronized void abandonBackground() {
    while (background != null) {
      background.progress().abandon();
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /**
   * Does a job in the foreground, on the snapshot thread: someone waits for it as for a server that
   * is blocked, and so it does not count as running.
   */
  void runNow(SnapshotJob job) {
    runNow(new SnapshotRun(job, newProgress()));
  }

  private void runNow(SnapshotRun run) {
    SnapshotJob job = run.job();
    try {
      write(job, run.progress());
      job.completed();
      log.info("{}: done, {} keys", job.name(), run.progress().keysSaved());
    } catch (AbandonedException e) {
      log.info("{}: {}", job.name(), e.getMessage());
      job.failed(new SnapshotFailure(Kind.ABANDONED, String.valueOf(e.getMessage())));
    } catch (IOException e) {
      log.error("{} failed, what was there before stays: {}", job.name(), e.toString());
      job.failed(new SnapshotFailure(Kind.FAILED, e.toString()));
    } catch (RuntimeException e) {
      log.error("{} failed, what was there before stays", job.name(), e);
      job.failed(new SnapshotFailure(Kind.FAILED, e.toString()));
    }
  }

  private void write(SnapshotJob job, SaveProgress progress) throws IOException {
    SnapshotWriter.Options options =
        new SnapshotWriter.Options(
            config.rdbcompression(),
            config.rdbchecksum(),
            progress.startedSeconds(),
            job.isLogBase());
    try (SnapshotTarget target = job.open()) {
      SnapshotWriter.write(keyspace, buffers, target, options, progress, job::cut);
      target.commit();
    }
  }

  private SaveProgress newProgress() {
    long keys = 0;
    for (int database = 0; database < keyspace.databases(); database++) {
      keys += keyspace.size(database);
    }
    return new SaveProgress(clock.instant().getEpochSecond(), keys);
  }
}
