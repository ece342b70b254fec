package io.porteiro.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MetricsTest {
  private final Metrics metrics = new Metrics(2);
  private final LoopMetrics one = metrics.newLoop();
  private final LoopMetrics two = metrics.newLoop();

  @Test
  void counters_ofAllLoops_addUp() {
    one.executed(0, 1000);
    two.executed(0, 2000);
    two.failed(0);
    two.rejected(1);
    one.bytesIn(5);
    two.bytesIn(6);
    assertThat(metrics.calls(0)).isEqualTo(2);
    assertThat(metrics.nanos(0)).isEqualTo(3000);
    assertThat(metrics.failedCalls(0)).isEqualTo(1);
    assertThat(metrics.rejectedCalls(1)).isEqualTo(1);
    assertThat(metrics.bytesIn()).isEqualTo(11);
    assertThat(metrics.commandsProcessed()).isEqualTo(2);
  }

  @Test
  void reset_countersAndErrors_beginAtZero() {
    one.executed(1, 1000);
    one.keyspaceHit();
    metrics.errorReply("ERR no");
    metrics.connectionReceived();
    metrics.reset();
    assertThat(metrics.calls(1)).isZero();
    assertThat(metrics.latencyBuckets(1)).containsOnly(0);
    assertThat(metrics.keyspaceHits()).isZero();
    assertThat(metrics.errorReplies()).isZero();
    assertThat(metrics.errorsByKind()).isEmpty();
    assertThat(metrics.connectionsReceived()).isZero();
    one.executed(1, 1000);
    assertThat(metrics.calls(1)).isEqualTo(1);
    assertThat(metrics.commandsProcessed()).isEqualTo(1);
  }

  /** Clients can make up error kinds; they must not fill the memory. */
  @Test
  void errorReply_endlessKinds_areBounded() {
    for (int i = 0; i < 10_000; i++) {
      metrics.errorReply("E" + i + " text");
    }
    assertThat(metrics.errorsByKind()).hasSizeLessThan(200);
    assertThat(metrics.errorReplies()).isEqualTo(10_000);
  }

  @Test
  void sample_steadyGrowth_givesItsRate() {
    for (int tenth = 0; tenth < 30; tenth++) {
      metrics.sample(tenth * 100_000_000L, 1000 + tenth);
      for (int i = 0; i < 50; i++) {
        one.executed(0, 1);
      }
    }
    assertThat((double) metrics.operationsPerSecond()).isCloseTo(500, within(50.0));
    assertThat(metrics.peakBytes(0)).isEqualTo(1029);
    assertThat(metrics.peakBytes(5000)).isEqualTo(5000);
  }

  @Test
  void percentile_buckets_areTheirUpperEnds() {
    LatencyHistogram histogram = new LatencyHistogram();
    for (int i = 0; i < 99; i++) {
      histogram.record(900);
    }
    histogram.record(1_000_000);
    long[] buckets = new long[LatencyHistogram.BUCKETS];
    histogram.addTo(buckets);
    assertThat(LatencyHistogram.percentileNanos(buckets, 50)).isEqualTo(1024);
    assertThat(LatencyHistogram.percentileNanos(buckets, 99)).isEqualTo(1024);
    assertThat(LatencyHistogram.percentileNanos(buckets, 100)).isEqualTo(1 << 20);
    assertThat(LatencyHistogram.percentileNanos(new long[LatencyHistogram.BUCKETS], 50)).isZero();
  }

  @Test
  void human_bytes_useTheLargestUnit() {
    assertThat(InfoText.human(0)).isEqualTo("0B");
    assertThat(InfoText.human(1023)).isEqualTo("1023B");
    assertThat(InfoText.human(916_384)).isEqualTo("894.91K");
    assertThat(InfoText.human(3L << 30)).isEqualTo("3.00G");
  }

  @Test
  void processStats_thisProcess_hasMemoryAndTime() {
    assertThat(ProcessStats.residentBytes()).isGreaterThan(1 << 20);
    assertThat(ProcessStats.userSeconds()).isPositive();
    assertThat(ProcessStats.totalMemoryBytes()).isGreaterThan(ProcessStats.residentBytes());
  }
}
