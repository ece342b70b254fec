package io.porteiro.server.persistence;

/**
 * How far a save is, and whether it is still wanted. Written by the saving thread, read by several.
 */
final class SaveProgress {
  /** What a key counts for besides its value, in telling how much is done. */
  private static final long KEY_BYTES = 32;

  private static final double ALMOST = 99.99;

  private final long startedMs;
  private final long keysTotal;
  private final long bytesTotal;
  private volatile long keysSaved;
  private volatile long bytesSaved;
  private volatile long bytesWritten;

  /** Of {@link #bytesWritten}, those of whole entries; the rest is of one large entry. */
  private volatile long bytesWrittenOfEntries;

  private volatile long memoryBytes;
  private volatile long memoryPeakBytes;
  private volatile long cutMicros;
  private volatile long restedMs;
  private volatile boolean abandoned;

  /**
   * Nothing is saved yet.
   *
   * @param startedMs Unix time
   * @param valueBytes of all values, as they are in memory
   */
  SaveProgress(long startedMs, long keysTotal, long valueBytes) {
    this.startedMs = startedMs;
    this.keysTotal = keysTotal;
    this.bytesTotal = valueBytes + KEY_BYTES * keysTotal;
  }

  /** Unix time. */
  long startedSeconds() {
    return startedMs / 1000;
  }

  long elapsedMs(long nowMs) {
    return nowMs - startedMs;
  }

  /** Keys when it began. */
  long keysTotal() {
    return keysTotal;
  }

  /** All shards were locked for so long. */
  void cut(long nanos) {
    cutMicros = nanos / 1000;
  }

  long cutMicros() {
    return cutMicros;
  }

  /** A key is in the output, with its value of so many bytes in memory. */
  void keySaved(long valueBytes) {
    set(keysSaved + 1, bytesSaved + KEY_BYTES + valueBytes);
    bytesWrittenOfEntries = bytesWritten;
  }

  private void set(long keys, long bytes) {
    keysSaved = keys;
    bytesSaved = bytes;
  }

  long keysSaved() {
    return keysSaved;
  }

  /** So many bytes more went to the file. */
  void written(long bytes) {
    setBytesWritten(bytesWritten + bytes);
  }

  private void setBytesWritten(long bytes) {
    bytesWritten = bytes;
  }

  long bytesWritten() {
    return bytesWritten;
  }

  /** The snapshot takes so many bytes besides the data now. */
  void memory(long bytes) {
    memoryBytes = bytes;
    memoryPeakBytes = Math.max(memoryPeakBytes, bytes);
  }

  long memoryBytes() {
    return memoryBytes;
  }

  /** The most it took so far. */
  long memoryPeakBytes() {
    return memoryPeakBytes;
  }

  /** How much of the data is saved; below 100 until it is done. */
  double percent() {
    double done = bytesSaved + bytesWritten - bytesWrittenOfEntries;
    return bytesTotal == 0 ? 0 : Math.min(ALMOST, 100 * done / bytesTotal);
  }

  /** Bytes of the file a second, since the beginning. */
  long bytesPerSecond(long nowMs) {
    return bytesWritten * 1000 / Math.max(1, nowMs - startedMs);
  }

  /** Seconds until it is done, if it goes on as fast; 0 while nothing can be said. */
  long etaSeconds(long nowMs) {
    double percent = percent();
    return percent == 0 ? 0 : Math.round((nowMs - startedMs) / 1000.0 * (100 / percent - 1));
  }

  /** It has given way to clients for so long so far. */
  void rested(long ms) {
    restedMs = ms;
  }

  long restedMs() {
    return restedMs;
  }

  void abandon() {
    abandoned = true;
  }

  boolean isAbandoned() {
    return abandoned;
  }

  void checkAbandoned() throws AbandonedException {
    if (abandoned) {
      throw new AbandonedException();
    }
  }
}
