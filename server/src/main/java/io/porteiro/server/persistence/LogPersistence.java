package io.porteiro.server.persistence;

import io.porteiro.server.command.Journal;
import io.porteiro.server.command.Persistence;
import io.porteiro.server.command.Replay;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.persistence.log.AppendOnlyLog;
import io.porteiro.server.persistence.log.Disk;
import io.porteiro.server.persistence.log.FsyncPolicy;
import io.porteiro.server.persistence.log.LogDirectory;
import io.porteiro.server.persistence.log.LogObserver;
import io.porteiro.server.persistence.log.Manifest;
import io.porteiro.server.store.Keyspace;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the data in the append-only log, where it is on, and in snapshots: loads from the one or
 * the other at start, rewrites the log on demand and when it has grown.
 */
public final class LogPersistence implements Persistence, AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(LogPersistence.class);

  private final Keyspace keyspace;
  private final ServerConfig config;
  private final InstantSource clock;
  private final OwnedLogDirectory directory;
  private final SnapshotPersistence snapshots;
  private final AppendOnlyLog log;
  private final RewriteStatus status = new RewriteStatus();
  private final LogFigures figures = new LogFigures();
  private volatile @Nullable RunningRewrite running;
  private volatile boolean rewriteScheduled;
  private volatile boolean saveScheduled;
  private volatile @Nullable Supplier<Replay> replays;

  /** A rewrite that was begun, with the time. */
  private record RunningRewrite(LogRewrite job, long startedSeconds) {}

  public LogPersistence(
      Keyspace keyspace,
      ServerConfig config,
      InstantSource clock,
      LogObserver observer,
      Disk disk) {
    this.keyspace = keyspace;
    this.config = config;
    this.clock = clock;
    this.directory = new OwnedLogDirectory(config, disk);
    this.snapshots = new SnapshotPersistence(keyspace, config, clock, disk);
    this.log = new AppendOnlyLog(new LogSurroundings(), keyspace.pool(), clock, observer);
    config.onChange("appendonly", this::appendOnlyChanged);
  }

  /** The server, as the log sees it. */
  private final class LogSurroundings implements AppendOnlyLog.Surroundings {
    @Override
    public FsyncPolicy policy() {
      return FsyncPolicy.named(config.appendfsync());
    }

    @Override
    public boolean isSyncPostponed() {
      return config.noAppendfsyncOnRewrite() && snapshots.isBusy();
    }

    @Override
    public boolean hasTimestamps() {
      return config.aofTimestampEnabled();
    }

    @Override
    public void rebase() {
      beginRewrite(LogRewrite.Mode.BEGIN);
    }
  }

  /** What takes the effects of commands. */
  public Journal journal() {
    return log;
  }

  // ---- start

  /**
   * Reads the log, or where there is none the snapshot, on the calling thread; where the log is on,
   * it is open for writing then. Until this returns, the server {@link #isLoading is loading}.
   *
   * @param replays makes what executes the commands of a log
   * @throws LoadException if the data cannot be read as a whole, or the log cannot be written: the
   *     process has to end. Nothing on disk was changed that was there.
   */
  public void load(Supplier<Replay> replays) throws LoadException {
    this.replays = replays;
    if (config.appendonly()) {
      LogDirectory opened = directory.open();
      snapshots.lock();
      new LogStart(keyspace, config, clock, snapshots, opened, figures)
          .load(replays, new LogOpening(log, config, snapshots, figures));
    } else {
      snapshots.lock();
      snapshots.read();
    }
    snapshots.loaded();
    log.startThread();
  }

  /** Begins to watch the save points and the size of the log. */
  public void start() {
    snapshots.start(this::tick);
  }

  /** Gives up what is written in the background; {@link #save} still works. */
  public void stop() {
    snapshots.stop();
  }

  /**
   * Brings the log to the disk.
   *
   * @throws IOException if that is not possible
   */
  public void syncLog() throws IOException {
    if (log.isActive()) {
      log.syncAll();
    }
  }

  /** Ends without writing anything more, and lets another server have the directory. */
  @Override
  public synchronized void close() {
    stop();
    log.close();
    directory.unlock();
    snapshots.unlock();
  }

  /** Whether the data are kept in the log. */
  public boolean hasLog() {
    return log.isActive();
  }

  // ---- rewriting

  private void tick() {
    if (snapshots.isBusy() || snapshots.isLoading()) {
      return;
    }
    if (rewriteScheduled) {
      rewriteScheduled = !beginRewrite(mode());
    } else if (isRewriteDue()) {
      logger.info(
          "The log has grown to {} bytes: rewriting it", figures.currentBytes(directory.get()));
      beginRewrite(mode());
    } else if (saveScheduled) {
      saveScheduled = snapshots.backgroundSave(false) != BackgroundSave.STARTED;
    }
  }

  private boolean isRewriteDue() {
    return log.isActive()
        && !log.isFailing()
        && !AutoRewrite.isHeldUp(status, nowSeconds())
        && AutoRewrite.isDue(
            figures.currentBytes(directory.get()),
            figures.bytesAfterRewrite(),
            config.autoAofRewritePercentage(),
            config.autoAofRewriteMinSize());
  }

  private LogRewrite.Mode mode() {
    if (!config.appendonly()) {
      return LogRewrite.Mode.BASE_ONLY;
    }
    return log.needsBase() ? LogRewrite.Mode.BEGIN : LogRewrite.Mode.CONTINUE;
  }

  private synchronized boolean beginRewrite(LogRewrite.Mode mode) {
    LogDirectory to = directory.get();
    if (snapshots.isLoading() || to == null || running != null) {
      return false;
    }
    long startedSeconds = nowSeconds();
    LogRewrite job =
        new LogRewrite(
            log, to, mode, LogRewrite.Form.of(config), figures, new RewriteOutcome(startedSeconds));
    running = new RunningRewrite(job, startedSeconds); // before: it may end at once
    boolean begun = snapshots.snapshotter().begin(job);
    if (begun) {
      status.begun();
    } else {
      running = null;
    }
    return begun;
  }

  private final class RewriteOutcome implements LogRewrite.Outcome {
    private final long startedSeconds;

    RewriteOutcome(long startedSeconds) {
      this.startedSeconds = startedSeconds;
    }

    @Override
    public void completed() {
      status.completed(startedSeconds, nowSeconds());
      running = null;
    }

    @Override
    public void failed(SnapshotFailure failure) {
      status.failed(failure.kind(), startedSeconds, nowSeconds());
      running = null;
    }
  }

  @Override
  public LogRewriteStart rewriteLog(boolean postponed) {
    if (running != null) {
      return LogRewriteStart.ALREADY_RUNNING;
    }
    status.forgiveFailures();
    if (postponed || snapshots.isBusy()) {
      rewriteScheduled = true;
      return LogRewriteStart.SCHEDULED;
    }
    return openForBaseOnly() && beginRewrite(mode())
        ? LogRewriteStart.STARTED
        : LogRewriteStart.FAILED;
  }

  /** As Redis, BGREWRITEAOF writes a base also where the log is off. */
  private synchronized boolean openForBaseOnly() {
    try {
      if (directory.get() == null) {
        readManifest(directory.open());
      }
      return true;
    } catch (IOException e) {
      logger.error("The log cannot be rewritten: {}", e.getMessage());
      return false;
    }
  }

  private static void readManifest(LogDirectory opened) throws IOException {
    Manifest found = opened.read();
    opened.setManifest(found == null ? Manifest.EMPTY : found);
  }

  // ---- CONFIG SET appendonly

  private void appendOnlyChanged() throws ConfigException {
    if (snapshots.isLoading()) {
      throw new ConfigException("the data are being loaded");
    }
    if (config.appendonly()) {
      turnOn();
    } else {
      turnOff();
    }
  }

  private synchronized void turnOn() throws ConfigException {
    if (log.isActive()) {
      return;
    }
    if (!openForBaseOnly()) {
      throw new ConfigException("Unable to turn on AOF. Check server logs.");
    }
    if (!beginRewrite(LogRewrite.Mode.BEGIN)) {
      logger.info("The log begins when what is written in the background is done");
      rewriteScheduled = true;
    }
  }

  private synchronized void turnOff() {
    rewriteScheduled = false;
    RunningRewrite now = running;
    if (now != null) {
      now.job().cancel();
      snapshots.snapshotter().abandon(now.job());
    }
    log.stop();
  }

  // ---- what commands ask

  @Override
  public boolean isLoading() {
    return snapshots.isLoading();
  }

  @Override
  public boolean save(Consumer<@Nullable String> done) {
    return snapshots.save(done);
  }

  @Override
  public BackgroundSave backgroundSave(boolean schedule) {
    if (running == null) {
      return snapshots.backgroundSave(schedule);
    }
    saveScheduled |= schedule;
    return schedule ? BackgroundSave.SCHEDULED : BackgroundSave.REWRITE_RUNNING;
  }

  @Override
  public long lastSaveSeconds() {
    return snapshots.lastSaveSeconds();
  }

  @Override
  public long snapshots() {
    return snapshots.snapshotter().snapshots();
  }

  @Override
  public long lastCutMicros() {
    return snapshots.snapshotter().lastCutMicros();
  }

  @Override
  public @Nullable String writeRefusal() {
    String refusal = snapshots.writeRefusal();
    if (refusal != null || !log.isFailing()) {
      return refusal;
    }
    return "MISCONF Errors writing to the AOF file: " + log.failure();
  }

  @Override
  public void reload(Consumer<@Nullable String> done) {
    snapshots.reload(done);
  }

  @Override
  public void reloadLog(Consumer<@Nullable String> done) {
    LogDirectory from = directory.get();
    if (!log.isActive() || from == null || log.needsBase()) {
      done.accept("there is no log");
    } else {
      snapshots.reload(this::beforeReload, () -> reload(from), done);
    }
  }

  private void beforeReload() throws IOException {
    log.syncAll();
  }

  private void reload(LogDirectory from) throws LoadException {
    new LogStart(keyspace, config, clock, snapshots, from, figures).reload(replays());
  }

  private Supplier<Replay> replays() {
    Supplier<Replay> made = replays;
    if (made == null) {
      throw new IllegalStateException("nothing was loaded yet");
    }
    return made;
  }

  @Override
  public void appendInfo(StringBuilder text) {
    snapshots.appendInfo(text);
    RunningRewrite now = running;
    LogInfo info = new LogInfo(text);
    info.rewrites(
        config.appendonly(),
        status,
        now == null ? LogInfo.NOT_RUNNING : now.startedSeconds(),
        rewriteScheduled,
        nowSeconds());
    info.writing(log.failure());
    if (config.appendonly()) {
      info.sizes(
          figures.currentBytes(directory.get()),
          figures.bytesAfterRewrite(),
          rewriteScheduled,
          log);
    }
  }

  private long nowSeconds() {
    return clock.instant().getEpochSecond();
  }
}
