package io.porteiro.server.metrics;

/**
 * How fast a counter grows, from its last 16 samples. One thread samples; others may read and see a
 * rate a moment old.
 */
final class Rate {
  private static final int SAMPLES = 16;
  private static final double NANOS_PER_SECOND = 1e9;

  private final long[] nanos = new long[SAMPLES];
  private final long[] counts = new long[SAMPLES];
  private int samples;
  private volatile double perSecond;
  private volatile boolean reset;

  /** Begins anew with the next sample. Any thread. */
  void reset() {
    perSecond = 0;
    reset = true;
  }

  void sample(long nowNanos, long count) {
    if (reset) {
      reset = false;
      samples = 0;
    }
    int slot = samples % SAMPLES;
    if (samples > 0) {
      int oldest = samples < SAMPLES ? 0 : slot;
      long elapsed = nowNanos - nanos[oldest];
      perSecond = elapsed <= 0 ? 0 : (count - counts[oldest]) * NANOS_PER_SECOND / elapsed;
    }
    nanos[slot] = nowNanos;
    counts[slot] = count;
    samples++;
  }

  double perSecond() {
    return perSecond;
  }
}
