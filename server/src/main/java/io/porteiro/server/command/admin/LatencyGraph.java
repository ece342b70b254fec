package io.porteiro.server.command.admin;

import java.util.List;

/** The samples of an event as columns of characters, the newest on the right. */
final class LatencyGraph {
  private static final int ROWS = 4;
  private static final int COLUMNS = 80;

  private LatencyGraph() {}

  static String draw(String event, LatencyMonitor.History history) {
    List<LatencyMonitor.Sample> all = history.samples();
    List<LatencyMonitor.Sample> shown = all.subList(Math.max(0, all.size() - COLUMNS), all.size());
    long high = shown.stream().mapToLong(LatencyMonitor.Sample::milliseconds).max().orElse(0);
    long low = shown.stream().mapToLong(LatencyMonitor.Sample::milliseconds).min().orElse(0);
    StringBuilder text = new StringBuilder();
    text.append(event).append(" - high ").append(high).append(" ms, low ").append(low);
    text.append(" ms (all time high ").append(history.maxMilliseconds()).append(" ms)\n");
    text.append("-".repeat(COLUMNS)).append('\n');
    for (int row = ROWS; row > 0; row--) {
      appendRow(text, shown, row, high);
    }
    return text.toString();
  }

  private static void appendRow(
      StringBuilder text, List<LatencyMonitor.Sample> samples, int row, long high) {
    for (LatencyMonitor.Sample sample : samples) {
      long height = high == 0 ? 1 : Math.ceilDiv(sample.milliseconds() * ROWS, high);
      text.append(Math.max(1, height) >= row ? '#' : ' ');
    }
    text.append('\n');
  }
}
