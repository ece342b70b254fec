package io.porteiro.it.reports;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The step {@code add_items}: adds numbered items, then checks what the structure promises. */
final class ItemGenerator {
  private static final int BATCH = 500;

  private final RawConnection connection;
  private final String command;
  private final String key;
  private final String prefix;
  private final int count;
  private final JsonObject step;

  ItemGenerator(RawConnection connection, JsonObject step) {
    this.connection = connection;
    this.step = step;
    command = step.get("cmd").getAsString().toUpperCase(Locale.ROOT);
    key = step.get("key").getAsString();
    prefix = step.get("prefix").getAsString();
    count = step.get("count").getAsInt();
  }

  void run() {
    for (int from = 0; from < count; from += BATCH) {
      add(items(prefix, from, count));
    }
    if (step.has("check")) {
      JsonElement checks = step.get("check");
      List<JsonElement> list =
          checks.isJsonArray() ? checks.getAsJsonArray().asList() : List.of(checks);
      list.forEach(check -> check(check.getAsString()));
    }
  }

  private static List<String> items(String prefix, int from, int count) {
    List<String> items = new ArrayList<>();
    for (int i = from; i < Math.min(count, from + BATCH); i++) {
      items.add(prefix + i);
    }
    return items;
  }

  private void add(List<String> items) {
    boolean several = command.equals("BF.MADD") || command.equals("PFADD");
    List<List<String>> batches = several ? List.of(items) : items.stream().map(List::of).toList();
    StringBuilder requests = new StringBuilder();
    batches.forEach(batch -> requests.append(RawConnection.encode(command(command, batch))));
    connection.sendBytes(requests.toString());
    for (int i = 0; i < batches.size(); i++) {
      Reply reply = connection.read();
      if (!(reply instanceof Reply.Int || reply instanceof Reply.Aggregate)) {
        throw new AssertionError(command + " answered " + reply);
      }
    }
  }

  private String[] command(String name, List<String> items) {
    List<String> words = new ArrayList<>(List.of(name, key));
    words.addAll(items);
    return words.toArray(String[]::new);
  }

  private void check(String check) {
    switch (check) {
      case "no_false_negative" -> require(hits(prefix, count) == count, "false negatives");
      case "fpr_at_most" -> checkFalsePositives();
      case "count_within" -> checkCount();
      default -> throw new IllegalArgumentException(check);
    }
  }

  private long hits(String itemPrefix, int items) {
    long hits = 0;
    for (int from = 0; from < items; from += BATCH) {
      String[] request = command("BF.MEXISTS", items(itemPrefix, from, items));
      hits += connection.call(request).asList().stream().mapToLong(Reply::asLong).sum();
    }
    return hits;
  }

  private void checkFalsePositives() {
    int probes = step.has("probes") ? step.get("probes").getAsInt() : count;
    double rate = (double) hits("absent:" + prefix, probes) / probes;
    require(rate <= value(), "false-positive rate " + rate + " over " + value());
  }

  private void checkCount() {
    String counter = command.equals("PFADD") ? "PFCOUNT" : "BF.CARD";
    long counted = connection.call(counter, key).asLong();
    require(Math.abs(counted - count) <= value() * count, counter + " is " + counted);
  }

  private double value() {
    return step.get("value").getAsDouble();
  }

  private static void require(boolean condition, String complaint) {
    if (!condition) {
      throw new AssertionError(complaint);
    }
  }
}
