package io.porteiro.it.reports;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.porteiro.it.conformance.Notation;
import io.porteiro.it.process.RespProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Plays a reported case against a server; the first step that does not fit ends it. */
public final class ReportRunner implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(3);
  private static final JsonElement OK = new JsonPrimitive("OK");
  private static final String CLOSED = "closed";

  private final RespProcess server;
  private final String password;
  private final Map<String, RawConnection> connections = new HashMap<>();

  /**
   * @param password the server's, or empty
   */
  public ReportRunner(RespProcess server, String password) {
    this.server = server;
    this.password = password;
  }

  @Override
  public void close() {
    connections.values().forEach(RawConnection::close);
    connections.clear();
  }

  /** Empties the server and plays the case. */
  public void play(ReportedCase reported) {
    try (RawConnection admin = connect()) {
      if (!password.isEmpty()) {
        admin.call("AUTH", password);
      }
      require(OK, admin.call("FLUSHALL"));
    }
    reported.steps().forEach(this::playTimed);
  }

  private void playTimed(JsonObject step) {
    long start = System.nanoTime();
    try {
      play(step);
    } catch (IllegalStateException | AssertionError e) {
      throw new AssertionError("step " + abridged(step.toString()) + "\n" + e.getMessage(), e);
    }
    long ms = (System.nanoTime() - start) / 1_000_000;
    if (step.has("max_ms") && ms > step.get("max_ms").getAsLong()) {
      throw new AssertionError("took " + ms + " ms: " + abridged(step.toString()));
    }
  }

  private void play(JsonObject step) {
    RawConnection connection = connection(step.has("conn") ? text(step, "conn") : "a");
    if (step.has("gen")) {
      generate(connection, step);
    } else if (step.has("send") || step.has("send_hex")) {
      send(connection, step);
    } else if (step.has("pipeline")) {
      pipeline(connection, step);
    } else {
      raw(connection, step);
    }
  }

  private RawConnection connect() {
    return RawConnection.open(server.port()).patience(PATIENCE);
  }

  private RawConnection connection(String name) {
    return connections.computeIfAbsent(name, _ -> connect());
  }

  // ------------------------------------------------------------------ sending

  private void send(RawConnection connection, JsonObject step) {
    JsonElement expected = step.get("expect");
    for (int i = 0; i < repeat(step); i++) {
      connection.send(arguments(step, i));
      if (isClosed(expected)) {
        requireClosed(connection);
        return;
      }
      require(expected, connection.read());
    }
  }

  private String[] arguments(JsonObject step, int round) {
    if (step.has("send_hex")) {
      return parts(step.getAsJsonArray("send_hex")).map(StepData::hex).toArray(String[]::new);
    }
    return parts(step.getAsJsonArray("send"))
        .map(StepData::text)
        .map(text -> text.replace("{i}", Integer.toString(round)).replace("{pw}", password))
        .toArray(String[]::new);
  }

  private void pipeline(RawConnection connection, JsonObject step) {
    StringBuilder once = new StringBuilder();
    for (JsonElement command : step.getAsJsonArray("pipeline")) {
      String[] arguments =
          parts(command.getAsJsonArray()).map(StepData::text).toArray(String[]::new);
      once.append(RawConnection.encode(arguments));
    }
    connection.sendBytes(once.toString().repeat(repeat(step)));
    for (int i = 0; i < repeat(step); i++) {
      replies(connection, step.getAsJsonArray("expect"));
    }
  }

  private void raw(RawConnection connection, JsonObject step) {
    String bytes = StepData.text(step.get("raw"));
    int from = 0;
    for (int cut : cuts(step, bytes.length())) {
      connection.sendBytes(bytes.substring(from, cut));
      pause(step.get("splits").isJsonArray() ? 50 : 2);
      from = cut;
    }
    connection.sendBytes(bytes.substring(from));
    replies(connection, step.getAsJsonArray("expect"));
  }

  private static List<Integer> cuts(JsonObject step, int length) {
    List<Integer> cuts = new ArrayList<>();
    if (step.has("splits") && step.get("splits").isJsonArray()) {
      step.getAsJsonArray("splits").forEach(cut -> cuts.add(cut.getAsInt()));
    } else if (step.has("splits")) {
      for (int i = 1; i < length; i++) {
        cuts.add(i);
      }
    }
    return cuts;
  }

  // ------------------------------------------------------------------ replies

  private static void replies(RawConnection connection, JsonArray expected) {
    for (JsonElement one : expected) {
      if (isClosed(one)) {
        requireClosed(connection);
        return;
      }
      require(one, connection.read());
    }
  }

  private static boolean isClosed(JsonElement expected) {
    return expected.isJsonObject() && expected.getAsJsonObject().has(CLOSED);
  }

  private static void requireClosed(RawConnection connection) {
    if (!connection.awaitClose(CLOSE_PATIENCE)) {
      throw new AssertionError("the connection was left open");
    }
  }

  private static void require(JsonElement expected, Reply reply) {
    if (!ReplyMatcher.matches(expected, reply)) {
      throw new AssertionError(
          "expected " + expected + "\ngot " + abridged(String.join("\n", Notation.lines(reply))));
    }
  }

  // ------------------------------------------------------------------ generators

  private void generate(RawConnection connection, JsonObject step) {
    switch (text(step, "gen")) {
      case "sleep" -> pause(step.get("ms").getAsLong());
      case "add_items" -> new ItemGenerator(connection, step).run();
      case "scandump_copy" -> copyByScanDump(connection, step);
      case "dump_restore" -> copyByDump(connection, step);
      case "restart" -> restart(step);
      default -> throw new IllegalArgumentException(step.toString());
    }
  }

  private static void copyByScanDump(RawConnection connection, JsonObject step) {
    long total = 0;
    long maxChunks = step.has("max_chunks") ? step.get("max_chunks").getAsLong() : 10_000;
    String iterator = "0";
    for (int chunks = 0; chunks < maxChunks; chunks++) {
      List<Reply> pair = connection.call("BF.SCANDUMP", text(step, "src"), iterator).asList();
      iterator = Long.toString(pair.get(0).asLong());
      if (iterator.equals("0")) {
        break;
      }
      String bytes = pair.get(1).asBytes();
      total += bytes.length();
      require(OK, connection.call("BF.LOADCHUNK", text(step, "dst"), iterator, bytes));
    }
    if (step.has("max_bytes") && total > step.get("max_bytes").getAsLong()) {
      throw new AssertionError("dumped " + total + " bytes");
    }
  }

  private static void copyByDump(RawConnection connection, JsonObject step) {
    String payload = connection.call("DUMP", text(step, "src")).asBytes();
    String ttl = step.has("ttl") ? text(step, "ttl") : "0";
    Reply reply = connection.call("RESTORE", text(step, "dst"), ttl, mutated(payload, step));
    require(step.has("expect") ? step.get("expect") : OK, reply);
  }

  private static String mutated(String payload, JsonObject step) {
    int middle = payload.length() / 2;
    return switch (step.has("mutate") ? text(step, "mutate") : "") {
      case "flip" ->
          payload.substring(0, middle)
              + (char) (payload.charAt(middle) ^ 0x55)
              + payload.substring(middle + 1);
      case "truncate" -> payload.substring(0, payload.length() - 3);
      case "append" -> payload + "\n";
      default -> payload;
    };
  }

  private void restart(JsonObject step) {
    close();
    if (step.has("how") && text(step, "how").equals("kill")) {
      server.kill();
    } else {
      server.stop();
    }
    if (step.has("chop_aof")) {
      chopNewestLog(step.get("chop_aof").getAsLong());
    }
    pause(step.has("down_ms") ? step.get("down_ms").getAsLong() : 0);
    server.start();
  }

  private void chopNewestLog(long bytes) {
    try (Stream<Path> files = Files.walk(server.directory())) {
      Path newest =
          files
              .filter(file -> file.toString().endsWith(".incr.aof"))
              .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
              .orElseThrow();
      try (FileChannel channel = FileChannel.open(newest, StandardOpenOption.WRITE)) {
        channel.truncate(Math.max(0, channel.size() - bytes));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ------------------------------------------------------------------ the rest

  private static Stream<JsonElement> parts(JsonArray array) {
    return array.asList().stream();
  }

  private static String text(JsonObject step, String field) {
    return step.get(field).getAsString();
  }

  private static int repeat(JsonObject step) {
    return step.has("repeat") ? step.get("repeat").getAsInt() : 1;
  }

  private static String abridged(String text) {
    return text.length() < 1000 ? text : text.substring(0, 1000) + "...";
  }

  private static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
