package io.porteiro.it.reports;

import com.google.gson.JsonElement;
import io.porteiro.it.resp.Bytes;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The bytes that a step's JSON stands for: a text, a list of parts, or {@code {"rep": [s, n]}}. */
final class StepData {
  private StepData() {}

  static String text(JsonElement data) {
    return expand(data, Bytes::utf8);
  }

  static String hex(JsonElement data) {
    return expand(data, hex -> Bytes.of(HexFormat.of().parseHex(hex)));
  }

  private static String expand(JsonElement data, UnaryOperator<String> decode) {
    if (data.isJsonObject()) {
      var repeated = data.getAsJsonObject().getAsJsonArray("rep");
      return expand(repeated.get(0), decode).repeat(repeated.get(1).getAsInt());
    } else if (data.isJsonArray()) {
      return data.getAsJsonArray().asList().stream()
          .map(part -> expand(part, decode))
          .collect(Collectors.joining());
    }
    return decode.apply(data.getAsString());
  }
}
