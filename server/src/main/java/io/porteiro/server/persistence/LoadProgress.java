package io.porteiro.server.persistence;

/** How far loading is. Written by the loading thread, read by others. */
final class LoadProgress {
  private final long startedMs;
  private final long totalBytes;
  private volatile long loadedBytes;

  /**
   * Nothing is loaded yet.
   *
   * @param startedMs Unix time
   * @param totalBytes of the file
   */
  LoadProgress(long startedMs, long totalBytes) {
    this.startedMs = startedMs;
    this.totalBytes = totalBytes;
  }

  /** Unix time. */
  long startedSeconds() {
    return startedMs / 1000;
  }

  long totalBytes() {
    return totalBytes;
  }

  long loadedBytes() {
    return loadedBytes;
  }

  void setLoadedBytes(long bytes) {
    loadedBytes = bytes;
  }

  double percent() {
    return totalBytes == 0 ? 100 : 100.0 * loadedBytes / totalBytes;
  }

  /** Since the beginning. */
  long bytesPerSecond(long nowMs) {
    return loadedBytes * 1000 / Math.max(1, nowMs - startedMs);
  }

  /** Seconds until it is done, if it goes on as fast; 1 while nothing can be said. */
  long etaSeconds(long nowMs) {
    long elapsedMs = nowMs - startedMs;
    return elapsedMs < 1000 || loadedBytes == 0
        ? 1
        : (long) (elapsedMs / 1000.0 * (totalBytes - loadedBytes) / loadedBytes);
  }
}
