package io.porteiro.server.persistence;

/** How far loading is. Written by the loading thread, read by others. */
final class LoadProgress {
  private final long startedSeconds;
  private final long totalBytes;
  private volatile long loadedBytes;

  /**
   * @param startedSeconds Unix time
   * @param totalBytes of the file
   */
  LoadProgress(long startedSeconds, long totalBytes) {
    this.startedSeconds = startedSeconds;
    this.totalBytes = totalBytes;
  }

  long startedSeconds() {
    return startedSeconds;
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

  /** Seconds until it is done, if it goes on as fast; 1 while nothing can be said. */
  long etaSeconds(long nowSeconds) {
    long elapsed = nowSeconds - startedSeconds;
    return elapsed == 0 || loadedBytes == 0
        ? 1
        : (long) ((double) elapsed * (totalBytes - loadedBytes) / loadedBytes);
  }
}
