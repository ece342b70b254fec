package io.porteiro.it.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.porteiro.it.conformance.Notation;
import io.porteiro.it.conformance.Quoting;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Brings a golden file's data into a running server, and compares what it then holds. */
public final class GoldenCheck implements AutoCloseable {
  private static final int ITEMS_A_COMMAND = 500;

  private final RawConnection connection;

  public GoldenCheck(int port) {
    connection = RawConnection.open(port).patience(Duration.ofMinutes(1));
  }

  @Override
  public void close() {
    connection.close();
  }

  private Reply call(String... arguments) {
    return connection.call(arguments);
  }

  private Reply call(List<String> arguments) {
    return connection.call(arguments.toArray(String[]::new));
  }

  // ------------------------------------------------------------------ bringing data in

  /** Empties the server, then restores, loads or makes what the file describes. */
  public void restore(GoldenFile file) {
    call("FLUSHALL");
    JsonObject description = file.description();
    if (description.has("restore_key")) {
      restorePayload(file);
    } else if (description.has("loadchunk")) {
      loadChunks(file);
    } else {
      description.getAsJsonArray("recipe").forEach(step -> cook(step.getAsJsonArray()));
    }
  }

  private void restorePayload(GoldenFile file) {
    JsonObject description = file.description();
    List<String> command = new ArrayList<>();
    command.add("RESTORE");
    command.add(Quoting.unescape(file.text("restore_key")));
    command.add(description.has("restore_ttl") ? file.text("restore_ttl") : "0");
    command.add(file.bytes(file.text("file")));
    if (description.has("restore_options")) {
      command.addAll(strings(description.getAsJsonArray("restore_options")));
    }
    String wanted = description.has("restore_reply") ? file.text("restore_reply") : "+OK";
    assertThat(Notation.scalar(call(command))).as("RESTORE").isEqualTo(wanted);
  }

  private void loadChunks(GoldenFile file) {
    String key = Quoting.unescape(file.text("loadchunk_key"));
    for (JsonElement element : file.description().getAsJsonArray("loadchunk")) {
      JsonArray chunk = element.getAsJsonArray();
      String bytes = file.bytes(chunk.get(0).getAsString());
      assertThat(call("BF.LOADCHUNK", key, chunk.get(1).getAsString(), bytes))
          .as("BF.LOADCHUNK %s", chunk)
          .isEqualTo(new Reply.Simple("OK"));
    }
  }

  /** A command, or {@code ["gen", head, template, from, count, per]}. */
  private void cook(JsonArray step) {
    if (!step.get(0).getAsString().equals("gen")) {
      call(strings(step));
      return;
    }
    String template = step.get(2).getAsString();
    batches(
        step.get(3).getAsLong(),
        step.get(4).getAsLong(),
        step.get(5).getAsInt(),
        strings(step.get(1).getAsJsonArray()),
        number -> template.replace("%d", Long.toString(number)));
  }

  private List<Reply> batches(
      long from, long count, int size, List<String> head, LongFunction<String> item) {
    List<Reply> replies = new ArrayList<>();
    for (long start = from; start < from + count; start += size) {
      List<String> command = new ArrayList<>(head);
      for (long i = start; i < Math.min(start + size, from + count); i++) {
        command.add(item.apply(i));
      }
      replies.add(call(command));
    }
    return replies;
  }

  // ------------------------------------------------------------------ comparing

  /** Compares all databases with the description. */
  public void check(GoldenFile file) {
    JsonObject description = file.description();
    for (Map.Entry<String, JsonElement> database : entries(description, "databases")) {
      JsonObject keys = database.getValue().getAsJsonObject();
      call("SELECT", database.getKey());
      assertThat(call("DBSIZE").asLong())
          .as("DBSIZE of database %s", database.getKey())
          .isEqualTo(size(description, database.getKey(), keys));
      keys.entrySet().forEach(key -> check(key.getKey(), key.getValue().getAsJsonObject()));
    }
    for (Map.Entry<String, JsonElement> database : entries(description, "absent")) {
      call("SELECT", database.getKey());
      database.getValue().getAsJsonArray().forEach(name -> checkAbsent(name.getAsString()));
    }
  }

  private static Iterable<Map.Entry<String, JsonElement>> entries(JsonObject object, String name) {
    return object.has(name) ? object.getAsJsonObject(name).entrySet() : List.of();
  }

  private static long size(JsonObject description, String database, JsonObject keys) {
    boolean given =
        description.has("dbsize")
            && description.getAsJsonObject("dbsize").has(database)
            && !description.has("foreign_keys"); // which are counted there and left out by us
    return given ? description.getAsJsonObject("dbsize").get(database).getAsLong() : keys.size();
  }

  private void checkAbsent(String name) {
    assertThat(call("EXISTS", Quoting.unescape(name)).asLong()).as(name).isZero();
  }

