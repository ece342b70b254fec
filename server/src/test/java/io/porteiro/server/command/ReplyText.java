package io.porteiro.server.command;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Replies as one line of text each, so that tests read as a dialogue: {@code +OK}, {@code :1},
 * {@code "bulk"}, {@code nil}, {@code [:1 "a"]}. RESP3: {@code _}, {@code #t}, {@code ,1.5}, {@code
 * {"k" :1}}, {@code ~[...]}, {@code >[...]}, {@code =txt:"..."}.
 */
final class ReplyText {
  private final byte[] bytes;
  private int position;

  private ReplyText(byte[] bytes) {
    this.bytes = bytes;
  }

  /** All values in the bytes, which must end with a whole one. */
  static List<String> parse(byte[] bytes) {
    ReplyText text = new ReplyText(bytes);
    List<String> values = new ArrayList<>();
    while (text.position < bytes.length) {
      values.add(text.value());
    }
    return values;
  }

  private String value() {
    char type = (char) bytes[position++];
    String line = line();
    return switch (type) {
      case '+', '-', ':', ',', '(' -> type + line;
      case '#' -> '#' + line;
      case '_' -> "_";
      case '$' -> line.equals("-1") ? "nil" : quoted(take(line));
      case '!' -> '!' + quoted(take(line));
      case '=' -> verbatim(take(line));
      case '*' -> line.equals("-1") ? "nil-array" : elements("[", number(line), "]");
      case '~' -> elements("~[", number(line), "]");
      case '>' -> elements(">[", number(line), "]");
      case '%' -> elements("{", 2 * number(line), "}");
      case '|' -> elements("|{", 2 * number(line), "}") + value();
      default -> throw new AssertionError("no RESP type: '" + type + "' before " + line);
    };
  }

  private String line() {
    int end = position;
    while (bytes[end] != '\r' || bytes[end + 1] != '\n') {
      end++;
    }
    String line = latin(position, end);
    position = end + 2;
    return line;
  }

  private static int number(String line) {
    return Integer.parseInt(line);
  }

  private String take(String length) {
    int end = position + number(length);
    String data = latin(position, end);
    if (bytes[end] != '\r' || bytes[end + 1] != '\n') {
      throw new AssertionError("no line end behind " + quoted(data));
    }
    position = end + 2;
    return data;
  }

  private String latin(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private String elements(String open, int count, String close) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(value());
    }
    return open + String.join(" ", values) + close;
  }

  private static String verbatim(String data) {
    return "=" + data.substring(0, 4) + quoted(data.substring(4));
  }

  /** In double quotes, all but printable ASCII escaped. */
  static String quoted(String latin) {
    StringBuilder text = new StringBuilder("\"");
    latin.chars().forEach(c -> text.append(escaped((char) c)));
    return text.append('"').toString();
  }

  private static String escaped(char c) {
    return switch (c) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case '\r' -> "\\r";
      case '\n' -> "\\n";
      default -> c >= ' ' && c <= '~' ? String.valueOf(c) : String.format("\\x%02x", (int) c);
    };
  }
}
