package io.porteiro.server.persistence;

import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.SnapshotMemory;
import io.porteiro.server.metrics.MachineMemory;
import io.porteiro.server.persistence.SnapshotFailure.Kind;
import io.porteiro.server.rdb.RdbSink;
import io.porteiro.server.store.Keyspace;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes snapshots of the keyspace for whoever wants one, one at a time, on a thread of its own,
 * which gives way to those that serve clients.
 */
final class Snapshotter {
  private static final Logger log = LoggerFactory.getLogger(Snapshotter.class);

  /**
   * Enough for the output's buffer and for packing strings of up to some 60 MB; longer ones are
   * written as they are. Apart from the keyspace's pool, because one must be able to save when
   * memory is full.
   */
  private static final long BUFFERS_BYTES = 64L << 20;

  private static final long LOG_EVERY_MS = 2_000;

  private final Keyspace keyspace;
  private final ServerConfig config;
  private final InstantSource clock;
  private final MemoryPool buffers = new MemoryPool(BUFFERS_BYTES);

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("snapshot").factory());

  private @Nullable SnapshotRun background;
  private final AtomicLong snapshots = new AtomicLong();
  private volatile long lastMemoryPeakBytes;
  private volatile long lastCutMicros;

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

  /** Snapshots begun so far. */
  long snapshots() {
    return snapshots.get();
  }

  /** For how long all shards were locked when the last one began. */
  long lastCutMicros() {
    return lastCutMicros;
  }

  /** What the last snapshot took at most besides the data. */
  long lastMemoryPeakBytes() {
    return lastMemoryPeakBytes;
  }

  private void runInBackground(SnapshotRun run) {
    try {
      run(run, true);
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

  /** Gives up the background job, if it is this one, without waiting for its end. */
  synchronized void abandon(SnapshotJob job) {
    if (background != null && background.job().equals(job)) {
      background.progress().abandon();
    }
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
   * is blocked, and so it does not count as running, and does not rest.
   */
  void runNow(SnapshotJob job) {
    run(new SnapshotRun(job, newProgress()), false);
  }

  private void run(SnapshotRun run, boolean paced) {
    SnapshotJob job = run.job();
    try {
      write(job, run.progress(), paced);
      job.completed();
      logDone(job, run.progress());
    } catch (AbandonedException e) {
      log.info("{}: {}", job.name(), e.getMessage());
      job.failed(new SnapshotFailure(Kind.ABANDONED, String.valueOf(e.getMessage())));
    } catch (TooManyChangesException e) {
      log.error("{} was {}; what was there before stays", job.name(), e.getMessage());
      job.failed(new SnapshotFailure(Kind.TOO_MANY_CHANGES, String.valueOf(e.getMessage())));
    } catch (IOException e) {
      log.error("{} failed, what was there before stays: {}", job.name(), e.toString());
      job.failed(new SnapshotFailure(Kind.FAILED, e.toString()));
    } catch (RuntimeException | Error e) { // somebody waits for the outcome, whatever it is
      log.error("{} failed, what was there before stays", job.name(), e);
      job.failed(new SnapshotFailure(Kind.FAILED, e.toString()));
    }
  }

  private void logDone(SnapshotJob job, SaveProgress progress) {
    long now = clock.millis();
    log.info(
        "{}: done, {} keys, {} bytes in {} ms, {} MB/s, rested for {} ms, at most {} bytes of memory,"
            + " all keys locked for {} us",
        job.name(),
        progress.keysSaved(),
        progress.bytesWritten(),
        progress.elapsedMs(now),
        progress.bytesPerSecond(now) / 1_000_000,
        progress.restedMs(),
        progress.memoryPeakBytes(),
        progress.cutMicros());
  }

  private void write(SnapshotJob job, SaveProgress progress, boolean paced) throws IOException {
    SnapshotWriter.Options options =
        new SnapshotWriter.Options(
            config.rdbcompression(),
            config.rdbchecksum(),
            progress.startedSeconds(),
            job.isLogBase(),
            job.isOfCommands());
    SnapshotMemory memory =
        new SnapshotMemory(keyspace.pool(), MachineMemory.ofThisProcess().totalBytes());
    try (SnapshotTarget target = job.open();
        WriteBehind behind = new WriteBehind(target, buffers)) {
      RdbSink sink = reporting(paced ? paced(behind, progress) : behind, job, progress);
      SnapshotWriter.write(keyspace, buffers, memory, sink, options, progress, job::cut);
      behind.flush();
      target.commit();
    } finally {
      lastMemoryPeakBytes = progress.memoryPeakBytes();
      lastCutMicros = progress.cutMicros();
    }
  }

  private static RdbSink paced(WriteBehind behind, SaveProgress progress) {
    SavePace pace = SavePace.ofThis(behind);
    return (address, length) -> {
      behind.write(address, length);
      pace.pieceDone();
      progress.rested(pace.restedMs());
    };
  }

  /** Says now and then how far it is. */
  private RdbSink reporting(RdbSink sink, SnapshotJob job, SaveProgress progress) {
    long[] nextLogMs = {clock.millis() + LOG_EVERY_MS};
    return (address, length) -> {
      sink.write(address, length);
      long now = clock.millis();
      if (now >= nextLogMs[0]) {
        nextLogMs[0] = now + LOG_EVERY_MS;
        logProgress(job, progress, now);
      }
    };
  }

  private static void logProgress(SnapshotJob job, SaveProgress progress, long now) {
    log.info(
        "{}: {} %, {} MB/s, {} s left, {} bytes of memory",
        job.name(),
        (int) progress.percent(),
        progress.bytesPerSecond(now) / 1_000_000,
        progress.etaSeconds(now),
        progress.memoryBytes());
  }

  private SaveProgress newProgress() {
    long keys = 0;
    for (int database = 0; database < keyspace.databases(); database++) {
      keys += keyspace.size(database);
    }
    long valueBytes = Math.max(0, keyspace.pool().lastingBytes() - keyspace.heapBytes());
    return new SaveProgress(clock.millis(), keys, valueBytes);
  }
}