  private void check(String name, JsonObject wanted) {
    String key = Quoting.unescape(name);
    String type = wanted.get("type").getAsString();
    assertThat(call("TYPE", key)).as("TYPE of %s", name).isEqualTo(typeReply(type));
    assertThat(call("PEXPIRETIME", key).asLong())
        .as("PEXPIRETIME of %s", name)
        .isEqualTo(wanted.has("pexpiretime") ? wanted.get("pexpiretime").getAsLong() : -1);
    switch (type) {
      case "string" -> checkString(name, key, wanted);
      case "hll" -> checkHyperLogLog(name, key, wanted);
      case "bloom" -> checkBloom(name, key, wanted);
      default -> throw new IllegalArgumentException(type);
    }
  }

  private static Reply typeReply(String type) {
    return new Reply.Simple(
        switch (type) {
          case "hll" -> "string";
          case "bloom" -> "MBbloom--";
          default -> type;
        });
  }

  private String checkString(String name, String key, JsonObject wanted) {
    String value = call("GET", key).asBytes();
    if (wanted.has("value")) {
      assertThat(value).as(name).isEqualTo(Quoting.unescape(wanted.get("value").getAsString()));
    }
    if (wanted.has("sha256")) {
      assertThat(Notation.sha256(value)).as(name).isEqualTo(wanted.get("sha256").getAsString());
    }
    assertThat(call("STRLEN", key).asLong()).as(name).isEqualTo(wanted.get("strlen").getAsLong());
    return value;
  }

  /** GET comes before PFCOUNT, which changes the value. */
  private void checkHyperLogLog(String name, String key, JsonObject wanted) {
    String value = checkString(name, key, wanted);
    String encoding = value.charAt(4) == 0 ? "dense" : "sparse";
    assertThat(encoding).as(name).isEqualTo(wanted.get("encoding").getAsString());
    assertThat(call("PFCOUNT", key).asLong())
        .as("PFCOUNT of %s", name)
        .isEqualTo(wanted.get("pfcount").getAsLong());
  }

  private void checkBloom(String name, String key, JsonObject wanted) {
    assertThat(info(key)).as("BF.INFO of %s", name).isEqualTo(wanted.getAsJsonObject("info"));
    assertThat(call("BF.DEBUG", key).asList().stream().map(Notation::payload).toList())
        .as("BF.DEBUG of %s", name)
        .isEqualTo(strings(wanted.getAsJsonArray("debug")));
    checkItems(name, key, wanted, "members", 1);
    checkItems(name, key, wanted, "nonmembers", 0);
    if (wanted.has("mexists")) {
      wanted.getAsJsonArray("mexists").forEach(one -> checkMany(name, key, one.getAsJsonArray()));
    }
    if (wanted.has("scandump")) {
      assertThat(scanDump(key)).as("SCANDUMP of %s", name).isEqualTo(wanted.get("scandump"));
    }
  }

  private JsonObject info(String key) {
    JsonObject info = new JsonObject();
    List<Reply> fields = call("BF.INFO", key).asList();
    for (int i = 0; i < fields.size(); i += 2) {
      Reply value = fields.get(i + 1);
      info.addProperty(
          Notation.payload(fields.get(i)), value instanceof Reply.Int ? value.asLong() : null);
    }
    return info;
  }

  private void checkItems(String name, String key, JsonObject wanted, String field, long answer) {
    if (wanted.has(field) && !wanted.getAsJsonArray(field).isEmpty()) {
      List<String> command = new ArrayList<>(List.of("BF.MEXISTS", key));
      strings(wanted.getAsJsonArray(field)).forEach(item -> command.add(Quoting.unescape(item)));
      assertThat(call(command).asList())
          .as("%s of %s", field, name)
          .allMatch(reply -> reply.asLong() == answer);
    }
  }

  /** {@code [template, from, count, positives]} */
  private void checkMany(String name, String key, JsonArray range) {
    String template = range.get(0).getAsString();
    long positives =
        batches(
                range.get(1).getAsLong(),
                range.get(2).getAsLong(),
                ITEMS_A_COMMAND,
                List.of("BF.MEXISTS", key),
                number -> template.replace("%d", Long.toString(number)))
            .stream()
            .flatMap(reply -> reply.asList().stream())
            .mapToLong(Reply::asLong)
            .sum();
    assertThat(positives).as("%s: %s", name, range).isEqualTo(range.get(3).getAsLong());
  }

  /** The chunks as the descriptions hold them: iterator, length, SHA-256. */
  private JsonArray scanDump(String key) {
    JsonArray chunks = new JsonArray();
    for (long iterator = 0; ; ) {
      List<Reply> reply = call("BF.SCANDUMP", key, Long.toString(iterator)).asList();
      iterator = reply.get(0).asLong();
      if (iterator == 0) {
        return chunks;
      }
      String bytes = reply.get(1).asBytes();
      JsonArray chunk = new JsonArray();
      chunk.add(iterator);
      chunk.add(bytes.length());
      chunk.add(Notation.sha256(bytes));
      chunks.add(chunk);
    }
  }

  private static List<String> strings(JsonArray array) {
    return array.asList().stream().map(JsonElement::getAsString).toList();
  }
}
