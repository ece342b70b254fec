package io.porteiro.server.persistence.log;

import io.porteiro.server.command.Effects;
import io.porteiro.server.command.Journal;
import io.porteiro.server.memory.MemoryPool;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append-only log while the server runs: takes units, has a {@link LogWriter} bring them to the
 * disk, and releases output as they get there.
 *
 * <p>Output leaves when what it has seen is synced ({@code always}) or written ({@code everysec},
 * {@code no}). Written is by the event loops, at the end of their turns; synced by a thread of its
 * own, which also writes where every write is synced, where an event loop found the file busy, and
 * where the disk failed. What could not be written stays in memory and is tried again every second.
 *
 * <p>After a failed sync the file is not trusted any more. Then, and where a log is begun while the
 * server runs, everything waits for a new base: see {@link #cutAnew}.
 */
public final class AppendOnlyLog implements Journal, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AppendOnlyLog.class);

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long SYNC_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What the log needs to know of the server around it. */
  public interface Surroundings {
    FsyncPolicy policy();

    /** {@code no-appendfsync-on-rewrite}, while a snapshot is written. */
    boolean isSyncPostponed();

    /** {@code aof-timestamp-enabled}. */
    boolean hasTimestamps();

    /**
     * The log cannot be trusted: a new base is needed, by {@link #cutAnew}. Called every second
     * until there is one; never waits.
     */
    void rebase();
  }

  private final Surroundings surroundings;
  private final InstantSource clock;
  private final LogQueue queue;
  private final LogRelease release = new LogRelease();
  private final LogWriter writer;
  private final SyncWaiters waiters = new SyncWaiters();
  private final LogHealth health = new LogHealth();
  private final Thread thread;

  private volatile boolean active;
  private volatile boolean workWaits;
  private volatile boolean closed;
  private long lastSyncNanos = System.nanoTime();
  private long nextRebaseNanos = System.nanoTime();
  private volatile long nextRetryNanos = System.nanoTime();

  public AppendOnlyLog(
      Surroundings surroundings, MemoryPool pool, InstantSource clock, LogObserver observer) {
    this.surroundings = surroundings;
    this.clock = clock;
    this.queue = new LogQueue(pool);
    this.writer = new LogWriter(queue, release, surroundings, observer);
    this.thread = Thread.ofPlatform().daemon().name("log").unstarted(this::run);
  }

  // ---- begin, change and end

  /** Begins, before anything is appended: the log goes on in this file. */
  public void start(LogFile first) {
    queue.setTarget(first);
    writer.start(first);
    release.begin(queue.position());
    active = true;
  }

  /** Starts the thread; to be called once, whether there is a log yet or not. */
  public void startThread() {
    thread.start();
  }

  /**
   * With all shards locked: what is appended from here on goes into the next file. What is in the
   * old one stays part of the log until {@link #rebased}, so it is brought to the disk first.
   *
   * @return the position of the cut
   */
  public long cut(LogFile next) {
    return queue.setTarget(next);
  }

  /**
   * With all shards locked: the log begins anew in this file. Whatever was appended before is in
   * the base that is being written, and nothing is released until that is in force.
   *
   * @return the position of the cut
   */
  public long cutAnew(LogFile next) {
    release.hold();
    active = true;
    return queue.setTarget(next);
  }

  /**
   * A base is in force that holds all up to the position of a cut; it goes on in the file of that
   * cut. Nothing else is needed any more.
   */
  public void rebased(long cutPosition, LogFile next) {
    writer.rebased(cutPosition, next);
    release.resumeFrom(cutPosition);
    nextRetryNanos = System.nanoTime();
    wake();
  }

  /** CONFIG SET appendonly no: brings what was appended to the disk, if it takes it, and ends. */
  public void stop() {
    active = false;
    queue.setTarget(null);
    release.end();
    if (!release.isHeld()) {
      try {
        writer.writeAndSync();
      } catch (IOException e) {
        log.error("The end of the log could not be written: {}", e.toString());
      }
    }
    writer.abandon();
    health.recovered();
    release.letGo();
  }

  /**
   * Writes and syncs all that was appended.
   *
   * @throws IOException if it cannot, or the log has no base yet
   */
  public void syncAll() throws IOException {
    writer.writeAndSync();
    release(null);
  }

  /** Syncs what is written, so that less is left to sync at a cut. */
  public void syncWritten() throws IOException {
    if (writer.isTrusted()) {
      writer.sync();
    }
  }

  /** Ends the thread. */
  @Override
  public void close() {
    closed = true;
    wake();
  }

  // ---- appending

  @Override
  public boolean isActive() {
    return active;
  }

  @Override
  public long append(Effects unit) {
    boolean noted = surroundings.hasTimestamps();
    return queue.append(unit, noted ? clock.instant().getEpochSecond() : 0);
  }

  // ---- releasing

  @Override
  public long releasedPosition() {
    return release.position();
  }

  @Override
  public boolean isFailing() {
    return health.isFailing();
  }

  @Override
  public void onRelease(Runnable listener) {
    release.onRelease(listener);
  }

  @Override
  public long memoryBytes() {
    return queue.memoryBytes();
  }

  @Override
  public long syncedPosition() {
    return writer.synced();
  }

  @Override
  public void awaitSynced(long position, long timeoutMs, Consumer<Boolean> done) {
    waiters.add(position, timeoutMs, done);
    wake();
  }

  /** The caller, if there is one, looks itself. */
  private void release(@Nullable Runnable caller) {
    if (!release.isHeld()) {
      release.advance(awaitsSync() ? writer.synced() : writer.written(), caller);
    }
  }

  private boolean awaitsSync() {
    return surroundings.policy() == FsyncPolicy.ALWAYS && !surroundings.isSyncPostponed();
  }

  @Override
  public void endTurn(Runnable caller) {
    if (awaitsSync() || health.isFailing()) {
      wake();
      return;
    }
    writeTurn();
    release(caller);
  }

  private void writeTurn() {
    try {
      if (!writer.writeAtOnce()) {
        wake();
      }
    } catch (IOException e) {
      failedToWrite(e);
    }
  }

  // ---- the thread

  private void wake() {
    if (!workWaits) {
      workWaits = true;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closed) {
      if (!workWaits) {
        LockSupport.parkNanos(this, TICK_NANOS);
      }
      workWaits = false;
      try {
        step();
      } catch (RuntimeException e) {
        log.error("The log's thread met a fault and goes on", e);
      }
    }
  }

  private void step() {
    if (!health.isFailing() || isRetryDue()) {
      work();
    }
    release(null);
    waiters.complete(writer.synced(), active);
  }

  private boolean isRetryDue() {
    return System.nanoTime() - nextRetryNanos >= 0;
  }

  private void work() {
    if (!writer.isTrusted() || release.isHeld()) {
      rebaseNowAndThen();
    }
    if (writer.isTrusted()) {
      writeAndSync();
    }
  }

  private void rebaseNowAndThen() {
    if (System.nanoTime() - nextRebaseNanos >= 0) {
      nextRebaseNanos = System.nanoTime() + RETRY_NANOS;
      surroundings.rebase();
    }
  }

  private void writeAndSync() {
    try {
      writer.write();
      if (isSyncDue()) {
        lastSyncNanos = System.nanoTime();
        writer.sync();
      }
      if (health.isFailing() && !release.isHeld()) {
        recovered();
      }
    } catch (IOException e) {
      failedToWrite(e);
    }
  }

  private boolean isSyncDue() {
    if (writer.written() <= writer.synced() || surroundings.isSyncPostponed()) {
      return false;
    }
    return switch (surroundings.policy()) {
      case ALWAYS -> true;
      case EVERYSEC -> System.nanoTime() - lastSyncNanos >= SYNC_EVERY_NANOS;
      case NO -> false;
    };
  }

  // ---- failing

  private void failedToWrite(IOException e) {
    nextRetryNanos = System.nanoTime() + RETRY_NANOS;
    if (health.failed(e, System.nanoTime())) {
      log.error(
          "The log cannot be {}: {}. Writes are refused until the disk takes them again.",
          writer.isTrusted() ? "written" : "synced",
          e.toString());
    }
    release.tell(null); // reads leave without waiting
  }

  private void recovered() {
    health.recovered();
    log.info("The log is written again; writes are accepted");
  }

  // ---- what INFO tells

  /** Why writing fails, in the system's words; null if it does not. */
  public @Nullable String failure() {
    return health.failure();
  }

  /** Whether nothing of what was written counts without a new base. */
  public boolean needsBase() {
    return !active || release.isHeld() || !writer.isTrusted();
  }

  /** Bytes that are in memory only. */
  public long bufferedBytes() {
    return queue.bytes();
  }

  /** Bytes in the file that is written to. */
  public long fileBytes() {
    return writer.fileBytes();
  }

  public boolean isSyncRunning() {
    return writer.isSyncRunning();
  }

  /** How many took so long that the next one was late. */
  public long delayedSyncs() {
    return writer.delayedSyncs();
  }
}
