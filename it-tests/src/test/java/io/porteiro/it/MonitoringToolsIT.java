package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.RespProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.process.Tool;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What watches Redis servers watches this one: Sentinel, and Prometheus's exporter. */
class MonitoringToolsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  // ------------------------------------------------------------------ Sentinel

  @Test
  void sentinel_watchingThisServer_seesItUpDownAndUpAgain() throws IOException {
    int port = RespProcess.freePort();
    try (ServerProcess server = ServerProcess.started()) {
      Path settings = server.directory().resolve("sentinel.conf");
      Files.write(settings, sentinelSettings(port, server));
      try (Tool sentinel = Tool.start("redis-sentinel", settings.toString())) {
        sentinel.await("+monitor master ours");
        await(() -> flags(port).equals("master") && runId(port).length() == 40);
        assertThat(runId(port)).isEqualTo(info(server, "server").get("run_id"));
        server.kill();
        await(() -> flags(port).contains("s_down"));
        server.start();
        await(() -> flags(port).equals("master"));
        await(() -> runId(port).equals(info(server, "server").get("run_id")));
      }
    }
  }

  private static List<String> sentinelSettings(int port, ServerProcess server) {
    return List.of(
        "port " + port,
        "bind 127.0.0.1",
        "dir " + server.directory(),
        "sentinel monitor ours 127.0.0.1 " + server.port() + " 1",
        "sentinel down-after-milliseconds ours 1000");
  }

  private static String flags(int sentinelPort) {
    return master(sentinelPort).getOrDefault("flags", "");
  }

  private static String runId(int sentinelPort) {
    return master(sentinelPort).getOrDefault("runid", "");
  }

  private static Map<String, String> master(int sentinelPort) {
    Map<String, String> fields = new TreeMap<>();
    try (RawConnection connection = RawConnection.open(sentinelPort)) {
      List<Reply> reply = connection.call("SENTINEL", "MASTER", "ours").asList();
      for (int i = 0; i < reply.size(); i += 2) {
        fields.put(reply.get(i).asBytes(), reply.get(i + 1).asBytes());
      }
    } catch (UncheckedIOException e) {
      return Map.of(); // not listening yet
    }
    return fields;
  }

  // ------------------------------------------------------------------ Prometheus

  @Test
  void exporter_scraping_tellsWhatInfoTells() {
    int port = RespProcess.freePort();
    try (ServerProcess server = ServerProcess.started()) {
      server.call("BF.ADD", "f", "item");
      server.call("SET", "k", "v", "EX", "100");
      server.call("GET", "k");
      server.call("GET", "none");
      server.call("NOSUCH");
      try (Tool exporter =
          Tool.start(
              "prometheus-redis-exporter",
              "-redis.addr",
              "redis://127.0.0.1:" + server.port(),
              "-web.listen-address",
              "127.0.0.1:" + port)) {
        exporter.await("Providing metrics");
        await(() -> "1".equals(scrape(port).get("redis_up")));
        assertEqual(scrape(port), info(server, "everything"));
      }
    }
  }

  /** Figures that one more scrape does not change. */
  private static void assertEqual(Map<String, String> metrics, Map<String, String> info) {
    assertThat(metrics)
        .containsEntry("redis_exporter_last_scrape_error{err=\"\"}", "0")
        .containsEntry("redis_db_keys{db=\"db0\"}", "2")
        .containsEntry("redis_db_keys_expiring{db=\"db0\"}", "1")
        .containsEntry("redis_keyspace_hits_total", info.get("keyspace_hits"))
        .containsEntry("redis_keyspace_misses_total", info.get("keyspace_misses"))
        .containsEntry("redis_rejected_connections_total", "0")
        .containsEntry("redis_expired_keys_total", "0")
        .containsEntry("redis_rdb_changes_since_last_save", "2")
        .containsEntry("redis_process_id", info.get("process_id"))
        .containsEntry("redis_blocked_clients", "0")
        .containsEntry("redis_config_maxclients", "10000")
        .containsEntry("redis_loading_dump_file", "0")
        .containsEntry("redis_rdb_last_bgsave_status", "1")
        .containsEntry("redis_aof_enabled", "0")
        .containsEntry("redis_commands_total{cmd=\"bf.add\"}", "1")
        .containsKeys(
            "redis_memory_used_bytes",
            "redis_memory_used_rss_bytes",
            "redis_memory_used_peak_bytes",
            "redis_allocator_frag_ratio",
            "redis_mem_fragmentation_ratio",
            "redis_mem_clients_normal",
            "redis_expired_stale_percentage",
            "redis_expired_time_cap_reached_total",
            "redis_cpu_sys_seconds_total",
            "redis_cpu_user_seconds_total",
            "redis_connections_received_total",
            "redis_commands_processed_total",
            "redis_net_input_bytes_total",
            "redis_net_output_bytes_total",
            "redis_connected_clients",
            "redis_replication_backlog_bytes",
            "redis_slowlog_length",
            "redis_uptime_in_seconds",
            "redis_start_time_seconds");
    assertThat(metrics.keySet())
        .anyMatch(name ->
            name.startsWith("redis_instance_info{")
                && name.contains("role=\"master\"")
                && name.contains("redis_version=\"" + info.get("redis_version") + "\""));
  }

  private static Map<String, String> scrape(int port) {
    Map<String, String> metrics = new TreeMap<>();
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI address = URI.create("http://127.0.0.1:" + port + "/metrics");
      String text =
          http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      text.lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(line -> {
            int blank = line.lastIndexOf(' ');
            metrics.put(line.substring(0, blank), line.substring(blank + 1));
          });
    } catch (ConnectException e) {
      return Map.of(); // not listening yet
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    return metrics;
  }

  // ------------------------------------------------------------------ both

  private static Map<String, String> info(ServerProcess server, String section) {
    Map<String, String> fields = new TreeMap<>();
    server
        .call("INFO", section)
        .asBytes()
        .lines()
        .forEach(line -> {
          int colon = line.indexOf(':');
          if (colon > 0) {
            fields.put(line.substring(0, colon), line.substring(colon + 1));
          }
        });
    return fields;
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
      try {
        Thread.sleep(100);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }
}
