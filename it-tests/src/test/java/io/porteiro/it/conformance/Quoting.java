package io.porteiro.it.conformance;

import io.porteiro.it.resp.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text form of byte strings in case files: redis-cli's quoting, and besides it {@code "x"*1000}
 * to repeat, {@code "a"+"b"} to join, and {@code ${NAME}} for a saved value.
 */
public final class Quoting {
  private static final String ESCAPED = "\n\r\t\\\"";
  private static final String ESCAPE_LETTERS = "nrt\\\"";
  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{2}");
  private static final Pattern TIMES = Pattern.compile("\\*(\\d+)");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");

  private Quoting() {}

  // ------------------------------------------------------------------ bytes to text

  /** {@code bytes} between double quotes. */
  public static String quote(String bytes) {
    return '"' + escape(bytes, true) + '"';
  }

  /** The text of a line (simple string, error): without quotes, outer blanks visible. */
  public static String line(String bytes) {
    String text = escape(bytes, false);
    if (text.endsWith(" ")) {
      text = text.substring(0, text.length() - 1) + "\\x20";
    }
    return text.startsWith(" ") ? "\\x20" + text.substring(1) : text;
  }

  private static String escape(String bytes, boolean quotesToo) {
    StringBuilder text = new StringBuilder();
    bytes.chars().forEach(c -> text.append(escape((char) c, quotesToo)));
    return text.toString();
  }

  private static String escape(char c, boolean quotesToo) {
    int letter = c == '"' && !quotesToo ? -1 : ESCAPED.indexOf(c);
    if (letter >= 0) {
      return "\\" + ESCAPE_LETTERS.charAt(letter);
    }
    return c >= 32 && c < 127 ? String.valueOf(c) : "\\x%02x".formatted((int) c);
  }

  // ------------------------------------------------------------------ text to bytes

  /** The bytes that {@code text} with its backslash escapes stands for. */
  public static String unescape(String text) {
    StringBuilder bytes = new StringBuilder();
    for (int i = 0; i < text.length(); ) {
      int length = lengthAt(text, i);
      bytes.append(bytesOf(text.substring(i, i + length)));
      i += length;
    }
    return bytes.toString();
  }

  /** How many chars the escape or the plain character at {@code i} has. */
  private static int lengthAt(String text, int i) {
    if (text.charAt(i) != '\\' || i + 1 >= text.length()) {
      return Character.charCount(text.codePointAt(i));
    }
    return isHex(text, i + 1) ? 4 : 1 + Character.charCount(text.codePointAt(i + 1));
  }

  private static boolean isHex(String text, int i) {
    return text.charAt(i) == 'x'
        && i + 3 <= text.length()
        && HEX.matcher(text.substring(i + 1, i + 3)).matches();
  }

  private static String bytesOf(String piece) {
    if (piece.charAt(0) != '\\' || piece.length() == 1) {
      return Bytes.utf8(piece);
    }
    if (piece.length() == 4) {
      return String.valueOf((char) Integer.parseInt(piece.substring(2), 16));
    }
    return switch (piece.charAt(1)) {
      case 'n' -> "\n";
      case 'r' -> "\r";
      case 't' -> "\t";
      case 'b' -> "\b";
      case 'a' -> "\u0007";
      default -> Bytes.utf8(piece.substring(1));
    };
  }

  // ------------------------------------------------------------------ words

  /** The arguments on a line; {@code variables} gives the bytes of a saved value. */
  public static List<String> words(String line, UnaryOperator<String> variables) {
    return new Words(line, variables).all();
  }

  /** The arguments of {@code raw>} and {@code raw<}, joined. */
  public static String joined(String line, UnaryOperator<String> variables) {
    return String.join("", words(line, variables));
  }

  /** A line without saved values. */
  public static List<String> words(String line) {
    return words(
        line,
        name -> {
          throw new IllegalArgumentException("no saved values here: " + name);
        });
  }

  private static final class Words {
    private final String line;
    private final UnaryOperator<String> variables;
    private int position;

    Words(String line, UnaryOperator<String> variables) {
      this.line = line;
      this.variables = variables;
    }

    List<String> all() {
      List<String> words = new ArrayList<>();
      for (skipBlanks(); position < line.length(); skipBlanks()) {
        words.add(isQuote() ? quoted() : plain());
      }
      return words;
    }

    private void skipBlanks() {
      while (position < line.length() && isBlank()) {
        position++;
      }
    }

    private boolean isBlank() {
      return line.charAt(position) == ' ' || line.charAt(position) == '\t';
    }

    private boolean isQuote() {
      return position < line.length() && "\"'".indexOf(line.charAt(position)) >= 0;
    }

    private String plain() {
      int from = position;
      while (position < line.length() && !isBlank()) {
        position++;
      }
      String word = line.substring(from, position);
      return word.contains("${") ? substitute(word) : Bytes.utf8(word);
    }

    /** {@code "a"*3+"b"}: quoted pieces, repeated, joined. */
    private String quoted() {
      StringBuilder word = new StringBuilder(piece());
      while (position < line.length() && line.charAt(position) == '+') {
        position++;
        word.append(piece());
      }
      if (position < line.length() && !isBlank()) {
        throw new IllegalArgumentException("text after a closing quote: " + line);
      }
      return word.toString();
    }

    private String piece() {
      if (!isQuote()) {
        throw new IllegalArgumentException("a quote is missing: " + line);
      }
      boolean single = line.charAt(position) == '\'';
      String body = body();
      return (single ? Bytes.utf8(body.replace("\\'", "'")) : substitute(body)).repeat(times());
    }

    private String body() {
      char quote = line.charAt(position++);
      int from = position;
      while (position < line.length() && line.charAt(position) != quote) {
        position += line.charAt(position) == '\\' ? 2 : 1;
      }
      if (position >= line.length()) {
        throw new IllegalArgumentException("unbalanced quotes: " + line);
      }
      return line.substring(from, position++);
    }

    private int times() {
      Matcher times = TIMES.matcher(line).region(position, line.length());
      if (!times.lookingAt()) {
        return 1;
      }
      position = times.end();
      return Integer.parseInt(times.group(1));
    }

    private String substitute(String text) {
      StringBuilder bytes = new StringBuilder();
      Matcher variable = VARIABLE.matcher(text);
      int from = 0;
      while (variable.find()) {
        bytes.append(unescape(text.substring(from, variable.start())));
        bytes.append(variables.apply(variable.group(1)));
        from = variable.end();
      }
      return bytes.append(unescape(text.substring(from))).toString();
    }
  }
}
