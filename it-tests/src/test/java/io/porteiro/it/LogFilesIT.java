package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.golden.GoldenCheck;
import io.porteiro.it.golden.GoldenFile;
import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.RespProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Append-only logs go both ways between Redis and us; broken ones are refused, not guessed at. */
class LogFilesIT {
  static List<GoldenFile> logs() {
    return Stream.of("aof-r70", "aof-r79").flatMap(kind -> GoldenFile.all(kind).stream()).toList();
  }

  static List<GoldenFile> refusedLogs() {
    return GoldenFile.all("aof-broken").stream().filter(file -> !isOnlyCut(file)).toList();
  }

  static List<GoldenFile> cutLogs() {
    return GoldenFile.all("aof-broken").stream().filter(LogFilesIT::isOnlyCut).toList();
  }

  private static boolean isOnlyCut(GoldenFile file) {
    return file.name().contains("incr-cut");
  }

  private static ServerProcess preparedOn(GoldenFile file) throws IOException {
    ServerProcess server = ServerProcess.preparedWithLog();
    copy(file, server);
    return server;
  }

  private static void copy(GoldenFile file, RespProcess server) throws IOException {
    Files.createDirectory(server.logDirectory());
    try (Stream<Path> files = Files.list(file.path().resolveSibling(file.text("directory")))) {
      for (Path from : files.toList()) {
        Files.copy(from, server.logDirectory().resolve(from.getFileName()));
      }
    }
  }

  private static void check(RespProcess server, GoldenFile file) {
    try (GoldenCheck check = new GoldenCheck(server.port())) {
      check.check(file);
    }
  }

  @ParameterizedTest
  @MethodSource("logs")
  void log_atStart_holdsWhatWasWritten(GoldenFile file) throws IOException {
    try (ServerProcess server = preparedOn(file)) {
      server.start();
      check(server, file);
    }
  }

  /** Rewritten, killed and loaded again by us: nothing is lost or changed on the way. */
  @ParameterizedTest
  @MethodSource("logs")
  void log_rewrittenAndKilled_holdsWhatWasWritten(GoldenFile file) throws IOException {
    try (ServerProcess server = preparedOn(file)) {
      server.start();
      rewrite(server);
      server.kill();
      server.start();
      check(server, file);
    }
  }

