package io.porteiro.it.reports;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.porteiro.it.resp.Bytes;
import io.porteiro.it.resp.Reply;
import io.porteiro.it.resp.Reply.Aggregate;
import io.porteiro.it.resp.Reply.Mapping;
import io.porteiro.it.resp.Reply.Special;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether a reply fits the {@code expect} of a step; the matchers are listed in the corpus. */
final class ReplyMatcher {
  private ReplyMatcher() {}

  static boolean matches(JsonElement expected, Reply reply) {
    if (expected.isJsonNull()) {
      return type(reply).equals("null");
    } else if (expected.isJsonArray()) {
      return matchesElements(expected.getAsJsonArray(), reply);
    } else if (expected.isJsonObject()) {
      Map.Entry<String, JsonElement> matcher =
          expected.getAsJsonObject().entrySet().iterator().next();
      return matches(matcher.getKey(), matcher.getValue(), reply);
    }
    return matchesLiteral(expected.getAsJsonPrimitive(), reply);
  }

  private static boolean matchesLiteral(JsonPrimitive expected, Reply reply) {
    if (expected.isBoolean()) {
      return reply.equals(new Reply.Bool(expected.getAsBoolean()));
    } else if (expected.isNumber()) {
      return type(reply).equals("integer") && text(reply).equals(expected.getAsString());
    }
    return isText(reply) && text(reply).equals(Bytes.utf8(expected.getAsString()));
  }

  private static boolean matchesElements(JsonArray expected, Reply reply) {
    if (!(reply instanceof Aggregate(Aggregate.Kind kind, List<Reply> elements))
        || kind == Aggregate.Kind.PUSH
        || elements.size() != expected.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      if (!matches(expected.get(i), elements.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean matches(String matcher, JsonElement value, Reply reply) {
    return switch (matcher) {
      case "any" -> !(reply == Special.CLOSED || reply == Special.TIMEOUT);
      case "error_prefix" ->
          type(reply).equals("error") && text(reply).startsWith(Bytes.utf8(value.getAsString()));
      case "type" -> isOfType(value.getAsString(), reply);
      case "between" -> isBetween(value.getAsJsonArray(), reply);
      case "has" -> has(value.getAsJsonArray(), reply);
      case "one_of" -> value.getAsJsonArray().asList().stream().anyMatch(m -> matches(m, reply));
      case "sorted" -> isPermutation(value.getAsJsonArray(), reply);
      case "map" -> hasFields(value.getAsJsonObject(), reply);
      case "rep" -> isText(reply) && text(reply).equals(StepData.text(object(matcher, value)));
      default -> throw new IllegalArgumentException("not a matcher: " + matcher);
    };
  }

  private static JsonObject object(String name, JsonElement value) {
    JsonObject object = new JsonObject();
    object.add(name, value);
    return object;
  }

  private static boolean isOfType(String wanted, Reply reply) {
    return wanted.equals("string") ? isText(reply) : type(reply).equals(wanted);
  }

  private static boolean isBetween(JsonArray range, Reply reply) {
    Double value = isText(reply) ? Double.valueOf(text(reply)) : number(reply);
    return value != null
        && value >= range.get(0).getAsDouble()
        && value <= range.get(1).getAsDouble();
  }

  private static boolean has(JsonArray words, Reply reply) {
    String text = String.join("\n", flat(reply).toList()).toLowerCase(Locale.ROOT);
    return words.asList().stream()
        .allMatch(word -> text.contains(word.getAsString().toLowerCase(Locale.ROOT)));
  }

  private static boolean isPermutation(JsonArray expected, Reply reply) {
    return reply instanceof Aggregate
        && flat(reply)
            .sorted()
            .toList()
            .equals(expected.asList().stream().map(JsonElement::getAsString).sorted().toList());
  }

  private static boolean hasFields(JsonObject fields, Reply reply) {
    return fields.entrySet().stream()
        .allMatch(field -> {
          Reply value = field(field.getKey(), reply);
          return value != null && matches(field.getValue(), value);
        });
  }

  /** The value of a field of a map, or of a flat array of pairs. */
  private static @Nullable Reply field(String name, Reply reply) {
    List<Reply> pairs = pairs(reply);
    for (int i = 0; i < pairs.size(); i += 2) {
      if (text(pairs.get(i)).equals(Bytes.utf8(name))) {
        return pairs.get(i + 1);
      }
    }
    return null;
  }

  private static List<Reply> pairs(Reply reply) {
    if (reply instanceof Mapping mapping) {
      List<Reply> pairs = new ArrayList<>();
      mapping.entries().forEach(entry -> pairs.addAll(List.of(entry.getKey(), entry.getValue())));
      return pairs;
    }
    return reply instanceof Aggregate aggregate ? aggregate.elements() : List.of();
  }

  // ------------------------------------------------------------------ the corpus's view of replies

  static String type(Reply reply) {
    return switch (reply) {
      case Reply.Simple _ -> "simple";
      case Reply.Failure _, Reply.BulkFailure _ -> "error";
      case Reply.Int _, Reply.BigNumber _ -> "integer";
      case Reply.Bulk _, Reply.Verbatim _ -> "bulk";
      case Reply.Bool _ -> "boolean";
      case Reply.Dbl _ -> "double";
      case Aggregate aggregate -> aggregate.kind().name().toLowerCase(Locale.ROOT);
      case Mapping _ -> "map";
      case Special special ->
          special == Special.CLOSED || special == Special.TIMEOUT || special == Special.NONE
              ? special.name()
              : "null";
    };
  }

  private static boolean isText(Reply reply) {
    return type(reply).equals("simple") || type(reply).equals("bulk");
  }

  private static @Nullable Double number(Reply reply) {
    return switch (reply) {
      case Reply.Int(long value) -> (double) value;
      case Reply.BigNumber(var value) -> value.doubleValue();
      case Reply.Dbl dbl -> dbl.value();
      default -> null;
    };
  }

  private static String text(Reply reply) {
    return switch (reply) {
      case Reply.Simple(String text) -> text;
      case Reply.Failure(String text) -> text;
      case Reply.Bulk(String bytes) -> bytes;
      case Reply.BulkFailure(String bytes) -> bytes;
      case Reply.Verbatim(String _, String bytes) -> bytes;
      case Reply.Int(long value) -> Long.toString(value);
      case Reply.Dbl(String text) -> text;
      case Reply.BigNumber(var value) -> value.toString();
      default -> reply.toString();
    };
  }

  private static Stream<String> flat(Reply reply) {
    return reply instanceof Aggregate || reply instanceof Mapping
        ? pairs(reply).stream().flatMap(ReplyMatcher::flat)
        : Stream.of(Bytes.decodeUtf8(text(reply)));
  }
}
