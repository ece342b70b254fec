package io.porteiro.server.metrics;

import java.util.concurrent.TimeUnit;

/** What the background removal of expired keys does. One thread tells; any may ask. */
public final class ExpiryFigures {
  /** How much the latest cycle weighs in the running average, as in Redis. */
  private static final double LATEST = 0.05;

  private volatile double stalePercent;
  private volatile long cutShort;
  private volatile long nanos;

  ExpiryFigures() {}

  /**
   * A cycle is over.
   *
   * @param durationNanos how long it took
   * @param seen keys with an expiry that it looked at
   * @param stale those of them that were past their time
   * @param outOfTime whether it ended because its time was up
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // told by one thread; a reset meanwhile may be lost
  public void cycle(long durationNanos, long seen, long stale, boolean outOfTime) {
    nanos += durationNanos;
    cutShort += outOfTime ? 1 : 0;
    double percent = seen == 0 ? 0 : 100.0 * stale / seen;
    stalePercent = percent * LATEST + stalePercent * (1 - LATEST);
  }

  /** About how many of the keys with an expiry are past their time and still there, in percent. */
  public double stalePercent() {
    return stalePercent;
  }

  /** Cycles that did not see all there was, because their time was up. */
  public long cutShort() {
    return cutShort;
  }

  /** How long all cycles took together. */
  public long milliseconds() {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  void reset() {
    stalePercent = 0;
    cutShort = 0;
    nanos = 0;
  }
}
