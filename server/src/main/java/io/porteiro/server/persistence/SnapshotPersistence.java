package io.porteiro.server.persistence;

import io.porteiro.server.command.Persistence;
import io.porteiro.server.config.SavePoint;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.ShardScope;
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
public final class SnapshotPersistence implements Persistence {
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
  private final SaveStatus status;
  private final Snapshotter snapshotter;
  private volatile boolean loading = true;
  private volatile @Nullable LoadProgress loadProgress;
  private volatile @Nullable LoadReport loadReport;
  private @Nullable ScheduledExecutorService timer;

  public SnapshotPersistence(Keyspace keyspace, ServerConfig config, InstantSource clock) {
    this.keyspace = keyspace;
    this.config = config;
    this.clock = clock;
    this.status = new SaveStatus(nowSeconds());
    this.snapshotter = new Snapshotter(keyspace, config, clock);
  }

  /**
   * Reads the snapshot file, if there is one, on the calling thread. Until this returns, the server
   * {@link #isLoading is loading}.
   *
   * @throws LoadException if it cannot be read as a whole. What was read of it must not be served:
   *     the process has to end, and nothing on disk has changed.
   */
  public void load() throws LoadException {
    Path path = path();
    if (Files.exists(path)) {
      load(path);
    }
    status.setChangesAtLastSave(keyspace.changes());
    loading = false;
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
  public synchronized void start() {
    if (timer == null) {
      timer =
          Executors.newSingleThreadScheduledExecutor(
              Thread.ofPlatform().daemon().name("save-points").factory());
      var _ =
          timer.scheduleWithFixedDelay(
              this::checkSavePoints,
              SAVE_POINT_CHECK_MS,
              SAVE_POINT_CHECK_MS,
              TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Stops watching the save points and gives up a running background save. {@link #save} still
   * works, and {@link #start} undoes it.
   */
  public synchronized void stop() {
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
    return new RdbSave(keyspace, path(), status, this::nowSeconds, background, done);
  }

  private long changesSinceLastSave() {
    return keyspace.changes() - status.changesAtLastSave();
  }

  private long nowSeconds() {
    return clock.instant().getEpochSecond();
  }

  @Override
  public boolean isLoading() {
    return loading;
  }

  /** {@inheritDoc} Fails while loading, when half of the data would replace the whole. */
  @Override
  public boolean save(Consumer<@Nullable String> done) {
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
   * {@inheritDoc} As in Redis, a second one is never scheduled behind a running one: there is
   * nothing else yet that could run.
   */
  @Override
  public BackgroundSave backgroundSave(boolean schedule) {
    return !loading && beginSave() ? BackgroundSave.STARTED : BackgroundSave.ALREADY_RUNNING;
  }

  @Override
  public long lastSaveSeconds() {
    return status.lastSaveSeconds();
  }

  @Override
  public @Nullable String writeRefusal() {
    boolean refused =
        status.isUnwritable() && config.stopWritesOnBgsaveError() && !config.save().isEmpty();
    return refused ? SAVING_FAILED : null;
  }

  @Override
  public void appendInfo(StringBuilder text) {
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
    info.noLog();
  }

  /**
   * {@inheritDoc} Clients are answered -LOADING meanwhile, so that nothing is acknowledged between
   * saving and emptying.
   */
  @Override
  public void reload(Consumer<@Nullable String> done) {
    snapshotter.execute(() -> done.accept(reloadNow()));
  }

  private @Nullable String reloadNow() {
    loading = true;
    try {
      String failure = saveNow();
      if (failure != null) {
        loading = false;
        return failure;
      }
      flushAll();
      load();
      return null;
    } catch (LoadException e) {
      log.error("Cannot load what was saved: {}", e.getMessage(), e);
      return e.getMessage();
    }
  }

  /** On the snapshot thread; null, or why it failed. */
  private @Nullable String saveNow() {
    AtomicReference<@Nullable String> outcome = new AtomicReference<>();
    snapshotter.runNow(rdbSave(false, outcome::set));
    return outcome.get();
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
