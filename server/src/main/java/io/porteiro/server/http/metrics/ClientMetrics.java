package io.porteiro.server.http.metrics;

import io.porteiro.server.command.Services;
import io.porteiro.server.command.Session;
import io.porteiro.server.metrics.ClientLosses;
import io.porteiro.server.metrics.Metrics;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Collection;
import java.util.Map;

/** Connections, and what goes over them. */
final class ClientMetrics implements MetricSource {
  private final Services services;

  ClientMetrics(Services services) {
    this.services = services;
  }

  @Override
  public void addTo(Families families) {
    now(families, services.clients().all());
    sinceStart(families, services.metrics());
    losses(families, services.metrics().clientLosses());
  }

  private void now(Families families, Collection<Session> sessions) {
    families.gauge("porteiro_connected_clients", "Connections now.", sessions.size());
    families.gauge(
        "porteiro_max_clients",
        "Connections that may be at once (maxclients).",
        services.config().maxclients());
    families.gauge(
        "porteiro_blocked_clients",
        "Connections whose command answers later.",
        sessions.stream().filter(Session::isWaiting).count());
    families.gauge(
        "porteiro_pubsub_clients",
        "Connections that subscribe.",
        sessions.stream().filter(Session::isSubscriber).count());
    families.gauge(
        "porteiro_clients_memory_bytes",
        "What connections hold: input, output, queued commands.",
        sessions.stream().mapToLong(session -> session.peer().memoryBytes()).sum());
  }

  private static void sinceStart(Families families, Metrics metrics) {
    families.counter(
        "porteiro_connections_received", "Connections accepted.", metrics.connectionsReceived());
    families.counter(
        "porteiro_connections_rejected",
        "Connections refused, mostly beyond maxclients.",
        metrics.connectionsRejected());
    families.counter(
        "porteiro_network_received_bytes", "Bytes read from clients.", metrics.bytesIn());
    families.counter(
        "porteiro_network_sent_bytes", "Bytes written to clients.", metrics.bytesOut());
  }

  private static void losses(Families families, ClientLosses losses) {
    families.counter(
        "porteiro_connections_dropped",
        "Connections closed for what they held, by the limit.",
        Map.of(
                "maxmemory-clients", losses.evicted(),
                "client-query-buffer-limit", losses.inputLimit(),
                "client-output-buffer-limit", losses.outputLimit())
            .entrySet(),
        loss -> Labels.of("limit", loss.getKey()),
        loss -> loss.getValue());
  }
}
