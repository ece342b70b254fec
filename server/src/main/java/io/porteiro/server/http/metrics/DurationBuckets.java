package io.porteiro.server.http.metrics;

import io.porteiro.server.metrics.LatencyHistogram;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;

/** The buckets in which durations are exposed. */
final class DurationBuckets {
  private static final double NANOS_PER_SECOND = 1e9;

  /** From a look-up in a small filter to a walk over all keys. */
  private static final double[] BOUNDS_SECONDS = {
    1e-6,
    2.5e-6,
    5e-6,
    1e-5,
    2.5e-5,
    5e-5,
    1e-4,
    2.5e-4,
    5e-4,
    1e-3,
    5e-3,
    1e-2,
    5e-2,
    0.1,
    1,
    10,
    Double.POSITIVE_INFINITY
  };

  private DurationBuckets() {}

  /** Other threads count on meanwhile; what is counted here once does not get less. */
  static ClassicHistogramBuckets of(LatencyHistogram latency) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    long below = 0;
    for (double bound : BOUNDS_SECONDS) {
      long upTo = Math.max(below, latency.countUpTo((long) (bound * NANOS_PER_SECOND)));
      buckets.bucket(bound, upTo - below);
      below = upTo;
    }
    return buckets.build();
  }
}