  @ParameterizedTest
  @MethodSource("refusedLogs")
  void brokenLog_atStart_isRefusedAndLeftAsItIs(GoldenFile file) throws IOException {
    try (ServerProcess server = preparedOn(file)) {
      Map<String, String> before = contents(server.logDirectory());
      assertThat(server.startExpectingExit()).isEqualTo(1);
      assertThat(server.log()).contains("Cannot start").contains("appendonly.aof.");
      assertThat(contents(server.logDirectory())).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @MethodSource("cutLogs")
  void cutLog_atStart_isCutBackToTheLastWholeUnit(GoldenFile file) throws IOException {
    try (ServerProcess server = preparedOn(file)) {
      server.start();
      checkCut(server, file);
      assertThat(server.log()).contains("are cut off");
      server.call("SET", "after", "1");
      server.kill();
      server.start();
      assertThat(server.call("GET", "after").asBytes()).isEqualTo("1");
    }
  }

  private static void checkCut(ServerProcess server, GoldenFile file) {
    var peer = file.description().getAsJsonObject("peer_with_aof_load_truncated_yes");
    assertThat(sizeWithoutExpired(server, peer.get("dbsize").getAsLong()))
        .isEqualTo(peer.get("dbsize").getAsLong());
    assertThat("\"" + server.call("GET", "s").asBytes() + "\"")
        .isEqualTo(peer.get("s").getAsString());
  }

  /** Keys past their time are removed in the background, a moment after the start. */
  private static long sizeWithoutExpired(ServerProcess server, long wanted) {
    long size = server.call("DBSIZE").asLong();
    for (int i = 0; i < 200 && size != wanted; i++) {
      LockSupport.parkNanos(50_000_000);
      size = server.call("DBSIZE").asLong();
    }
    return size;
  }

  @ParameterizedTest
  @MethodSource("cutLogs")
  void cutLog_whereItIsNotAllowed_isRefusedAndLeftAsItIs(GoldenFile file) throws IOException {
    try (ServerProcess server = preparedOn(file)) {
      Map<String, String> before = contents(server.logDirectory());
      assertThat(server.startExpectingExit("--aof-load-truncated", "no")).isEqualTo(1);
      assertThat(contents(server.logDirectory())).isEqualTo(before);
    }
  }

  private static Map<String, String> contents(Path directory) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        contents.put(
            file.getFileName().toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return contents;
  }

  private static void rewrite(RespProcess server) {
    long before = figure(server, "aof_rewrites");
    assertThat(server.call("BGREWRITEAOF"))
        .isEqualTo(new Reply.Simple("Background append only file rewriting started"));
    while (figure(server, "aof_rewrites") == before
        || figure(server, "aof_rewrite_in_progress") == 1) {
      Thread.onSpinWait();
    }
    assertThat(info(server)).contains("aof_last_bgrewrite_status:ok");
  }

  private static String info(RespProcess server) {
    return server.call("INFO", "persistence").asBytes();
  }

  private static long figure(RespProcess server, String name) {
    return info(server)
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElseThrow();
  }

  // ------------------------------------------------------------------ what Redis makes of ours

  /** Before and behind a rewrite, with expiries, transactions, several databases. */
  @Test
  void ourLog_loadedByRedis_holdsTheSame() throws IOException {
    try (ServerProcess ours = ServerProcess.startedWithLog("--aof-timestamp-enabled", "yes");
        RedisProcess redis = RedisProcess.prepared("--appendonly", "yes")) {
      write(ours, "a");
      rewrite(ours);
      write(ours, "b");
      assertThat(ours.stop()).isZero();
      assertThat(checked(ours.logDirectory()).exitCode()).isZero();
      copy(ours.logDirectory(), redis.logDirectory());
      redis.start();
      ours.start();
      assertSame(ours, redis);
    }
  }

  /** With {@code aof-use-rdb-preamble no} the base is one of commands, ours and Redis's. */
  @Test
  void ourBaseOfCommands_killedAndLoaded_holdsTheSameForUsAndRedis() throws IOException {
    String[] options = {"--appendonly", "yes", "--aof-use-rdb-preamble", "no"};
    try (ServerProcess ours = ServerProcess.started(options);
        RedisProcess redis = RedisProcess.prepared(options)) {
      write(ours, "a");
      rewrite(ours);
      write(ours, "b");
      ours.kill();
      assertThat(ours.logDirectory().resolve("appendonly.aof.2.base.aof")).exists();
      assertThat(checked(ours.logDirectory()).exitCode()).isZero();
      copy(ours.logDirectory(), redis.logDirectory());
      redis.start();
      ours.start();
      assertSame(ours, redis);
    }
  }

  /** And what Redis writes behind it is read by us. */
  @Test
  void redisLog_afterOurs_isLoadedByUs() throws IOException {
    try (ServerProcess ours = ServerProcess.startedWithLog();
        RedisProcess redis = RedisProcess.prepared("--appendonly", "yes")) {
      write(ours, "a");
      ours.stop();
      copy(ours.logDirectory(), redis.logDirectory());
      redis.start();
      write(redis, "c");
      redis.stop();
      delete(ours.logDirectory());
      copy(redis.logDirectory(), ours.logDirectory());
      ours.start();
      redis.start();
      assertSame(ours, redis);
    }
  }

  private static RedisProcess.Output checked(Path directory) {
    return RedisProcess.run(directory, "redis-check-aof", "appendonly.aof.manifest");
  }

  private static void write(RespProcess server, String prefix) {
    try (RawConnection connection = server.connect()) {
      for (int i = 0; i < 50; i++) {
        connection.call("SET", prefix + i, "value\r\n" + i);
        connection.call("PFADD", prefix + "h" + i % 3, "e" + i);
        connection.call("INCRBYFLOAT", prefix + "f", "0.1");
        connection.call("PEXPIREAT", prefix + i, "410244480000" + i % 10);
      }
      connection.call("SETRANGE", prefix + "r", "10", "tail");
      connection.call("APPEND", prefix + "r", "more");
      connection.call("PFMERGE", prefix + "m", prefix + "h0", prefix + "h1");
      connection.call("PFCOUNT", prefix + "m");
      connection.call("MULTI");
      connection.call("SELECT", "3");
      connection.call("MSET", prefix + "x", "1", prefix + "y", "2");
      connection.call("GETDEL", prefix + "y");
      connection.call("EXEC");
      connection.call("COPY", prefix + "x", prefix + "z", "DB", "0");
      connection.call("SWAPDB", "3", "4");
    }
  }

  private static void assertSame(RespProcess ours, RespProcess redis) {
    for (String database : List.of("0", "3", "4")) {
      try (RawConnection left = ours.connect();
          RawConnection right = redis.connect()) {
        left.call("SELECT", database);
        right.call("SELECT", database);
        assertThat(left.call("DBSIZE")).isEqualTo(right.call("DBSIZE"));
        for (Reply key : right.call("KEYS", "*").asList()) {
          String name = key.asBytes();
          assertThat(left.call("GET", name)).as(name).isEqualTo(right.call("GET", name));
          assertThat(left.call("PEXPIRETIME", name))
              .as(name)
              .isEqualTo(right.call("PEXPIRETIME", name));
        }
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
