package io.porteiro.server.metrics;

import java.util.stream.LongStream;

/**
 * Durations by power of two: bucket i counts those below 2^i nanoseconds and not below 2^(i-1). One
 * writer; readers see whole numbers, perhaps a little old.
 */
public final class LatencyHistogram {
  /** The last bucket holds all that is longer than about 68 seconds. */
  public static final int BUCKETS = 37;

  private final long[] counts = new long[BUCKETS];

  /** Durations counted in a bucket are below this many nanoseconds. */
  public static long endNanos(int bucket) {
    return 1L << bucket;
  }

  /**
   * The end of the bucket within which a part of all durations lie, in nanoseconds; 0 for none.
   *
   * @param percentile 0 to 100
   */
  public static long percentileNanos(long[] buckets, double percentile) {
    long total = LongStream.of(buckets).sum();
    long wanted = Math.max(1, (long) Math.ceil(total * percentile / 100));
    long seen = 0;
    for (int i = 0; i < buckets.length; i++) {
      seen += buckets[i];
      if (seen >= wanted) {
        return endNanos(i);
      }
    }
    return 0;
  }

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
}
