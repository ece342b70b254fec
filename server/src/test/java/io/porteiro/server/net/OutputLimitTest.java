package io.porteiro.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.config.OutputBufferLimit;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OutputLimitTest {
  private long nowMs = 1000;
  private final OutputLimit limit = new OutputLimit(() -> Instant.ofEpochMilli(nowMs));

  @Test
  void hardLimit_reached_isExceededAtOnce() {
    OutputBufferLimit hard = new OutputBufferLimit(100, 0, 0);
    assertThat(limit.isExceeded(hard, 99)).isFalse();
    assertThat(limit.isExceeded(hard, 100)).isTrue();
  }

  @Test
  void softLimit_isExceededOnlyAfterItsSeconds() {
    OutputBufferLimit soft = new OutputBufferLimit(0, 50, 10);
    assertThat(limit.isExceeded(soft, 60)).isFalse();
    nowMs += 10_000;
    assertThat(limit.isExceeded(soft, 60)).isFalse();
    nowMs += 1;
    assertThat(limit.isExceeded(soft, 60)).isTrue();
  }

  @Test
  void softLimit_fallenBelowMeanwhile_startsAfresh() {
    OutputBufferLimit soft = new OutputBufferLimit(0, 50, 10);
    limit.isExceeded(soft, 60);
    nowMs += 9_000;
    assertThat(limit.isExceeded(soft, 49)).isFalse();
    assertThat(limit.isExceeded(soft, 60)).isFalse();
    nowMs += 9_000;
    assertThat(limit.isExceeded(soft, 60)).isFalse();
  }

  @Test
  void zeroLimits_areNone() {
    assertThat(limit.isExceeded(new OutputBufferLimit(0, 0, 0), Long.MAX_VALUE)).isFalse();
  }
}
