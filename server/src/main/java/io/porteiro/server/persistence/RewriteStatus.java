package io.porteiro.server.persistence;

/** What became of the log rewrites so far. Written by the snapshot thread, read by others. */
final class RewriteStatus {
  /** In place of a duration: there was no rewrite yet. */
  static final long NEVER = -1;

  private volatile long rewrites;
  private volatile boolean lastOk = true;
  private volatile long consecutiveFailures;
  private volatile long lastDurationSeconds = NEVER;
  private volatile long lastEndSeconds;

  synchronized void completed(long startedSeconds, long nowSeconds) {
    ended(startedSeconds, nowSeconds);
    lastOk = true;
    consecutiveFailures = 0;
  }

  synchronized void failed(SnapshotFailure.Kind kind, long startedSeconds, long nowSeconds) {
    ended(startedSeconds, nowSeconds);
    if (kind != SnapshotFailure.Kind.ABANDONED) {
      lastOk = false;
      consecutiveFailures = consecutiveFailures + 1;
    }
  }

  private void ended(long startedSeconds, long nowSeconds) {
    lastDurationSeconds = nowSeconds - startedSeconds;
    lastEndSeconds = nowSeconds;
  }

  synchronized void begun() {
    rewrites = rewrites + 1;
  }

  /** A rewrite was asked for: earlier failures do not hold it up. */
  synchronized void forgiveFailures() {
    consecutiveFailures = 0;
  }

  /** How many were begun. */
  long rewrites() {
    return rewrites;
  }

  boolean isLastOk() {
    return lastOk;
  }

  /** How many failed since the last that succeeded or was asked for. */
  long consecutiveFailures() {
    return consecutiveFailures;
  }

  /** How long the last one took, or {@link #NEVER}. */
  long lastDurationSeconds() {
    return lastDurationSeconds;
  }

  /** Unix time at which the last one ended, 0 if there was none. */
  long lastEndSeconds() {
    return lastEndSeconds;
  }
}
