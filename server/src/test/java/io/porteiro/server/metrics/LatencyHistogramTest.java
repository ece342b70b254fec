package io.porteiro.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private static final long SEED = 20_261_130;

  private final LatencyHistogram histogram = new LatencyHistogram();

  @Test
  void percentiles_randomDurations_areAtMostOnePercentAboveTheTrueOnes() {
    Random random = new Random(SEED);
    long[] durations = new long[10_000];
    for (int i = 0; i < durations.length; i++) {
      durations[i] = (long) Math.pow(10, 10 * random.nextDouble());
      histogram.record(durations[i]);
    }
    Arrays.sort(durations);
    assertThat(histogram.count()).isEqualTo(durations.length);
    for (double percentile : new double[] {0.01, 1, 50, 90, 99, 99.9, 100}) {
      long truth = durations[(int) Math.round(percentile * durations.length / 100) - 1];
      assertThat(histogram.percentileNanos(percentile))
          .as("p%s, seed %d", percentile, SEED)
          .isBetween(truth, truth + truth / 100 + 1);
    }
  }

  @Test
  void percentile_edgesOfRows_areWhereTheyWerePut() {
    for (int bits = 0; bits < 36; bits++) {
      for (long nanos : new long[] {(1L << bits) - 1, 1L << bits}) {
        LatencyHistogram one = new LatencyHistogram();
        one.record(nanos);
        assertThat(one.percentileNanos(50)).isBetween(nanos, nanos + nanos / 127);
      }
    }
  }

  @Test
  void percentile_nothingRecorded_isZero() {
    assertThat(histogram.percentileNanos(50)).isZero();
    assertThat(histogram.cumulativeByMicros()).isEmpty();
  }

  @Test
  void record_outOfRange_countsAsTheNearest() {
    histogram.record(-5);
    histogram.record(Long.MAX_VALUE);
    assertThat(histogram.count()).isEqualTo(2);
    assertThat(histogram.percentileNanos(50)).isZero();
    assertThat(histogram.percentileNanos(100)).isEqualTo((1L << 36) - 1);
    assertThat(histogram.cumulativeByMicros()).containsValue(2L);
  }

  /** The steps are those of Redis's LATENCY HISTOGRAM. */
  @Test
  void cumulative_powersOfTwo_areToldInMicroseconds() {
    for (long micros : new long[] {1, 2, 33, 33, 1000}) {
      histogram.record(micros * 1000);
    }
    assertThat(histogram.cumulativeByMicros())
        .containsExactly(
            Map.entry(1L, 1L), Map.entry(2L, 2L), Map.entry(33L, 4L), Map.entry(1056L, 5L));
  }

  @Test
  void add_negative_takesAway() {
    histogram.record(500);
    LatencyHistogram both = new LatencyHistogram();
    both.add(histogram, 1);
    both.add(histogram, 1);
    both.add(histogram, -1);
    assertThat(both.count()).isEqualTo(1);
    assertThat(both.percentileNanos(100)).isEqualTo(histogram.percentileNanos(100));
  }
}
