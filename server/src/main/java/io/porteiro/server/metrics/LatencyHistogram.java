package io.porteiro.server.metrics;

/**
 * Durations by power of two: bucket i counts those below 2^i nanoseconds and not below 2^(i-1). One
 * writer; readers see whole numbers, perhaps a little old.
 */
public final class LatencyHistogram {
  /** The last bucket holds all that is longer than about 68 seconds. */
  public static final int BUCKETS = 37;

  private final long[] counts = new long[BUCKETS];

  void record(long nanos) {
    int bucket = Math.min(Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, nanos)), BUCKETS - 1);
    counts[bucket]++;
  }

  /** Adds these counts to a sum of length {@link #BUCKETS}. */
  void addTo(long[] sum) {
    for (int i = 0; i < BUCKETS; i++) {
      sum[i] += counts[i];
    }
  }

  void reset() {
    java.util.Arrays.fill(counts, 0);
  }
}
