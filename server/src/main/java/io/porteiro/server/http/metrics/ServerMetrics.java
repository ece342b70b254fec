package io.porteiro.server.http.metrics;

import io.porteiro.server.config.ServerVersion;
import io.porteiro.server.http.health.Heartbeats;
import io.porteiro.server.http.health.Readiness;
import io.prometheus.metrics.model.snapshots.Labels;

/** Which server this is, and how it is. */
final class ServerMetrics implements MetricSource {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Readiness readiness;
  private final Heartbeats heartbeats;

  ServerMetrics(Readiness readiness, Heartbeats heartbeats) {
    this.readiness = readiness;
    this.heartbeats = heartbeats;
  }

  @Override
  public void addTo(Families families) {
    families.info(
        "porteiro_build",
        "The versions of Porteiro and of the Redis that it answers as.",
        "version",
        ServerVersion.PORTEIRO,
        "redis_version",
        ServerVersion.REDIS);
    families.gauge(
        "porteiro_ready",
        "1 if /readyz says so: loaded, and writes are accepted.",
        readiness.obstacle() == null ? 1 : 0);
    families.gauge(
        "porteiro_event_loop_delay_seconds",
        "How long the last task that was given to an event loop waited there.",
        heartbeats.all(),
        heart -> Labels.of("loop", heart.name()),
        heart -> heart.delayNanos() / NANOS_PER_SECOND);
  }
}
