package io.porteiro.server.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How often durations of which length were seen: exact below 128 ns, above it in buckets less than
 * 1 % wide, which is what Redis's own histograms tell apart.
 *
 * <pre>
 *   row 0      0 .. 127 ns       128 buckets of 1 ns
 *   row 1    128 .. 255 ns       128 buckets of 1 ns
 *   row 2    256 .. 511 ns       128 buckets of 2 ns
 *   row r    2^(r+6) .. 2^(r+7)  128 buckets of 2^(r-1) ns
 * </pre>
 *
 * A row is made when it is first needed; a command's durations lie in a few of them. One writer;
 * readers see whole numbers, perhaps a little old.
 */
public final class LatencyHistogram {
  private static final int BUCKET_BITS = 7;
  private static final int BUCKETS = 1 << BUCKET_BITS;

  /** The last row ends at 2^36 ns, about 68 seconds; what is longer counts as that. */
  private static final int ROWS = 30;

  private static final long MAX_NANOS = (1L << (ROWS + BUCKET_BITS - 1)) - 1;
  private static final int NANOS_PER_MICRO = 1000;

  /** The first power of two that {@link #cumulativeByMicros} tells: about a microsecond. */
  private static final long FIRST_STEP_NANOS = 1024;

  private final long[] @Nullable [] rows = new long[ROWS][];

  void record(long nanos) {
    record(nanos, 1);
  }

  /** The same duration several times. */
  void record(long nanos, int times) {
    long bounded = Math.clamp(nanos, 0, MAX_NANOS);
    int row = row(bounded);
    countsOf(row)[bucket(row, bounded)] += times;
  }

  private long[] countsOf(int row) {
    long[] counts = rows[row];
    if (counts == null) {
      counts = new long[BUCKETS];
      rows[row] = counts;
    }
    return counts;
  }

  private static int row(long nanos) {
    return Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(nanos) - BUCKET_BITS);
  }

  private static int bucket(int row, long nanos) {
    return (int) (nanos >>> Math.max(0, row - 1)) & (BUCKETS - 1);
  }

  /** The longest duration that is counted in a bucket. */
  private static long lastNanos(int row, int bucket) {
    if (row == 0) {
      return bucket;
    }
    return ((long) (BUCKETS + bucket + 1) << (row - 1)) - 1;
  }

  /** Adds another one's counts so many times; a negative number takes them away. */
  void add(LatencyHistogram other, int times) {
    for (int row = 0; row < ROWS; row++) {
      long[] more = other.rows[row];
      if (more != null) {
        add(countsOf(row), more, times);
      }
    }
  }

  private static void add(long[] counts, long[] more, int times) {
    for (int i = 0; i < BUCKETS; i++) {
      counts[i] += times * more[i];
    }
  }

  /** How many durations it has seen. */
  public long count() {
    return countUpTo(MAX_NANOS);
  }

  /**
   * The duration, in nanoseconds, that a part of all durations does not pass; 0 if there is none.
   *
   * @param percentile 0 to 100
   */
  public long percentileNanos(double percentile) {
    long wanted = Math.max(1, Math.round(count() * percentile / 100));
    long seen = 0;
    for (int row = 0; row < ROWS; row++) {
      for (int i = 0; i < BUCKETS; i++) {
        long count = count(row, i);
        seen += count;
        if (count > 0 && seen >= wanted) {
          return lastNanos(row, i);
        }
      }
    }
    return 0;
  }

  private long count(int row, int bucket) {
    long[] counts = rows[row];
    return counts == null ? 0 : counts[bucket];
  }

  /** How many durations were at most so long; those that share its bucket count, too. */
  public long countUpTo(long nanos) {
    return countUpToBounded(Math.min(nanos, MAX_NANOS));
  }

  private long countUpToBounded(long nanos) {
    long sum = 0;
    int lastRow = row(nanos);
    for (int row = 0; row <= lastRow; row++) {
      int lastBucket = row < lastRow ? BUCKETS - 1 : bucket(row, nanos);
      for (int i = 0; i <= lastBucket && rows[row] != null; i++) {
        sum += count(row, i);
      }
    }
    return sum;
  }

  /**
   * How many durations were at most so many microseconds, for about each power of two of them, up
   * to the longest duration; only where there are more than a step before.
   */
  public Map<Long, Long> cumulativeByMicros() {
    Map<Long, Long> steps = new LinkedHashMap<>();
    long total = count();
    long seen = 0;
    for (long nanos = FIRST_STEP_NANOS; seen < total; nanos <<= 1) {
      long end = nanos > MAX_NANOS ? MAX_NANOS : lastNanos(row(nanos), bucket(row(nanos), nanos));
      long count = countUpTo(end);
      if (count > seen) {
        steps.put(end / NANOS_PER_MICRO, count);
      }
      seen = count;
    }
    return steps;
  }
}
