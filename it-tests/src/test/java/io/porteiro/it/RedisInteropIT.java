package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.RedisProcess.Output;
import io.porteiro.it.process.RespProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files and payloads go both ways between this server and a real Redis without a change. */
class RedisInteropIT {
  private static final Reply OK = new Reply.Simple("OK");
  private static final long FAR_MS = 4_102_444_800_000L;

  @Test
  void snapshot_withoutFilters_isLoadedByRedis() throws IOException {
    try (RedisProcess redis = RedisProcess.prepared();
        ServerProcess ours = ServerProcess.started()) {
      fill(ours);
      List<String> before = dump(ours);
      assertThat(ours.call("SAVE")).isEqualTo(OK);
      Files.copy(ours.rdbFile(), redis.rdbFile());
      redis.start();
      assertThat(dump(redis)).isEqualTo(before);
    }
  }

  @Test
  void snapshot_ofRedis_isLoadedByUs() throws IOException {
    try (RedisProcess redis = RedisProcess.started();
        ServerProcess ours = ServerProcess.prepared()) {
      fill(redis);
      List<String> before = dump(redis);
      assertThat(redis.call("SAVE")).isEqualTo(OK);
      Files.copy(redis.rdbFile(), ours.rdbFile());
      ours.start();
      assertThat(dump(ours)).isEqualTo(before);
    }
  }

  @Test
  void snapshot_withFilters_passesRedisCheckRdb() {
    RedisProcess.assumeInstalled("redis-check-rdb");
    try (ServerProcess ours = ServerProcess.started()) {
      fill(ours);
      ours.call("BF.RESERVE", "big", "0.001", "1000000");
      ours.call("BF.MADD", "big", "a", "b", "c");
      ours.call("BF.INSERT", "fixed", "CAPACITY", "10", "NONSCALING", "ITEMS", "x");
      assertThat(ours.call("SAVE")).isEqualTo(OK);
      Output check = RedisProcess.run(ours.directory(), "redis-check-rdb", "dump.rdb");
      assertThat(check.exitCode()).as(check.text()).isZero();
      assertThat(check.text()).contains("Checksum OK", "RDB looks OK");
    }
  }

  @Test
  void payloads_dumpedByUs_areRestoredByRedisAndBack() {
    try (RedisProcess redis = RedisProcess.started();
        ServerProcess ours = ServerProcess.started()) {
      fill(ours);
      List<String> before = dump(ours);
      move(ours, redis);
      assertThat(dump(redis)).isEqualTo(before);
      ours.call("FLUSHALL");
      move(redis, ours);
      assertThat(dump(ours)).isEqualTo(before);
    }
  }

  /** The same commands leave the same bytes: both store what {@code PFADD} and its kin make. */
  @Test
  void hyperLogLogs_madeByTheSameCommands_areTheSameBytes() {
    try (RedisProcess redis = RedisProcess.started();
        ServerProcess ours = ServerProcess.started()) {
      for (RespProcess server : List.of(redis, ours)) {
        addHyperLogLogs(server);
      }
      for (String key : List.of("h10", "h1000", "h3000", "h50000", "merged", "grown")) {
        assertThat(ours.call("GET", key)).as(key).isEqualTo(redis.call("GET", key));
      }
    }
  }

  private static void addHyperLogLogs(RespProcess server) {
    try (RawConnection connection = server.connect()) {
      for (int size : List.of(10, 1000, 3000, 50_000)) {
        add(connection, "h" + size, "e" + size + ":", size);
      }
      connection.call("PFMERGE", "merged", "h10", "h1000");
      connection.call("PFCOUNT", "merged");
      connection.call("PFMERGE", "grown", "h10", "h50000");
    }
  }

  private static void add(RawConnection connection, String key, String prefix, int count) {
    for (int from = 0; from < count; from += 100) {
      List<String> command = new ArrayList<>(List.of("PFADD", key));
      for (int i = from; i < Math.min(count, from + 100); i++) {
        command.add(prefix + i);
      }
      connection.call(command.toArray(String[]::new));
    }
  }

  // ------------------------------------------------------------------ data of every form

  private static void fill(RespProcess server) {
    try (RawConnection connection = server.connect()) {
      List.of("0", "-1", "12345", "-2000000000", "9223372036854775807", "012", "")
          .forEach(text -> connection.call("SET", "text:" + text, text));
      connection.call("SET", "long", "0123456789".repeat(2000));
      connection.call("SET", "bytes", "\0\r\n\u00ff".repeat(10));
      connection.call("SET", "", "empty key");
      connection.call("SET", "\u00ff\0", "odd key", "PXAT", Long.toString(FAR_MS));
      add(connection, "sparse", "s", 100);
      add(connection, "dense", "d", 20_000);
      connection.call("PFCOUNT", "dense");
      connection.call("SELECT", "9");
      connection.call("SET", "elsewhere", "9", "PXAT", Long.toString(FAR_MS + 1));
    }
  }

  /** All keys of databases 0 and 9 with value and expiry, sorted. */
  private static List<String> dump(RespProcess server) {
    List<String> all = new ArrayList<>();
    try (RawConnection connection = server.connect()) {
      for (String database : List.of("0", "9")) {
        connection.call("SELECT", database);
        for (Reply key : connection.call("KEYS", "*").asList()) {
          String name = key.asBytes();
          String value = connection.call("GET", name).asBytes();
          all.add(database + name + "=" + value + connection.call("PEXPIRETIME", name).asLong());
        }
      }
    }
    return all.stream().sorted().toList();
  }

  private static void move(RespProcess from, RespProcess to) {
    try (RawConnection source = from.connect();
        RawConnection target = to.connect()) {
      for (String database : List.of("0", "9")) {
        source.call("SELECT", database);
        target.call("SELECT", database);
        source.call("KEYS", "*").asList().forEach(key -> move(key.asBytes(), source, target));
      }
    }
  }

  private static void move(String key, RawConnection source, RawConnection target) {
    long expiry = source.call("PEXPIRETIME", key).asLong();
    String payload = source.call("DUMP", key).asBytes();
    String ttl = Long.toString(Math.max(0, expiry));
    assertThat(target.call("RESTORE", key, ttl, payload, "ABSTTL")).isEqualTo(OK);
  }
}
