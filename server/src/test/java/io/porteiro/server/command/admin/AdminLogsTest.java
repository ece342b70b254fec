package io.porteiro.server.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AdminLogsTest {
  @Test
  void quoted_bytes_areEscapedAsRedisDoes() {
    assertThat(QuotedText.of("v\0\"w\\\n\u00ff")).isEqualTo("\"v\\x00\\\"w\\\\\\n\\xff\"");
  }

  @Test
  void latencyMonitor_sameSecond_keepsTheWorst() {
    LatencyMonitor monitor = new LatencyMonitor();
    monitor.add("command", 100, 30);
    monitor.add("command", 100, 20);
    monitor.add("command", 101, 10);
    assertThat(monitor.of("command").samples())
        .containsExactly(new LatencyMonitor.Sample(100, 30), new LatencyMonitor.Sample(101, 10));
    assertThat(monitor.of("command").maxMilliseconds()).isEqualTo(30);
    assertThat(monitor.clear("command")).isTrue();
    assertThat(monitor.clear()).isZero();
  }

  @Test
  void latencyMonitor_manySeconds_keepsTheLast160() {
    LatencyMonitor monitor = new LatencyMonitor();
    for (int second = 0; second < 200; second++) {
      monitor.add("command", second, 1);
    }
    assertThat(monitor.of("command").samples()).hasSize(160);
    assertThat(monitor.of("command").latest().unixSeconds()).isEqualTo(199);
  }

  @Test
  void slowLog_moreThanItMayHold_dropsTheOldest() {
    SlowLog log = new SlowLog();
    for (int i = 0; i < 5; i++) {
      log.add(i, i, List.of("PING"), "a", "n", 3);
    }
    assertThat(log.size()).isEqualTo(3);
    assertThat(log.newest(2)).extracting(SlowLog.Entry::id).containsExactly(4L, 3L);
    log.clear();
    assertThat(log.size()).isZero();
  }
}
