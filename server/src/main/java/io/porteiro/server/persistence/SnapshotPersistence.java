package io.porteiro.server.persistence;

import io.porteiro.server.command.Persistence.BackgroundSave;
import io.porteiro.server.config.SavePoint;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.persistence.log.Disk;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.ShardScope;
import io.porteiro.server.store.SilentListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the data in one snapshot file: loads it at start, writes it on demand and at the configured
 * save points.
 */
final class SnapshotPersistence {
  private static final Logger log = LoggerFactory.getLogger(SnapshotPersistence.class);
  private static final long SAVE_POINT_CHECK_MS = 100;

  /** Redis's words; client libraries know the code. */
  private static final String SAVING_FAILED =
      "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to"
          + " disk. Commands that may modify the data set are disabled, because this instance is"
          + " configured to report errors during writes if RDB snapshotting fails"
          + " (stop-writes-on-bgsave-error option). Please check the Redis logs for details about"
          + " the RDB error.";

  private final Keyspace keyspace;
  private final ServerConfig config;
  private final InstantSource clock;
  private final Disk disk;
  private final SaveStatus status;
  private final Snapshotter snapshotter;
  private final DumpLock lock = new DumpLock();
  private final UnfinishedSaves unfinished;
  private volatile boolean loading = true;
  private volatile @Nullable LoadProgress loadProgress;
  private volatile @Nullable LoadReport loadReport;
  private @Nullable ScheduledExecutorService timer;

  SnapshotPersistence(Keyspace keyspace, ServerConfig config, InstantSource clock, Disk disk) {
    this.keyspace = keyspace;
    this.config = config;
    this.clock = clock;
    this.disk = disk;
    this.status = new SaveStatus(nowSeconds());
    this.snapshotter = new Snapshotter(keyspace, config, clock);
    this.unfinished = new UnfinishedSaves(disk, clock);
  }

  /**
   * Reads the snapshot file, if there is one, on the calling thread. Until this returns, the server
   * {@link #isLoading is loading}.
   *
   * @throws LoadException if it cannot be read as a whole. What was read of it must not be served:
   *     the process has to end, and nothing on disk has changed.
   */
  void load() throws LoadException {
    read();
    loaded();
  }

  /**
   * Takes the lock of the snapshot file, if it is going to be written without anybody asking, and
   * clears away what is left of saves that were never finished.
   *
   * @throws LoadException if another server has the lock
   */
  void lock() throws LoadException {
    Path path = path();
    try {
      if (config.save().isEmpty()) {
        return;
      }
      if (!lock.take(path)) {
        throw new LoadException(path, "another server is using it");
      }
      unfinished.deleteBeside(path);
    } catch (LoadException e) {
      throw e;
    } catch (IOException e) {
      // Where no lock can be made, no snapshot can either; but what is there can be served.
      log.warn("{} cannot be locked, and will not be written: {}", path, e.toString());
    }
  }

  /** Lets another server write the snapshot file. */
  void unlock() {
    try {
      lock.close();
    } catch (IOException e) {
      log.warn("{} cannot be unlocked: {}", path(), e.toString());
    }
  }

  /** Reads the snapshot file, if there is one; the server is still loading then. */
  void read() throws LoadException {
    Path path = path();
    if (Files.exists(path)) {
      load(path);
    }
  }

  /** All data are there. */
  void loaded() {
    status.setChangesAtLastSave(keyspace.changes());
    loading = false;
  }

  /** Something else is read: a log. */
  Loading beginLoading(Path path, long totalBytes) {
    LoadProgress progress = new LoadProgress(nowSeconds(), totalBytes);
    loadProgress = progress;
    return new Loading(clock, path, progress);
  }

  void setLoadReport(LoadReport report) {
    loadReport = report;
  }

  Snapshotter snapshotter() {
    return snapshotter;
  }

  /** Whether something is written in the background. */
  boolean isBusy() {
    return snapshotter.background() != null;
  }

  /** The file that is written and loaded. */
  private Path path() {
    return Path.of(config.dir(), config.dbfilename()).toAbsolutePath();
  }

  private void load(Path path) throws LoadException {
    long startedMs = clock.millis();
    boolean skip = config.rdbLoadUnsupportedTypes().equals("skip");
    LoadReport report =
        Loader.load(keyspace, clock, path, skip, progress -> loadProgress = progress);
    loadReport = report;
    log.info(
        "Loaded {} keys from {} in {} ms; {} had expired; written by version {}",
        report.loadedKeys(),
        path,
        clock.millis() - startedMs,
        report.expiredKeys(),
        report.writer());
  }

  /** Begins to watch the save points. */
  synchronized void start() {
    start(() -> {});
  }

