package io.porteiro.server.persistence.log;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what waits in memory into the file that it is meant for, and to the disk.
 *
 * <pre>
 *   append            write(2)            fsync
 *   ------> LogQueue  -------->  LogFile  ----->  disk
 *   position          written             synced        each at most the one before
 * </pre>
 *
 * <p>What could not be written waits on. A file that could not be synced takes nothing more, until
 * {@link #rebased}.
 *
 * <p>Locks, each taken before the next: writing, syncing, the queue's. Whoever appends takes only
 * the last, which is never held while the disk works.
 */
final class LogWriter {
  private static final Logger log = LoggerFactory.getLogger(LogWriter.class);

  /** A sync of the policy {@code everysec} that takes longer delays the next one. */
  private static final long DELAYED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LogQueue queue;
  private final LogRelease release;
  private final AppendOnlyLog.Surroundings surroundings;
  private final LogObserver observer;
  private final ReentrantLock writing = new ReentrantLock();
  private final ReentrantLock syncing = new ReentrantLock();

  /** What was taken from the queue and could not be written. Guarded by writing. */
  private @Nullable LogPart unwritten;

  /** The file that was written to last. After the start, changed with writing and syncing held. */
  private volatile @Nullable LogFile file;

  /** A file that failed to sync; nothing more goes into it. Changed with syncing held. */
  private volatile @Nullable LogFile distrusted;

  /** Changed with writing held. */
  private volatile long written;

  private final AtomicLong synced = new AtomicLong();
  private volatile boolean isSyncRunning;
  private final AtomicLong delayedSyncs = new AtomicLong();

  LogWriter(
      LogQueue queue,
      LogRelease release,
      AppendOnlyLog.Surroundings surroundings,
      LogObserver observer) {
    this.queue = queue;
    this.release = release;
    this.surroundings = surroundings;
    this.observer = observer;
  }

  // ---- how far it is

  /** The position up to which all is in a file, or in a base. */
  long written() {
    return written;
  }

  /** The position up to which all is on the disk, here or in a base. */
  long synced() {
    return synced.get();
  }

  /** False after a failed sync: nothing of what was written counts without a new base. */
  boolean isTrusted() {
    return distrusted == null;
  }

  /** Bytes in the file that is written to. */
  long fileBytes() {
    LogFile open = file;
    return open == null ? 0 : open.size();
  }

  boolean isSyncRunning() {
    return isSyncRunning;
  }

  /** How many took so long that the next one was late. */
  long delayedSyncs() {
    return delayedSyncs.get();
  }

  // ---- the file

  /** The log goes on in this file; before anything is written. */
  void start(LogFile first) {
    file = first;
  }

  /**
   * A base is in force that holds all up to a position; it goes on in this file. What is to be
   * written before that position is of no use any more.
   */
  void rebased(long position, LogFile next) {
    writing.lock();
    try {
      dropUntil(position);
      change(next);
      forgiveAllBut(next);
      written = Math.max(written, position);
      synced.accumulateAndGet(position, Math::max);
    } finally {
      writing.unlock();
    }
  }

  /** There is no log any more: drops what waits, closes the file. */
  void abandon() {
    writing.lock();
    try {
      dropUntil(Long.MAX_VALUE);
      change(null);
      forgiveAllBut(null);
      written = queue.position(); // of what was dropped nothing is pending
    } finally {
      writing.unlock();
    }
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

  private void forgiveAllBut(@Nullable LogFile next) {
    syncing.lock();
    try {
      distrusted = distrusted == next ? next : null;
    } finally {
      syncing.unlock();
    }
  }

  // ---- writing

  /**
   * Writes what waits, and what others append meanwhile, unless another thread writes or it would
   * take as long as a sync.
   *
   * @return false if something was left because of that, or because its file is not trusted
   */
  boolean writeAtOnce() throws IOException {
    while (isPending()) {
      if (!writing.tryLock()) {
        return false; // that thread may be through with its look at the queue
      }
      try {
        if (!writePending(false)) {
          return false;
        }
      } finally {
        writing.unlock();
      }
    }
    return true;
  }

  /** Writes what waits, as far as the files are trusted. */
  void write() throws IOException {
    if (isPending()) {
      writing.lock();
      try {
        writePending(true);
      } finally {
        writing.unlock();
      }
    }
  }

  /**
   * Writes and syncs what waits.
   *
   * @throws IOException if not all of it is on the disk then, in files of the log
   */
  void writeAndSync() throws IOException {
    writing.lock();
    try {
      if (release.isHeld()) {
        throw new IOException("the log waits for its base, which is still being written");
      }
      if (distrusted != null) {
        throw distrust();
      }
      writePending(true);
      sync();
    } finally {
      writing.unlock();
    }
  }

  private static IOException distrust() {
    return new IOException("the log waits for a new base after a failed sync");
  }

  private boolean isPending() {
    return queue.position() > written;
  }

  /**
   * Writes what waits, with writing held.
   *
   * @param patient whether it may take as long as a sync
   * @return false if it would have to, or a file is not trusted
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
    if (old != null && old.isDirty() && !release.isHeld()) {
      sync();
    }
    change(next);
    return true;
  }

  // ---- syncing

  /**
   * Syncs what is written. While a base is waited for that does not count: no manifest names the
   * file yet.
   *
   * @throws IOException also for a file that failed before: the kernel tells of lost pages once,
   *     and the next sync succeeds without them
   */
  void sync() throws IOException {
    long position = written;
    syncing.lock();
    try {
      LogFile open = file;
      if (open == null) {
        return;
      }
      if (open == distrusted) {
        throw distrust();
      }
      if (open.isDirty()) {
        sync(open);
      }
      if (!release.isHeld()) {
        synced.accumulateAndGet(position, Math::max);
      }
    } finally {
      syncing.unlock();
    }
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
    } else if (nanos > DELAYED_NANOS) {
      delayedSyncs.incrementAndGet();
    }
  }
}
