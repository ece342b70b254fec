package io.porteiro.server.persistence.log;

import io.porteiro.server.command.Effects;
import io.porteiro.server.command.Journal;
import io.porteiro.server.memory.MemoryPool;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append-only log while the server runs: units go into memory, from there into the file, from
 * there to the disk, and output is released as they do.
 *
 * <pre>
 *   append            write(2)            fsync
 *   ------> LogQueue  -------->  LogFile  ----->  disk
 *   position          written             synced        each at most the one before
 * </pre>
 *
 * <p>Output leaves when what it has seen is synced ({@code always}) or written ({@code everysec},
 * {@code no}). Written is by the event loops, at the end of their turns; synced by a thread of its
 * own, which also writes where every write is synced, where an event loop found the file busy, and
 * where the disk failed. What could not be written stays in memory and is tried again every second.
 *
 * <p>After a failed sync the file is not trusted any more. Then, and where a log is begun while the
 * server runs, everything waits for a new base: see {@link #cutAnew}.
 *
 * <p>Locks, each taken before the next: writing, syncing, the queue's. Whoever appends takes only
 * the last, which is never held while the disk works.
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
  private final LogObserver observer;
  private final LogQueue queue;
  private final LogRelease release = new LogRelease();
  private final SyncWaiters waiters = new SyncWaiters();
  private final LogHealth health = new LogHealth();
  private final Thread thread;

  private volatile boolean active;
  private volatile long written;
  private volatile long synced;

  private final ReentrantLock writing = new ReentrantLock();

  /** What was taken from the queue and could not be written. Guarded by writing. */
  private @Nullable LogPart unwritten;

  /** The file that was written to last. Changed with writing and syncing held. */
  private volatile @Nullable LogFile file;

  private final ReentrantLock syncing = new ReentrantLock();

  /** A file that failed to sync; nothing more goes into it. */
  private volatile @Nullable LogFile distrusted;

  private volatile boolean workWaits;
  private volatile boolean closed;
  private volatile boolean isSyncRunning;
  private final AtomicLong delayedSyncs = new AtomicLong();
  private long lastSyncNanos = System.nanoTime();
  private long nextRebaseNanos = System.nanoTime();
  private volatile long nextRetryNanos = System.nanoTime();

  public AppendOnlyLog(
      Surroundings surroundings, MemoryPool pool, InstantSource clock, LogObserver observer) {
    this.surroundings = surroundings;
    this.clock = clock;
    this.observer = observer;
    this.queue = new LogQueue(pool);
    this.thread = Thread.ofPlatform().daemon().name("log").unstarted(this::run);
  }

  // ---- begin, change and end

  /** Begins, before anything is appended: the log goes on in this file. */
  public void start(LogFile first) {
    queue.setTarget(first);
    file = first;
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
    writing.lock();
    try {
      dropUntil(cutPosition);
      change(next);
      written = Math.max(written, cutPosition);
      synced = Math.max(synced, cutPosition);
      distrusted = distrusted == next ? next : null;
    } finally {
      writing.unlock();
    }
    release.resumeFrom(cutPosition);
    nextRetryNanos = System.nanoTime();
    wake();
  }

  private void dropUntil(long position) {
    LogPart part = unwritten == null ? queue.take() : unwritten;
    while (part != null && part.endPosition() <= position) {
      queue.recycle(part);
      part = queue.take();
    }
    unwritten = part;
  }

  /** From here on another file is written to, or none. */
  private void change(@Nullable LogFile next) {
    syncing.lock();
    try {
      LogFile old = file;
      file = next;
      if (old != null && old != next) {
        old.close();
      }
    } catch (IOException e) {
      log.warn("Cannot close a file of the log: {}", e.toString());
    } finally {
      syncing.unlock();
    }
  }

  /** CONFIG SET appendonly no: brings what was appended to the disk, if it takes it, and ends. */
  public void stop() {
    active = false;
    queue.setTarget(null);
    release.end();
    try {
      syncAll();
    } catch (IOException e) {
      log.error("The end of the log could not be written: {}", e.toString());
    }
    abandon();
  }

  private void abandon() {
    writing.lock();
    try {
      dropUntil(Long.MAX_VALUE);
      change(null);
      health.recovered();
      distrusted = null;
      release.letGo();
    } finally {
      writing.unlock();
    }
  }

  /**
   * Writes and syncs all that was appended.
   *
   * @throws IOException if it cannot
   */
  public void syncAll() throws IOException {
    writing.lock();
    try {
      if (distrusted != null) {
        throw new IOException("the log waits for a new base after a failed sync");
      }
      writePending(true);
      sync();
    } finally {
      writing.unlock();
    }
    release(null);
  }

  /** Syncs what is written, so that less is left to sync at a cut. */
  public void syncWritten() throws IOException {
    if (distrusted == null) {
      sync();
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
    return synced;
  }

  @Override
  public void awaitSynced(long position, long timeoutMs, Consumer<Boolean> done) {
    waiters.add(position, timeoutMs, done);
    wake();
  }

  /** The caller, if there is one, looks itself. */
  private void release(@Nullable Runnable caller) {
    if (!release.isHeld()) {
      release.advance(awaitsSync() ? synced : written, caller);
    }
  }

  private boolean awaitsSync() {
    return surroundings.policy() == FsyncPolicy.ALWAYS && !surroundings.isSyncPostponed();
  }

  // ---- writing

  @Override
  public void endTurn(Runnable caller) {
    if (awaitsSync() || health.isFailing()) {
      wake();
      return;
    }
    writeTurn();
    release(caller);
  }

  /** Whoever holds the lock writes what others append meanwhile. */
  private void writeTurn() {
    while (isPending()) {
      if (!writing.tryLock()) {
        wake(); // another loop goes on by itself, others may not
        return;
      }
      try {
        if (!writePending(false)) {
          wake();
          return;
        }
      } catch (IOException e) {
        failedToWrite(e);
        return;
      } finally {
        writing.unlock();
      }
    }
  }

  private boolean isPending() {
    return queue.position() > written;
  }

  /**
   * Writes what waits, with writing held.
   *
   * @param patient whether it may take as long as a sync
   * @return false if it would have to
   */
  private boolean writePending(boolean patient) throws IOException {
    LogPart part = unwritten == null ? queue.take() : unwritten;
    while (part != null) {
      unwritten = part;
      if (part.file() == distrusted || !isOpen(part.file(), patient)) {
        return false;
      }
      write(part);
      part = queue.take();
    }
    return true;
  }

  private void write(LogPart part) throws IOException {
    long startNanos = System.nanoTime();
    part.file().write(part.address(), part.bytes());
    unwritten = null;
    written = part.endPosition();
    queue.recycle(part);
    observer.took("aof-write", System.nanoTime() - startNanos);
  }

  /**
   * What is in the old file must be on the disk before the next one has anything: after a crash
   * only the last file may be cut.
   */
  private boolean isOpen(LogFile next, boolean patient) throws IOException {
    LogFile old = file;
    if (old == next) {
      return true;
    }
    if (!patient) {
      return false;
    }
    if (old != null && old.isDirty() && old != distrusted && !release.isHeld()) {
      sync();
    }
    change(next);
    return true;
  }

  // ---- syncing

  private void sync() throws IOException {
    long position = written;
    syncing.lock();
    try {
      LogFile open = file;
      if (open != null && open.isDirty()) {
        sync(open);
      }
    } finally {
      syncing.unlock();
    }
    synced = Math.max(synced, position);
  }

  private void sync(LogFile open) throws IOException {
    long startNanos = System.nanoTime();
    isSyncRunning = true;
    try {
      open.sync();
    } catch (IOException e) {
      distrusted = open;
      throw e;
    } finally {
      isSyncRunning = false;
    }
    syncTook(System.nanoTime() - startNanos);
  }

  private void syncTook(long nanos) {
    observer.synced(nanos);
    if (surroundings.policy() == FsyncPolicy.ALWAYS) {
      observer.took("aof-fsync-always", nanos);
    } else if (nanos > SYNC_EVERY_NANOS) {
      delayedSyncs.incrementAndGet();
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
    waiters.complete(synced, active);
  }

  private boolean isRetryDue() {
    return System.nanoTime() - nextRetryNanos >= 0;
  }

  private void work() {
    if (distrusted != null || release.isHeld()) {
      rebaseNowAndThen();
    }
    if (distrusted == null) {
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
      writeWaiting();
      if (isSyncDue()) {
        lastSyncNanos = System.nanoTime();
        sync();
      }
      if (health.isFailing() && !release.isHeld()) {
        recovered();
      }
    } catch (IOException e) {
      failedToWrite(e);
    }
  }

  private void writeWaiting() throws IOException {
    if (isPending()) {
      writing.lock();
      try {
        writePending(true);
      } finally {
        writing.unlock();
      }
    }
  }

  private boolean isSyncDue() {
    if (written <= synced || surroundings.isSyncPostponed()) {
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
          distrusted == null ? "written" : "synced",
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
    return !active || release.isHeld() || distrusted != null;
  }

  /** Bytes that are in memory only. */
  public long bufferedBytes() {
    return queue.bytes();
  }

  /** Bytes in the file that is written to. */
  public long fileBytes() {
    LogFile open = file;
    return open == null ? 0 : open.size();
  }

  public boolean isSyncRunning() {
    return isSyncRunning;
  }

  /** How many took so long that the next one was late. */
  public long delayedSyncs() {
    return delayedSyncs.get();
  }
}
