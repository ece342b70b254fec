package io.porteiro.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The settings that the configuration file of Redis 8 makes, in its order, without its comments.
 */
class StockConfigurationTest {
  private static final List<String> NETWORK_AND_PROCESS =
      List.of(
          "bind 127.0.0.1 -::1",
          "protected-mode yes",
          "port 6379",
          "tcp-backlog 511",
          "timeout 0",
          "tcp-keepalive 300",
          "daemonize no",
          "pidfile /var/run/redis_6379.pid",
          "loglevel notice",
          "logfile \"\"",
          "databases 16",
          "always-show-logo no",
          "set-proc-title yes",
          "proc-title-template \"{title} {listen-addr} {server-mode}\"",
          "locale-collate \"\"");

  private static final List<String> SAVING_AND_REPLICAS =
      List.of(
          "stop-writes-on-bgsave-error yes",
          "rdbcompression yes",
          "rdbchecksum yes",
          "dbfilename dump.rdb",
          "rdb-del-sync-files no",
          "dir ./",
          "replica-serve-stale-data yes",
          "replica-read-only yes",
          "repl-diskless-sync yes",
          "repl-diskless-sync-delay 5",
          "repl-diskless-sync-max-replicas 0",
          "repl-diskless-load disabled",
          "repl-disable-tcp-nodelay no",
          "replica-priority 100");

  private static final List<String> MEMORY_AND_LOG =
      List.of(
          "acllog-max-len 128",
          "lazyfree-lazy-eviction no",
          "lazyfree-lazy-expire no",
          "lazyfree-lazy-server-del no",
          "replica-lazy-flush no",
          "lazyfree-lazy-user-del no",
          "lazyfree-lazy-user-flush no",
          "oom-score-adj no",
          "oom-score-adj-values 0 200 800",
          "disable-thp yes",
          "appendonly no",
          "appendfilename \"appendonly.aof\"",
          "appenddirname \"appendonlydir\"",
          "appendfsync everysec",
          "no-appendfsync-on-rewrite no",
          "auto-aof-rewrite-percentage 100",
          "auto-aof-rewrite-min-size 64mb",
          "aof-load-truncated yes",
          "aof-use-rdb-preamble yes",
          "aof-timestamp-enabled no");

  private static final List<String> MONITORING_AND_ENCODINGS =
      List.of(
          "slowlog-log-slower-than 10000",
          "slowlog-max-len 128",
          "latency-monitor-threshold 0",
          "notify-keyspace-events \"\"",
          "hash-max-listpack-entries 512",
          "hash-max-listpack-value 64",
          "list-max-listpack-size -2",
          "list-compress-depth 0",
          "set-max-intset-entries 512",
          "set-max-listpack-entries 128",
          "set-max-listpack-value 64",
          "zset-max-listpack-entries 128",
          "zset-max-listpack-value 64",
          "hll-sparse-max-bytes 3000",
          "stream-node-max-bytes 4096",
          "stream-node-max-entries 100",
          "activerehashing yes",
          "client-output-buffer-limit normal 0 0 0",
          "client-output-buffer-limit replica 256mb 64mb 60",
          "client-output-buffer-limit pubsub 32mb 8mb 60",
          "hz 10",
          "dynamic-hz yes",
          "aof-rewrite-incremental-fsync yes",
          "rdb-save-incremental-fsync yes",
          "jemalloc-bg-thread yes");

  /** What the file offers as comments and operators of Redis 8 turn on. */
  private static final List<String> COMMON_CHANGES =
      List.of(
          "io-threads 4",
          "max-new-connections-per-cycle 10",
          "hide-user-data-from-log yes",
          "replica-full-sync-buffer-limit 0",
          "aof-load-corrupt-tail-max-size 0",
          "latency-tracking-info-percentiles 50 99 99.9",
          "enable-debug-command no",
          "maxmemory 100mb",
          "maxmemory-policy noeviction",
          "loadmodule /usr/local/lib/redis/modules/redisbloom.so ERROR_RATE 0.001");

  @TempDir Path directory;

  @Test
  void fileOfRedis8_starts() throws Exception {
    Path file =
        write(
            Stream.of(
                    NETWORK_AND_PROCESS,
                    SAVING_AND_REPLICAS,
                    MEMORY_AND_LOG,
                    MONITORING_AND_ENCODINGS,
                    COMMON_CHANGES)
                .flatMap(List::stream));
    ServerConfig config = start(file);
    assertThat(config.bind()).containsExactly("127.0.0.1", "-::1");
    assertThat(config.maxmemory()).isEqualTo(100L << 20);
  }

  @Test
  void fileOfRedis8_withAnUnknownWord_isRefusedWithItsLine() throws IOException {
    Path file = write(Stream.concat(NETWORK_AND_PROCESS.stream(), Stream.of("no-such-word 1")));
    assertThatThrownBy(() -> start(file))
        .isInstanceOf(FatalConfigException.class)
        .hasMessageContaining("no-such-word 1")
        .hasMessageContaining(String.valueOf(NETWORK_AND_PROCESS.size() + 1));
  }

  private Path write(Stream<String> lines) throws IOException {
    return Files.write(directory.resolve("redis.conf"), lines.toList());
  }

  private static ServerConfig start(Path file) throws FatalConfigException {
    String[] arguments = {file.toString()};
    CommandLine.Wish wish =
        CommandLine.parse(arguments, new Surroundings(InputStream.nullInputStream(), Map.of(), 0));
    return ((CommandLine.Start) wish).config();
  }
}
