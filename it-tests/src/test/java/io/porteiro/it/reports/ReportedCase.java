package io.porteiro.it.reports;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.porteiro.it.conformance.Corpus;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A fault that users of some server reported, as steps that a right server passes. */
public record ReportedCase(JsonObject json) {
  public static List<ReportedCase> all() {
    return Corpus.read(Corpus.path("reports/cases.jsonl"))
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> new ReportedCase(JsonParser.parseString(line).getAsJsonObject()))
        .toList();
  }

  /** What the server and the surroundings must offer, by the names of the corpus. */
  public Set<String> needs() {
    return json.has("needs")
        ? json.getAsJsonArray("needs").asList().stream()
            .map(JsonElement::getAsString)
            .collect(Collectors.toSet())
        : Set.of();
  }

  /** Whether the case takes much memory or time. */
  public boolean isHeavy() {
    return json.has("heavy");
  }

  public String title() {
    return text("id") + " " + text("why") + " (" + text("source") + ")";
  }

  private String text(String field) {
    return json.get(field).getAsString();
  }

  List<JsonObject> steps() {
    return json.getAsJsonArray("steps").asList().stream()
        .map(JsonElement::getAsJsonObject)
        .toList();
  }
}
