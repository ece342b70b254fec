package io.porteiro.server.http.metrics;

import io.porteiro.server.command.Services;
import io.porteiro.server.metrics.Metrics;
import io.porteiro.server.store.Keyspace;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.stream.IntStream;

/** Memory and keys. */
final class StoreMetrics implements MetricSource {
  private final Services services;

  StoreMetrics(Services services) {
    this.services = services;
  }

  @Override
  public void addTo(Families families) {
    memory(families, services.keyspace());
    keys(families, services.keyspace());
    lookUps(families, services.metrics());
  }

  private void memory(Families families, Keyspace keyspace) {
    long usedBytes = keyspace.pool().usedBytes();
    families.gauge(
        "porteiro_memory_used_bytes",
        "Memory of keys, values and connections: what maxmemory limits.",
        usedBytes);
    families.gauge(
        "porteiro_memory_peak_bytes",
        "The most that was used.",
        services.metrics().peakBytes(usedBytes));
    families.gauge(
        "porteiro_memory_limit_bytes",
        "What may be used (maxmemory); 0 is no limit but the machine's.",
        services.config().maxmemory());
    families.gauge(
        "porteiro_keys_heap_bytes",
        "The part of the Java heap that keys take, as estimated per key.",
        keyspace.heapBytes());
  }

  private static void keys(Families families, Keyspace keyspace) {
    List<Integer> databases =
        IntStream.range(0, keyspace.databases())
            .filter(database -> database == 0 || keyspace.size(database) > 0)
            .boxed()
            .toList();
    families.gauge("porteiro_keys", "Keys.", databases, StoreMetrics::labels, keyspace::size);
    families.gauge(
        "porteiro_keys_expiring",
        "Keys with an expiry.",
        databases,
        StoreMetrics::labels,
        keyspace::expiringSize);
  }

  private static Labels labels(int database) {
    return Labels.of("db", Integer.toString(database));
  }

  private void lookUps(Families families, Metrics metrics) {
    families.counter(
        "porteiro_keyspace_hits", "Look-ups of keys that were there.", metrics.keyspaceHits());
    families.counter(
        "porteiro_keyspace_misses", "Look-ups of keys that were not.", metrics.keyspaceMisses());
    families.counter(
        "porteiro_expired_keys",
        "Keys removed because their time had passed.",
        metrics.expiredKeys());
    families.counter(
        "porteiro_changes", "Changes to keys since the start.", services.keyspace().changes());
  }
}
