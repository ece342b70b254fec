package io.porteiro.server.persistence;

import java.util.concurrent.atomic.AtomicLong;

/** How far a save is, and whether it is still wanted. Written and read by several threads. */
final class SaveProgress {
  private final long startedSeconds;
  private final long keysTotal;
  private final AtomicLong keysSaved = new AtomicLong();
  private volatile boolean abandoned;

  SaveProgress(long startedSeconds, long keysTotal) {
    this.startedSeconds = startedSeconds;
    this.keysTotal = keysTotal;
  }

  /** Unix time. */
  long startedSeconds() {
    return startedSeconds;
  }

  /** Keys when it began. */
  long keysTotal() {
    return keysTotal;
  }

  void keySaved() {
    keysSaved.incrementAndGet();
  }

  long keysSaved() {
    return keysSaved.get();
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
