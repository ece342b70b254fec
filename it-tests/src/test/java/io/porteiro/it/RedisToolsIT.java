package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.RedisProcess.Output;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.process.Tool;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** redis-cli and redis-benchmark work with this server as with a Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisToolsIT {
  private static final String PASSWORD = "secret";

  private final ServerProcess server = ServerProcess.prepared("--enable-debug-command", "yes");

  @BeforeAll
  void start() {
    RedisProcess.assumeInstalled("redis-cli");
    server.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    server.call("FLUSHALL");
  }

  private String port() {
    return Integer.toString(server.port());
  }

  private String[] command(String tool, String... arguments) {
    return Stream.concat(Stream.of(tool, "-p", port()), Stream.of(arguments))
        .toArray(String[]::new);
  }

  private Output run(String tool, String... arguments) {
    return RedisProcess.run(server.directory(), command(tool, arguments));
  }

  private String cli(String... arguments) {
    Output output = run("redis-cli", arguments);
    assertThat(output.exitCode()).as(output.text()).isZero();
    return output.text();
  }

  private String benchmark(String... arguments) {
    Output output = run("redis-benchmark", arguments);
    assertThat(output.exitCode()).as(output.text()).isZero();
    return output.text();
  }

  private Tool interactive(String... arguments) {
    return Tool.onTerminal(command("redis-cli", arguments));
  }

  private void fill(int keys) {
    try (RawConnection connection = server.connect()) {
      for (int i = 0; i < keys; i++) {
        connection.call("SET", "key:" + i, "value");
      }
      connection.call("SET", "big", "x".repeat(3000));
      connection.call("BF.RESERVE", "filter", "0.01", "10000");
      connection.call("PFADD", "counter", "a", "b");
    }
  }

  // ------------------------------------------------------------------ interactive

  @Test
  void interactive_help_tellsOfBloomCommandsToo() {
    try (Tool cli = interactive()) {
      cli.await("> ");
      cli.type("help bf.reserve\r");
      assertThat(cli.await("since: 1.0.0"))
          .contains("BF.RESERVE key error_rate capacity [EXPANSION expansion] [NONSCALING]")
          .contains("summary: ");
      cli.type("help @hyperloglog\r");
      assertThat(cli.await("PFMERGE")).contains("PFADD key [element", "PFCOUNT key [key ...]");
    }
  }

  @Test
  void interactive_tab_completesCommands() {
    for (String line : List.of("bf.res\t filter 0.01 100\r", "client no-ev\t on\r")) {
      try (Tool cli = interactive()) {
        cli.await("> ");
        cli.type(line);
        cli.await("OK");
      }
    }
    assertThat(server.call("BF.INFO", "filter", "CAPACITY").asList())
        .containsExactly(new Reply.Int(100));
  }

  @Test
  void interactive_transactionAndSelect_areShownInThePrompt() {
    try (Tool cli = interactive()) {
      cli.await("> ");
      cli.type("multi\r");
      cli.await("(TX)> ");
      cli.type("discard\r");
      // The prompt, too: what is typed before it the terminal throws away.
      assertThat(cli.await(port() + "> ")).contains("OK");
      cli.type("select 3\r");
      cli.await("[3]> ");
      cli.type("subscribe channel\r");
      cli.await("Reading messages...");
      server.call("PUBLISH", "channel", "a message");
      cli.await("\"a message\"");
    }
  }

  @Test
  void monitor_showsWhatOthersDo() {
    try (Tool cli = Tool.start(command("redis-cli", "MONITOR"))) {
      cli.await("OK");
      server.call("SET", "k", "a b");
      assertThat(cli.await("\"a b\""))
          .containsPattern("\\d+\\.\\d{6} \\[0 127.0.0.1:\\d+\\] \"SET\"");
    }
  }

  // ------------------------------------------------------------------ walks and samples

  @Test
  void scan_withPattern_listsTheKeysThatMatch() {
    fill(200);
    assertThat(cli("--scan", "--pattern", "key:1?").lines())
        .containsExactlyInAnyOrder(
            "key:10", "key:11", "key:12", "key:13", "key:14", "key:15", "key:16", "key:17",
            "key:18", "key:19");
    assertThat(cli("--scan").lines()).hasSize(203);
  }

  @Test
  void bigkeys_findsTheLongestStringAndKnowsFilters() {
    fill(200);
    assertThat(cli("--bigkeys"))
        .contains("Sampled 203 keys in the keyspace!")
        .contains("Biggest string found '\"big\"' has 3000 bytes")
        .contains("202 strings with ")
        .contains("1 MBbloom--s with ");
  }

  @Test
  void memkeys_tellsWhatMemoryUsageTells() {
    fill(200);
    long big = server.call("MEMORY", "USAGE", "big").asLong();
    long filter = server.call("MEMORY", "USAGE", "filter").asLong();
    assertThat(cli("--memkeys"))
        .contains("Biggest string found '\"big\"' has " + big + " bytes")
        .contains("Biggest MBbloom-- found '\"filter\"' has " + filter + " bytes");
  }

  /** No frequencies are kept, whatever the policy is called. */
  @Test
  void hotkeys_withoutFrequencies_saysWhatRedisSays() {
    fill(1);
    Output ours = run("redis-cli", "--hotkeys");
    try (RedisProcess redis = RedisProcess.started()) {
      redis.call("SET", "k", "v");
      Output theirs =
          RedisProcess.run(
              redis.directory(), "redis-cli", "-p", Integer.toString(redis.port()), "--hotkeys");
      assertThat(ours).isEqualTo(theirs);
    }
  }

  @Test
  void stat_showsKeysClientsAndRequests() {
    fill(200);
    try (Tool cli = interactive("--stat", "-i", "0.1")) {
      assertThat(cli.await("\n203 ")).contains("keys       mem      clients blocked requests");
      cli.await("\n203 ");
    }
  }

  @Test
  void latency_samples_areTold() {
    Matcher figures =
        Pattern.compile("(\\d+) (\\d+) (\\d+\\.\\d+) (\\d+)\\s*")
            .matcher(cli("--raw", "--latency", "-i", "1"));
    assertThat(figures.matches()).isTrue();
    assertThat(Integer.parseInt(figures.group(4))).isGreaterThan(10);
  }

  @Test
  void latencyHistoryAndDistribution_areDrawn() {
    try (Tool history = interactive("--latency-history", "-i", "1");
        Tool distribution = interactive("--latency-dist", "-i", "1")) {
      history.await(" seconds range");
      distribution.await("milliseconds");
    }
  }

  // ------------------------------------------------------------------ input and output

  @Test
  void input_lastArgumentFromStandardInput_isTakenAsItIs() throws IOException {
    Path file = Files.writeString(server.directory().resolve("value"), "two\nlines");
    RedisProcess.runWithInput(file, command("redis-cli", "-x", "SET", "k"));
    assertThat(server.call("GET", "k").asBytes()).isEqualTo("two\nlines");
    Files.delete(file);
  }

  @Test
  void pipe_withErrors_countsThem() throws IOException {
    Path file = server.directory().resolve("commands");
    Files.writeString(
        file,
        RawConnection.encode("SET", "k", "v")
            + RawConnection.encode("INCR", "k")
            + RawConnection.encode("BF.ADD", "f", "item"));
    Output output = RedisProcess.runWithInput(file, command("redis-cli", "--pipe"));
    assertThat(output.text()).contains("errors: 1, replies: 3");
    Files.delete(file);
  }

  @Test
  void output_inEveryForm_isReadAsRedisWritesIt() {
    cli("SET", "k", "v");
    cli("BF.ADD", "f", "item");
    assertThat(cli("--csv", "MGET", "k", "none")).isEqualTo("\"v\",NULL\n");
    assertThat(cli("--json", "MGET", "k", "none")).isEqualTo("[\"v\",null]\n");
    assertThat(cli("--no-raw", "MGET", "k", "none")).isEqualTo("1) \"v\"\n2) (nil)\n");
    assertThat(cli("-3", "--json", "CONFIG", "GET", "databases"))
        .isEqualTo("{\"databases\":\"16\"}\n");
    assertThat(cli("-3", "--no-raw", "BF.EXISTS", "f", "item")).isEqualTo("(true)\n");
    assertThat(cli("-2", "--no-raw", "BF.EXISTS", "f", "item")).isEqualTo("(integer) 1\n");
    assertThat(cli("-3", "--no-raw", "DEBUG", "PROTOCOL", "map"))
        .isEqualTo(
            "1# (integer) 0 => (false)\n2# (integer) 1 => (true)\n3# (integer) 2 => (false)\n");
    assertThat(cli("-3", "--no-raw", "DEBUG", "PROTOCOL", "double")).isEqualTo("(double) 3.141\n");
    assertThat(cli("-n", "5", "DBSIZE")).isEqualTo("0\n");
    assertThat(cli("-r", "3", "INCR", "n")).isEqualTo("1\n2\n3\n");
  }

  @Test
  void error_withE_isTheExitCode() {
    assertThat(run("redis-cli", "-e", "NOSUCH").exitCode()).isOne();
  }

  @Test
  void user_withPassword_logsIn() {
    try (ServerProcess closed = ServerProcess.started("--requirepass", PASSWORD)) {
      List<String> plain = List.of("redis-cli", "-p", Integer.toString(closed.port()));
      List<String> login = List.of("--no-auth-warning", "--user", "default", "--pass", PASSWORD);
      assertThat(ping(closed, plain, List.of())).contains("NOAUTH");
      assertThat(ping(closed, plain, login)).isEqualTo("PONG\n");
      assertThat(ping(closed, plain, List.of("-3", "--no-auth-warning", "-a", PASSWORD)))
          .isEqualTo("PONG\n");
      assertThat(ping(closed, plain, List.of("--user", "default", "--pass", "wrong")))
          .contains("WRONGPASS");
    }
  }

  private static String ping(ServerProcess closed, List<String> cli, List<String> options) {
    return RedisProcess.run(
            closed.directory(),
            Stream.of(cli, options, List.of("PING")).flatMap(List::stream).toArray(String[]::new))
        .text();
  }

  // ------------------------------------------------------------------ redis-benchmark

  @Test
  void benchmark_ofTheCommandsThereAre_runs() {
    String text =
        benchmark("-q", "-n", "2000", "-P", "16", "-t", "ping_inline,ping_mbulk,set,get,incr,mset");
    assertThat(text)
        .contains("PING_INLINE: ", "PING_MBULK: ", "SET: ", "GET: ", "INCR: ", "MSET (10 keys): ");
    assertThat(server.call("GET", "counter:__rand_int__").asBytes()).isEqualTo("2000");
  }

  @Test
  void benchmark_withThreadsAsCsv_tellsFigures() {
    assertThat(benchmark("--csv", "-n", "2000", "--threads", "2", "-r", "100", "-t", "set").lines())
        .hasSize(2)
        .last()
        .asString()
        .matches("\"SET\",(\"[0-9.]+\",?){7}");
    assertThat(server.call("DBSIZE").asLong()).isBetween(50L, 100L);
  }

  @Test
  void benchmark_ofBloomAndHyperLogLog_addsRandomItems() {
    benchmark("-q", "-n", "5000", "-r", "100000", "BF.ADD", "f", "__rand_int__");
    benchmark("-q", "-n", "5000", "-r", "100000", "-P", "16", "PFADD", "h", "__rand_int__");
    assertThat(server.call("BF.CARD", "f").asLong()).isBetween(4500L, 5000L);
    assertThat(server.call("PFCOUNT", "h").asLong()).isBetween(4500L, 5200L);
  }

  /** Its list has commands on lists, sets and hashes: it ends there, and says why. */
  @Test
  void benchmark_ofItsWholeList_endsAtTheFirstCommandThatIsNotThere() {
    Output output = run("redis-benchmark", "-q", "-n", "500");
    assertThat(output.exitCode()).isOne();
    assertThat(output.text()).contains("INCR: ", "ERR unknown command 'LPUSH'");
  }
}
