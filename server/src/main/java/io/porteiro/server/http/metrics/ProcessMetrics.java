package io.porteiro.server.http.metrics;

import io.porteiro.server.metrics.ProcessStats;
import java.time.Instant;

/** What every exporter tells of its process, under the names that all of them use. */
final class ProcessMetrics implements MetricSource {
  private static final double MILLIS_PER_SECOND = 1000;

  private final double startSeconds =
      ProcessHandle.current().info().startInstant().map(Instant::toEpochMilli).orElse(0L)
          / MILLIS_PER_SECOND;

  @Override
  public void addTo(Families families) {
    families.counter(
        "process_cpu_seconds",
        "Processor time used, in user and in kernel mode.",
        ProcessStats.userSeconds() + ProcessStats.systemSeconds());
    families.gauge(
        "process_start_time_seconds", "Unix time at which the process started.", startSeconds);
    families.gauge(
        "process_resident_memory_bytes",
        "Memory that is resident, the JVM's own included.",
        ProcessStats.residentBytes());
    families.gauge("process_virtual_memory_bytes", "Address space.", ProcessStats.virtualBytes());
    families.gauge(
        "process_open_fds", "Files and sockets that are open.", ProcessStats.openFiles());
    families.gauge(
        "process_max_fds", "Files and sockets that may be open.", ProcessStats.maxOpenFiles());
  }
}
