package io.porteiro.server.http.metrics;

import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Services;
import io.porteiro.server.metrics.Metrics;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;

/** What was executed, how often, and how long it took. Only commands that were called. */
final class CommandMetrics implements MetricSource {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<CommandSpec> commands;
  private final Metrics metrics;

  CommandMetrics(Services services) {
    this.commands = services.table().byId();
    this.metrics = services.metrics();
  }

  @Override
  public void addTo(Families families) {
    counts(families);
    durations(families);
    families.counter(
        "porteiro_error_replies",
        "Error replies by their first word.",
        metrics.errorsByKind().entrySet(),
        error -> Labels.of("error", error.getKey()),
        error -> error.getValue());
  }

  private void counts(Families families) {
    List<CommandSpec> called = commands.stream().filter(this::wasCalled).toList();
    families.counter(
        "porteiro_commands",
        "Commands executed.",
        called,
        CommandMetrics::labels,
        command -> metrics.calls(command.id()));
    families.counter(
        "porteiro_commands_failed",
        "Commands executed that answered an error.",
        called,
        CommandMetrics::labels,
        command -> metrics.failedCalls(command.id()));
    families.counter(
        "porteiro_commands_rejected",
        "Commands refused before they were executed.",
        called,
        CommandMetrics::labels,
        command -> metrics.rejectedCalls(command.id()));
  }

  private void durations(Families families) {
    families.histogram(
        "porteiro_command_duration_seconds",
        "Time in which commands were executed, without the time on the network.",
        commands.stream().filter(command -> metrics.calls(command.id()) > 0).toList(),
        CommandMetrics::labels,
        command -> DurationBuckets.of(metrics.latency(command.id())),
        command -> metrics.nanos(command.id()) / NANOS_PER_SECOND);
  }

  private boolean wasCalled(CommandSpec command) {
    return metrics.calls(command.id()) > 0 || metrics.rejectedCalls(command.id()) > 0;
  }

  private static Labels labels(CommandSpec command) {
    return Labels.of("command", command.fullName());
  }
}
