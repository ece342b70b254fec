package io.porteiro.server.persistence;

/** What became of the saves so far. Written by the saving thread, read by others. */
final class SaveStatus {
  /** In place of a duration: there was no background save yet. */
  static final long NEVER = -1;

  private volatile long lastSaveSeconds;
  private volatile long changesAtLastSave;
  private volatile long saves;
  private volatile boolean lastBackgroundOk = true;
  private volatile boolean unwritable;
  private volatile long lastBackgroundStartSeconds;
  private volatile long lastBackgroundDurationSeconds = NEVER;

  /**
   * Nothing was saved yet.
   *
   * @param startSeconds Unix time of the start
   */
  SaveStatus(long startSeconds) {
    this.lastSaveSeconds = startSeconds;
  }

  /**
   * A snapshot is in place.
   *
   * @param changes the keyspace's count when it began
   */
  synchronized void saved(long changes, long nowSeconds) {
    changesAtLastSave = changes;
    lastSaveSeconds = nowSeconds;
    saves = saves + 1;
    lastBackgroundOk = true;
    unwritable = false;
  }

  void backgroundStarted(long nowSeconds) {
    lastBackgroundStartSeconds = nowSeconds;
  }

  void backgroundEnded(long nowSeconds) {
    lastBackgroundDurationSeconds = nowSeconds - lastBackgroundStartSeconds;
  }

  /** One that was abandoned says nothing about the next. */
  void backgroundFailed(SnapshotFailure.Kind kind, long nowSeconds) {
    if (kind != SnapshotFailure.Kind.ABANDONED) {
      backgroundEnded(nowSeconds);
      lastBackgroundOk = false;
      if (kind == SnapshotFailure.Kind.FAILED) {
        unwritable = true;
      }
    }
  }

  /** Whether a background save could not write its file, and none has succeeded since. */
  boolean isUnwritable() {
    return unwritable;
  }

  /** What is in the file is what is in memory, as after loading. */
  void setChangesAtLastSave(long changes) {
    changesAtLastSave = changes;
  }

  /** Unix time of the last successful save, or of the start. */
  long lastSaveSeconds() {
    return lastSaveSeconds;
  }

  long changesAtLastSave() {
    return changesAtLastSave;
  }

  /** How many succeeded. */
  long saves() {
    return saves;
  }

  boolean isLastBackgroundOk() {
    return lastBackgroundOk;
  }

  /** Unix time at which the last background save began, 0 if there was none. */
  long lastBackgroundStartSeconds() {
    return lastBackgroundStartSeconds;
  }

  /** How long the last background save took, or {@link #NEVER}. */
  long lastBackgroundDurationSeconds() {
    return lastBackgroundDurationSeconds;
  }
}