  /**
   * The same, and looks after something else, too.
   *
   * @param tick called some times a second
   */
  synchronized void start(Runnable tick) {
    if (timer == null) {
      timer =
          Executors.newSingleThreadScheduledExecutor(
              Thread.ofPlatform().daemon().name("save-points").factory());
      var _ =
          timer.scheduleWithFixedDelay(
              () -> {
                checkSavePoints();
                tick.run();
              },
              SAVE_POINT_CHECK_MS,
              SAVE_POINT_CHECK_MS,
              TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Stops watching the save points and gives up a running background save. {@link #save} still
   * works, and {@link #start} undoes it.
   */
  synchronized void stop() {
    if (timer != null) {
      timer.shutdownNow();
      timer = null;
    }
    snapshotter.abandonBackground();
  }

  private void checkSavePoints() {
    SavePoint reached =
        SavePoints.reached(config.save(), changesSinceLastSave(), status, nowSeconds());
    if (reached != null && snapshotter.background() == null) {
      log.info("{} changes in {} seconds: saving", reached.changes(), reached.seconds());
      beginSave();
    }
  }

  private boolean beginSave() {
    boolean begun = snapshotter.begin(rdbSave(true, _ -> {}));
    if (begun) {
      status.backgroundStarted(nowSeconds());
    }
    return begun;
  }

  private RdbSave rdbSave(boolean background, Consumer<@Nullable String> done) {
    return new RdbSave(
        keyspace, disk, path(), lock, unfinished, status, this::nowSeconds, background, done);
  }

  private long changesSinceLastSave() {
    return keyspace.changes() - status.changesAtLastSave();
  }

  private long nowSeconds() {
    return clock.instant().getEpochSecond();
  }

  boolean isLoading() {
    return loading;
  }

  /** Fails while loading, when half of the data would replace the whole. */
  boolean save(Consumer<@Nullable String> done) {
    if (loading) {
      snapshotter.execute(() -> done.accept("the data are being loaded"));
      return true;
    }
    if (isSaving()) {
      return false;
    }
    snapshotter.execute(() -> snapshotter.runNow(rdbSave(false, done)));
    return true;
  }

  /** As Redis sees it: a log rewrite is no save. */
  private boolean isSaving() {
    return runningSave() != null;
  }

  private @Nullable SaveProgress runningSave() {
    SnapshotRun run = snapshotter.background();
    return run != null && run.job() instanceof RdbSave ? run.progress() : null;
  }

  /**
   * As in Redis, a second one is never scheduled behind a running one: there is nothing else yet
   * that could run.
   */
  BackgroundSave backgroundSave(boolean schedule) {
    return !loading && beginSave() ? BackgroundSave.STARTED : BackgroundSave.ALREADY_RUNNING;
  }

  long lastSaveSeconds() {
    return status.lastSaveSeconds();
  }

  @Nullable String writeRefusal() {
    boolean refused =
        status.isUnwritable() && config.stopWritesOnBgsaveError() && !config.save().isEmpty();
    return refused ? SAVING_FAILED : null;
  }

  void appendInfo(StringBuilder text) {
    PersistenceInfo info = new PersistenceInfo(text);
    SnapshotRun run = snapshotter.background();
    info.loading(loading, loadProgress, clock.millis());
    info.progress(run == null ? null : run.progress(), clock.millis());
    info.saves(
        status,
        runningSave(),
        snapshotter.lastMemoryPeakBytes(),
        changesSinceLastSave(),
        nowSeconds());
    info.loaded(loadReport);
  }

  /**
   * Clients are answered -LOADING meanwhile, so that nothing is acknowledged between saving and
   * emptying.
   */
  void reload(Consumer<@Nullable String> done) {
    snapshotter.execute(() -> done.accept(reloadNow()));
  }

  private @Nullable String reloadNow() {
    return reloadNow(this::saveNow, this::read);
  }

  /** One half of a reload. */
  @FunctionalInterface
  interface Half {
    void run() throws IOException;
  }

  /**
   * The same with something else than the snapshot file; on the snapshot thread.
   *
   * @param write brings all data to the disk
   * @param read brings them back
   */
  void reload(Half write, Half read, Consumer<@Nullable String> done) {
    snapshotter.execute(() -> done.accept(reloadNow(write, read)));
  }

  private @Nullable String reloadNow(Half write, Half read) {
    loading = true;
    try {
      write.run();
    } catch (IOException e) {
      loading = false;
      return e.getMessage();
    }
    try {
      flushAll();
      read.run();
      loaded();
      return null;
    } catch (IOException e) {
      log.error("Cannot load what was saved: {}", e.getMessage(), e);
      return e.getMessage();
    }
  }

  private void saveNow() throws IOException {
    AtomicReference<@Nullable String> outcome = new AtomicReference<>();
    snapshotter.runNow(rdbSave(false, outcome::set));
    String failure = outcome.get();
    if (failure != null) {
      throw new IOException(failure);
    }
  }

  private void flushAll() {
    ShardScope scope = new ShardScope(keyspace, SilentListener.INSTANCE);
    scope.nameAll(true);
    scope.open(clock.millis());
    try {
      for (int database = 0; database < keyspace.databases(); database++) {
        scope.flush(database);
      }
    } finally {
      scope.close();
    }
  }
}
