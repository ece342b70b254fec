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
    one.keyspaceHits(1);
    metrics.errorReply("ERR no");
    metrics.connectionReceived();
    metrics.reset();
    assertThat(metrics.calls(1)).isZero();
    assertThat(metrics.latency(1).count()).isZero();
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
      metrics.sample(tenth * 100_000_000L, 1000 + tenth, 0);
      for (int i = 0; i < 50; i++) {
        one.executed(0, 1);
      }
    }
    assertThat((double) metrics.operationsPerSecond()).isCloseTo(500, within(50.0));
    assertThat(metrics.peakBytes(0)).isEqualTo(1029);
    assertThat(metrics.peakBytes(5000)).isEqualTo(5000);
  }

  @Test
  void reset_rates_beginAtZero() {
    metrics.sample(0, 0, 0);
    one.executed(0, 1);
    metrics.sample(1_000_000_000L, 0, 0);
    assertThat(metrics.operationsPerSecond()).isEqualTo(1);
    metrics.reset();
    assertThat(metrics.operationsPerSecond()).isZero();
    metrics.sample(2_000_000_000L, 0, 0);
    assertThat(metrics.operationsPerSecond()).isZero();
  }

  @Test
  void overLimit_whileMoreIsUsedThanMaxmemory_growsAndThenStays() {
    metrics.sample(0, 10, 10);
    metrics.sample(1_000_000_000L, 11, 10);
    assertThat(metrics.overLimit().currentMilliseconds()).isZero();
    metrics.sample(3_000_000_000L, 12, 10);
    assertThat(metrics.overLimit().currentMilliseconds()).isEqualTo(2000);
    assertThat(metrics.overLimit().totalMilliseconds()).isEqualTo(2000);
    metrics.sample(4_000_000_000L, 9, 10);
    assertThat(metrics.overLimit().currentMilliseconds()).isZero();
    assertThat(metrics.overLimit().totalMilliseconds()).isEqualTo(3000);
    metrics.reset();
    assertThat(metrics.overLimit().totalMilliseconds()).isZero();
  }

  @Test
  void expiry_cycles_areARunningAverage() {
    metrics.expiry().cycle(2_000_000, 10, 10, true);
    metrics.expiry().cycle(3_000_000, 0, 0, false);
    assertThat(metrics.expiry().stalePercent()).isCloseTo(4.75, within(1e-9));
    assertThat(metrics.expiry().cutShort()).isEqualTo(1);
    assertThat(metrics.expiry().milliseconds()).isEqualTo(5);
    metrics.reset();
    assertThat(metrics.expiry().stalePercent()).isZero();
    assertThat(metrics.expiry().cutShort()).isZero();
    assertThat(metrics.expiry().milliseconds()).isZero();
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
    assertThat(MachineMemory.ofThisProcess().totalBytes())
        .isGreaterThan(ProcessStats.residentBytes());
  }
}
