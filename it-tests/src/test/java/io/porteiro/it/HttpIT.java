package io.porteiro.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.RespProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The HTTP port: health, metrics, the page, and what strangers may do to it. */
class HttpIT {
  private static final Reply OK = new Reply.Simple("OK");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final int httpPort = RespProcess.freePort();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private ServerProcess started(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--http-port", Integer.toString(httpPort)));
    all.addAll(List.of(arguments));
    return ServerProcess.started(all.toArray(String[]::new));
  }

  private HttpResponse<String> get(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path)).timeout(PATIENCE);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private JsonObject status(String query) {
    return JsonParser.parseString(get("/status.json" + query).body()).getAsJsonObject();
  }

  private Socket open() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), httpPort);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  /** What is answered to some bytes until the server closes. */
  private String exchange(String request) throws IOException {
    try (Socket socket = open()) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  // ------------------------------------------------------------------ health

  @Test
  void health_serving_isOk() {
    try (ServerProcess server = started()) {
      assertThat(get("/livez").statusCode()).isEqualTo(200);
      assertThat(get("/readyz").body()).isEqualTo("ok\n");
      assertThat(get("/nothing").statusCode()).isEqualTo(404);
      assertThat(server.isAlive()).isTrue();
    }
  }

  @Test
  void readyz_writesRefused_failsAndTellsWhy() throws IOException {
    try (ServerProcess server = started("--save", "3600 1000000")) {
      server.call("SET", "k", "v");
      Path readOnly = Files.createDirectory(server.directory().resolve("dump.rdb"));
      server.call("BGSAVE");
      HttpResponse<String> answer = awaitStatus("/readyz", 503);
      assertThat(answer.body()).startsWith("Writes are refused: MISCONF");
      assertThat(get("/livez").statusCode()).isEqualTo(200);
      assertThat(metric("porteiro_ready")).isZero();
      assertThat(metric("porteiro_writes_refused")).isOne();
      Files.delete(readOnly);
      server.call("BGSAVE");
      awaitStatus("/readyz", 200);
    }
  }

  private HttpResponse<String> awaitStatus(String path, int status) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    HttpResponse<String> answer = get(path);
    while (answer.statusCode() != status && System.nanoTime() < deadline) {
      answer = get(path);
    }
    assertThat(answer.statusCode()).isEqualTo(status);
    return answer;
  }

  /** Enough keys that the loading can be met. */
  @Test
  void readyz_whileLoading_failsAndLivezDoesNot() {
    try (ServerProcess server = started("--enable-debug-command", "yes")) {
      for (int i = 0; i < 8; i++) {
        server.call("BF.RESERVE", "f" + i, "0.01", "20000000");
        server.call("BF.ADD", "f" + i, "x");
      }
      assertThat(server.call("SAVE")).isEqualTo(OK);
      server.kill();
      server.launch();
      boolean seen = false;
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (System.nanoTime() < deadline) {
        int ready = statusIfOpen("/readyz");
        if (ready == 503) {
          seen = true;
          assertThat(statusIfOpen("/livez")).isEqualTo(200);
          assertThat(statusIfOpen("/metrics")).isEqualTo(200);
        } else if (ready == 200) {
          break;
        }
      }
      assertThat(seen).as("503 while loading").isTrue();
      assertThat(get("/readyz").statusCode()).isEqualTo(200);
    }
  }

  private int statusIfOpen(String path) {
    try {
      return get(path).statusCode();
    } catch (UncheckedIOException e) {
      return 0; // not listening yet
    }
  }

  // ------------------------------------------------------------------ settings

  @Test
  void httpPort_byDefault_isOff() {
    try (ServerProcess server = ServerProcess.started()) {
      assertThat(server.call("CONFIG", "GET", "http-*").toString())
          .contains("http-port")
          .contains("127.0.0.1 -::1");
      assertThat(server.log()).doesNotContain("HTTP: listening");
    }
  }

  @Test
  void httpPort_changedAtRunTime_movesAndCloses() {
    try (ServerProcess server = started()) {
      assertThat(get("/livez").statusCode()).isEqualTo(200);
      assertThat(server.call("CONFIG", "SET", "http-port", "0")).isEqualTo(OK);
      assertThat(statusIfOpen("/livez")).isZero();
      assertThat(server.call("CONFIG", "SET", "http-port", Integer.toString(httpPort)))
          .isEqualTo(OK);
      assertThat(get("/livez").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void httpPort_inUse_isRefusedAndTheOldOneKept() {
    try (ServerProcess server = started()) {
      assertThat(
              server.call("CONFIG", "SET", "http-port", Integer.toString(server.port())).toString())
          .contains("Unable to listen for HTTP");
      assertThat(get("/livez").statusCode()).isEqualTo(200);
      assertThat(server.call("CONFIG", "GET", "http-port").toString())
          .contains(Integer.toString(httpPort));
    }
  }

  @Test
  void httpPort_inUseAtTheStart_refusesToStart() {
    try (ServerProcess first = started();
        ServerProcess second = ServerProcess.prepared("--http-port", Integer.toString(httpPort))) {
      assertThat(second.startExpectingExit()).isEqualTo(1);
      assertThat(second.log()).contains("HTTP listening socket").contains("in use");
      assertThat(first.isAlive()).isTrue();
    }
  }

  // ------------------------------------------------------------------ metrics

  private double metric(String series) {
    Matcher line =
        Pattern.compile("^" + Pattern.quote(series) + " (\\S+)$", Pattern.MULTILINE)
            .matcher(get("/metrics").body());
    assertThat(line.find()).as(series).isTrue();
    return Double.parseDouble(line.group(1));
  }

  /** A survey of the keys is kept for a second. */
  private double awaitMetric(String series, double value) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline && !get("/metrics").body().contains(series + " " + value)) {
      Thread.onSpinWait();
    }
    return metric(series);
  }

  @Test
  void metrics_afterWork_countIt() {
    try (ServerProcess server = started()) {
      server.call("BF.RESERVE", "f", "0.01", "1000");
      server.call("BF.MADD", "f", "a", "b", "c");
      server.call("PFADD", "h", "x");
      server.call("SET", "f", "v", "WRONG");
      assertThat(metric("porteiro_commands_total{command=\"bf.madd\"}")).isOne();
      assertThat(metric("porteiro_command_duration_seconds_count{command=\"bf.madd\"}")).isOne();
      assertThat(
              metric("porteiro_command_duration_seconds_bucket{command=\"bf.madd\",le=\"+Inf\"}"))
          .isOne();
      assertThat(metric("porteiro_commands_failed_total{command=\"set\"}")).isOne();
      assertThat(metric("porteiro_keys{db=\"0\"}")).isEqualTo(2);
      String filter = "{db=\"0\",key=\"f\"}";
      assertThat(awaitMetric("porteiro_filter_items" + filter, 3)).isEqualTo(3);
      assertThat(metric("porteiro_filter_capacity" + filter)).isEqualTo(1000);
      assertThat(metric("porteiro_filter_false_positive_target_ratio" + filter)).isEqualTo(0.01);
      assertThat(metric("porteiro_filter_fill_ratio" + filter)).isBetween(0.001, 0.01);
      assertThat(awaitMetric("porteiro_hyperloglogs", 1)).isOne();
    }
  }

  /** They are read from INFO, which leaves some fields out without a log. */
  @Test
  void metrics_ofTheLog_areInfosFigures() {
    try (ServerProcess server = started("--appendonly", "yes")) {
      server.call("BF.RESERVE", "f", "0.01", "1000");
      assertThat(metric("porteiro_aof_enabled")).isOne();
      assertThat(metric("porteiro_aof_size_bytes")).isGreaterThan(10);
      assertThat(metric("porteiro_aof_base_size_bytes")).isPositive();
      assertThat(metric("porteiro_aof_last_write_successful")).isOne();
      server.call("CONFIG", "SET", "appendonly", "no");
      assertThat(metric("porteiro_aof_enabled")).isZero();
      assertThat(metric("porteiro_aof_size_bytes")).isZero();
    }
  }

  @Test
  void metrics_ofFilters_areBoundedAndChosenByPattern() {
    try (ServerProcess server =
        started("--metrics-key-pattern", "user:*", "--metrics-max-keys", "2")) {
      for (int i = 1; i <= 5; i++) {
        server.call("BF.RESERVE", "user:" + i, "0.01", Integer.toString(i * 1000));
      }
      server.call("BF.RESERVE", "other", "0.01", "100000");
      assertThat(awaitMetric("porteiro_filters_left_out", 3)).isEqualTo(3);
      assertThat(get("/metrics").body().lines())
          .filteredOn(line -> line.startsWith("porteiro_filter_capacity{"))
          .containsExactly(
              "porteiro_filter_capacity{db=\"0\",key=\"user:4\"} 4000.0",
              "porteiro_filter_capacity{db=\"0\",key=\"user:5\"} 5000.0");
      server.call("CONFIG", "SET", "metrics-key-pattern", "*");
      assertThat(awaitMetric("porteiro_filters_left_out", 4)).isEqualTo(4);
    }
  }

  @Test
  void metrics_keysOfStrangers_breakNothing() throws IOException {
    try (ServerProcess server = started();
        RawConnection connection = server.connect()) {
      for (String key : List.of("<script>", "a\"b\nc", "\\xff", "\u00ff\u00fe", "", "\u0000")) {
        connection.call("BF.ADD", key, "x");
      }
      assertThat(awaitMetric("porteiro_filters", 6)).isEqualTo(6);
      awaitMetric("porteiro_filter_items{db=\"0\",key=\"<script>\"}", 1);
      String text = get("/metrics").body();
      assertThat(text).contains("key=\"a\\\"b\\\\x0ac\"").contains("key=\"\\\\xff\\\\xfe\"");
      promtool(text);
    }
  }

  /** Prometheus's own tool: the format, and the conventions for names, units and help texts. */
  private static void promtool(String text) throws IOException {
    Path file = Files.writeString(Files.createTempFile("metrics", ".txt"), text, UTF_8);
    try {
      RedisProcess.Output checked = RedisProcess.runWithInput(file, "promtool", "check", "metrics");
      assertThat(checked.text()).isEmpty();
      assertThat(checked.exitCode()).isZero();
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void metrics_forAll_passPromtool() throws IOException {
    try (ServerProcess server = started()) {
      server.call("BF.ADD", "f", "x");
      server.call("NOSUCH");
      awaitMetric("porteiro_filter_items{db=\"0\",key=\"f\"}", 1);
      promtool(get("/metrics").body());
    }
  }

  @Test
  void metrics_asked_areInTheFormatThatIsWanted() {
    try (ServerProcess server = started()) {
      HttpResponse<String> plain = get("/metrics");
      assertThat(plain.headers().firstValue("content-type"))
          .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
      HttpResponse<String> open =
          get("/metrics", "Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
      assertThat(open.headers().firstValue("content-type"))
          .hasValueSatisfying(
              type -> assertThat(type).startsWith("application/openmetrics-text; version=1.0.0"));
      assertThat(open.body()).endsWith("# EOF\n");
      HttpResponse<String> small = get("/metrics", "Accept-Encoding", "gzip");
      assertThat(small.headers().firstValue("content-encoding")).hasValue("gzip");
      assertThat(server.isAlive()).isTrue();
    }
  }

  /** What a dashboard asks for and nobody tells would be an empty panel. */
  @Test
  void dashboard_queries_nameMetricsThatExist() throws IOException {
    Path file = ServerProcess.root().resolve("docker/grafana/porteiro.json");
    JsonObject dashboard = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    List<String> queries = new ArrayList<>();
    collect(dashboard, queries);
    assertThat(queries).hasSizeGreaterThan(20);
    try (ServerProcess server = started()) {
      server.call("BF.ADD", "f", "x");
      server.call("NOSUCH"); // errors are told by their kind, once there are some
      awaitMetric("porteiro_filter_items{db=\"0\",key=\"f\"}", 1);
      List<String> names =
          get("/metrics")
              .body()
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.split("[{ ]", 2)[0])
              .distinct()
              .toList();
      Pattern name = Pattern.compile("\\b(?:porteiro|process|jvm)_[a-z0-9_]+");
      for (String query : queries) {
        Matcher named = name.matcher(query);
        assertThat(named.find()).as(query).isTrue();
        do {
          assertThat(names).as(query).contains(named.group());
        } while (named.find());
      }
    }
  }

  /** All queries: those of panels and those that fill variables. */
  private static void collect(JsonElement element, List<String> queries) {
    if (element instanceof JsonArray array) {
      array.forEach(each -> collect(each, queries));
    } else if (element instanceof JsonObject object) {
      for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
        boolean query = List.of("expr", "definition").contains(entry.getKey());
        if (query && entry.getValue().isJsonPrimitive()) {
          queries.add(entry.getValue().getAsString());
        } else {
          collect(entry.getValue(), queries);
        }
      }
    }
  }

  // ------------------------------------------------------------------ the page

  @Test
  void page_hasAllItNeeds_andForbidsTheRest() {
    try (ServerProcess server = started()) {
      HttpResponse<String> page = get("/");
      assertThat(page.headers().firstValue("content-security-policy"))
          .hasValueSatisfying(policy ->
              assertThat(policy)
                  .contains("default-src 'none'")
                  .contains("script-src 'self'")
                  .doesNotContain("unsafe"));
      assertThat(page.body()).doesNotContain("http://").doesNotContain("https://");
      Matcher file = Pattern.compile("(?:href|src)=\"([a-z.]+)\"").matcher(page.body());
      List<String> files = new ArrayList<>();
      while (file.find()) {
        files.add(file.group(1));
        assertThat(get("/" + file.group(1)).statusCode()).as(file.group(1)).isEqualTo(200);
      }
      assertThat(files).contains("page.css", "page.js", "icon.svg", "metrics", "status.json");
      assertThat(server.isAlive()).isTrue();
    }
  }

  @Test
  void status_ofFilters_isFoundByPartOfTheKey() {
    try (ServerProcess server = started()) {
      server.call("BF.RESERVE", "user names", "0.01", "1000");
      server.call("BF.RESERVE", "mails", "0.001", "1000", "NONSCALING");
      server.call("BF.ADD", "mails", "x");
      JsonObject filters = status("?find=mail").getAsJsonObject("filters");
      assertThat(filters.get("total").getAsInt()).isEqualTo(2);
      assertThat(filters.get("matching").getAsInt()).isOne();
      JsonObject row = filters.getAsJsonArray("rows").get(0).getAsJsonObject();
      assertThat(row.get("name").getAsString()).isEqualTo("mails");
      assertThat(row.get("items").getAsInt()).isOne();
      assertThat(row.get("expansion").getAsInt()).isZero();
      assertThat(row.get("promisedErrorRate").getAsDouble()).isEqualTo(0.001);
      assertThat(status("?find=user%20n*").getAsJsonObject("filters").get("matching").getAsInt())
          .isOne();
    }
  }

  @Test
  void status_ofManyFilters_isBounded() {
    try (ServerProcess server = started();
        RawConnection connection = server.connect()) {
      for (int i = 0; i < 300; i++) {
        connection.call("BF.ADD", "f" + i, "x");
      }
      JsonObject filters = status("?find=f").getAsJsonObject("filters");
      assertThat(filters.get("matching").getAsInt()).isEqualTo(300);
      assertThat(filters.getAsJsonArray("rows")).hasSize(100);
    }
  }

  // ------------------------------------------------------------------ strangers

  @Test
  void badRequests_getErrorsOfHttp() throws IOException {
    try (ServerProcess server = started()) {
      Map<String, String> answers =
          Map.of(
              "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
              "405",
              "GET / HTTP/1.1\r\n\r\n",
              "400",
              "*1\r\n$4\r\nPING\r\n\r\n",
              "400",
              "GET /" + "a".repeat(10_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
              "414",
              "GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(20_000) + "\r\n\r\n",
              "431",
              "GET /status.json?find=%zz HTTP/1.0\r\n\r\n",
              "400",
              "GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n",
              "413",
              "GET /%zz HTTP/1.0\r\n\r\n",
              "404",
              "HEAD /livez HTTP/1.0\r\n\r\n",
              "200",
              "GET /livez HTTP/1.0\r\n\r\n",
              "200");
      for (Map.Entry<String, String> each : answers.entrySet()) {
        String request = each.getKey();
        assertThat(exchange(request))
            .as(request.substring(0, Math.min(60, request.length())))
            .startsWith("HTTP/1.1 " + each.getValue());
      }
      assertThat(exchange("HEAD /livez HTTP/1.0\r\n\r\n")).endsWith("\r\n\r\n");
      assertThat(get("/livez").statusCode()).isEqualTo(200);
      assertThat(server.call("PING")).isEqualTo(new Reply.Simple("PONG"));
    }
  }

  @Test
  void requests_inOneGo_areAnsweredInOrder() throws IOException {
    try (ServerProcess server = started();
        Socket socket = open()) {
      String one = "GET /status.json HTTP/1.1\r\nHost: a\r\n\r\n";
      String two = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n";
      String last = "GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(((one + two).repeat(20) + last).getBytes(ISO_8859_1));
      String answers = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      List<String> types =
          Pattern.compile("content-type: (\\S+)")
              .matcher(answers)
              .results()
              .map(match -> match.group(1).replace(";", ""))
              .toList();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        expected.addAll(List.of("application/json", "text/plain"));
      }
      expected.add("text/plain");
      assertThat(types).isEqualTo(expected);
      assertThat(answers).contains("404 Not Found");
      assertThat(server.isAlive()).isTrue();
    }
  }

  /** Connections that hold their place and say nothing, or one byte now and then. */
  @Test
  void slowConnections_byTheHundred_keepNobodyOut() throws IOException {
    List<Socket> slow = new ArrayList<>();
    try (ServerProcess server = started()) {
      for (int i = 0; i < 300; i++) {
        Socket socket = open();
        slow.add(socket);
        socket.getOutputStream().write("GET /metrics HT".getBytes(ISO_8859_1));
      }
      for (int i = 0; i < 20; i++) {
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        assertThat(server.call("PING")).isEqualTo(new Reply.Simple("PONG"));
      }
      assertThat(get("/metrics").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void connection_thatNeverAsks_isClosed() throws IOException {
    try (ServerProcess server = started();
        Socket socket = open()) {
      socket.getOutputStream().write("GET".getBytes(ISO_8859_1));
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
      assertThat(server.isAlive()).isTrue();
    }
  }
}
