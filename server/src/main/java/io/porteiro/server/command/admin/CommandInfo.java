package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.metrics.InfoText;
import io.porteiro.server.metrics.LatencyHistogram;
import io.porteiro.server.metrics.Metrics;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** INFO on each command: how often it was called, how long it took, what errors there were. */
final class CommandInfo {
  private static final double NANOS_PER_MICRO = 1000;

  private CommandInfo() {}

  static void calls(InfoText info, CommandContext context) {
    Metrics metrics = context.services().metrics();
    info.section("Commandstats");
    for (CommandSpec spec : context.services().table().byId()) {
      long calls = metrics.calls(spec.id());
      long rejected = metrics.rejectedCalls(spec.id());
      if (calls + rejected > 0) {
        info.field("cmdstat_" + spec.fullName(), calls(metrics, spec.id(), calls, rejected));
      }
    }
  }

  private static String calls(Metrics metrics, int command, long calls, long rejected) {
    double micros = metrics.nanos(command) / NANOS_PER_MICRO;
    return String.format(
        Locale.ROOT,
        "calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d",
        calls,
        Math.round(micros),
        calls == 0 ? 0 : micros / calls,
        rejected,
        metrics.failedCalls(command));
  }

  static void errors(InfoText info, CommandContext context) {
    info.section("Errorstats");
    context
        .services()
        .metrics()
        .errorsByKind()
        .forEach((kind, count) -> info.field("errorstat_" + kind, "count=" + count));
  }

  static void latencies(InfoText info, CommandContext context) {
    info.section("Latencystats");
    List<String> percentiles = context.config().latencyTrackingInfoPercentiles();
    if (!context.config().latencyTracking() || percentiles.isEmpty()) {
      return;
    }
    Metrics metrics = context.services().metrics();
    for (CommandSpec spec : context.services().table().byId()) {
      LatencyHistogram latency = metrics.latency(spec.id());
      if (latency.count() > 0) {
        info.field("latency_percentiles_usec_" + spec.fullName(), latencies(latency, percentiles));
      }
    }
  }

  private static String latencies(LatencyHistogram latency, List<String> percentiles) {
    return percentiles.stream()
        .map(percentile -> "p" + percentile + "=" + micros(latency, percentile))
        .collect(Collectors.joining(","));
  }

  private static String micros(LatencyHistogram latency, String percentile) {
    long nanos = latency.percentileNanos(Double.parseDouble(percentile));
    return String.format(Locale.ROOT, "%.3f", nanos / NANOS_PER_MICRO);
  }
}
