package io.porteiro.server.persistence;

import io.porteiro.server.command.Persistence.BackgroundSave;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.store.Keyspace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves the keyspace, one snapshot at a time, on a thread of its own. A save that fails leaves the
 * last file as it was.
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
  private final SaveStatus status;
  private final MemoryPool buffers = new MemoryPool(BUFFERS_BYTES);
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("snapshot").factory());

  /** The background save that runs or waits for its turn. */
  private @Nullable SaveProgress background;

  Snapshotter(Keyspace keyspace, ServerConfig config, InstantSource clock, SaveStatus status) {
    this.keyspace = keyspace;
    this.config = config;
    this.clock = clock;
    this.status = status;
  }

  /** The file that is written and loaded. */
  Path path() {
    return Path.of(config.dir(), config.dbfilename()).toAbsolutePath();
  }

  /** Runs on the saving thread, when no save does. */
  void execute(Runnable task) {
    thread.execute(task);
  }

  /** {@link io.porteiro.server.command.Persistence#save}. */
  synchronized boolean save(Consumer<@Nullable String> done) {
    if (background != null) {
      return false;
    }
    execute(() -> done.accept(saveNow(newProgress())));
    return true;
  }

  /**
   * Starts a save in the background. One that the caller of {@link #save} waits for does not count
   * as running: its turn comes after it, as if it had blocked the server.
   */
  synchronized BackgroundSave saveInBackground() {
    if (background != null) {
      return BackgroundSave.ALREADY_RUNNING;
    }
    SaveProgress progress = newProgress();
    background = progress;
    status.backgroundStarted(nowSeconds());
    log.info("Background saving started");
    execute(() -> runInBackground(progress));
    return BackgroundSave.STARTED;
  }

  private void runInBackground(SaveProgress progress) {
    try {
      String failure = saveNow(progress);
      if (!progress.isAbandoned()) {
        status.backgroundEnded(failure == null, nowSeconds());
      }
    } finally {
      endBackground();
    }
  }

  private synchronized void endBackground() {
    background = null;
    notifyAll();
  }

  private SaveProgress newProgress() {
    long keys = 0;
    for (int database = 0; database < keyspace.databases(); database++) {
      keys += keyspace.size(database);
    }
    return new SaveProgress(nowSeconds(), keys);
  }

  /** The background save that runs, or null. */
  synchronized @Nullable SaveProgress background() {
    return background;
  }

  /** Gives up a background save and waits until it has ended. */
  synchronized void abandonBackground() {
    while (background != null) {
      background.abandon();
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /**
   * Saves on this thread.
   *
   * @return null, or why it failed
   */
  @Nullable String saveNow(SaveProgress progress) {
    long changes = keyspace.changes();
    Path path = path();
    try {
      write(path, progress);
    } catch (AbandonedException e) {
      log.info("Saving {} was {}", path, e.getMessage());
      return e.getMessage();
    } catch (IOException e) {
      log.error("Saving {} failed, the last file stays: {}", path, e.toString());
      return e.toString();
    } catch (RuntimeException e) {
      log.error("Saving {} failed, the last file stays", path, e);
      return e.toString();
    }
    status.saved(changes, nowSeconds());
    log.info("Saved {} keys to {}", progress.keysSaved(), path);
    return null;
  }

  /** The same for one who saves as a part of something else. */
  @Nullable String saveNow() {
    return saveNow(newProgress());
  }

  private void write(Path path, SaveProgress progress) throws IOException {
    SnapshotWriter.Options options =
        new SnapshotWriter.Options(
            config.rdbcompression(), config.rdbchecksum(), progress.startedSeconds());
    try (SnapshotFile file = new SnapshotFile(path, ProcessHandle.current().pid())) {
      SnapshotWriter.write(keyspace, buffers, file, options, progress);
      file.commit();
    }
  }

  private long nowSeconds() {
    return clock.instant().getEpochSecond();
  }
}
