package io.porteiro.server.metrics;

import java.util.concurrent.TimeUnit;

/**
 * How long more memory was in use than {@code maxmemory} allows, as far as samples tell. One thread
 * samples; any may ask.
 */
public final class OverLimit {
  private static final long NEVER = -1;

  private long sinceNanos = NEVER;
  private volatile long currentNanos;
  private volatile long endedNanos;
  private volatile boolean reset;

  OverLimit() {}

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread samples
  void sample(long nowNanos, boolean over) {
    if (reset) {
      reset = false;
      sinceNanos = NEVER;
      currentNanos = 0;
      endedNanos = 0;
    }
    if (over && sinceNanos == NEVER) {
      sinceNanos = nowNanos;
    }
    currentNanos = sinceNanos == NEVER ? 0 : nowNanos - sinceNanos;
    if (!over) {
      endedNanos += currentNanos;
      currentNanos = 0;
      sinceNanos = NEVER;
    }
  }

  /** Of the time that has not ended yet; 0 while there is enough. */
  public long currentMilliseconds() {
    return reset ? 0 : TimeUnit.NANOSECONDS.toMillis(currentNanos);
  }

  /** All such times together, the current one included. */
  public long totalMilliseconds() {
    return reset ? 0 : TimeUnit.NANOSECONDS.toMillis(endedNanos + currentNanos);
  }

  /** Any thread. */
  void reset() {
    reset = true;
  }
}
