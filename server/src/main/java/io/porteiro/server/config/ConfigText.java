package io.porteiro.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How words are written in redis.conf: apart by blanks, or in double or single quotes. */
public final class ConfigText {
  private static final String NEEDS_QUOTES = "\\\"'\n\r\t\b\u0007 ";

  private ConfigText() {}

  /** The words of a line; null where quotes do not balance or are not followed by a blank. */
  public static @Nullable List<String> split(String line) {
    Splitter splitter = new Splitter(line);
    List<String> words = new ArrayList<>();
    while (splitter.skipBlanks()) {
      String word = splitter.word();
      if (word == null) {
        return null;
      }
      words.add(word);
    }
    return words;
  }

  /** A line of these words, each quoted where it would not be read back as it is. */
  static String line(List<String> words) {
    return words.stream().map(ConfigText::quotedIfNeeded).collect(Collectors.joining(" "));
  }

  private static String quotedIfNeeded(String word) {
    return List.of(word).equals(split(word)) ? word : quote(word);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || (c >= 9 && c <= 13);
  }

  private static final class Splitter {
    private final String line;
    private int at;

    Splitter(String line) {
      this.line = line;
    }

    /** Whether a word follows. A zero byte ends the line, as in C. */
    boolean skipBlanks() {
      while (at < line.length() && isBlank(line.charAt(at))) {
        at++;
      }
      return !atEnd();
    }

    private boolean atEnd() {
      return at >= line.length() || line.charAt(at) == 0;
    }

    /** Quotes may open within a word; where they close, the word ends. */
    @Nullable String word() {
      StringBuilder word = new StringBuilder();
      while (!atEnd() && !isBlank(line.charAt(at))) {
        char c = line.charAt(at++);
        if (c == '"' || c == '\'') {
          return quoted(c, word);
        }
        word.append(c);
      }
      return word.toString();
    }

    private @Nullable String quoted(char quote, StringBuilder word) {
      while (!atEnd()) {
        char c = line.charAt(at++);
        if (c == quote) {
          return atEnd() || isBlank(line.charAt(at)) ? word.toString() : null;
        }
        word.append(c == '\\' ? escaped(quote) : c);
      }
      return null;
    }

    /** What a backslash stands for, given what follows it. */
    private char escaped(char quote) {
      if (atEnd()) {
        return '\\';
      }
      if (quote == '\'') {
        return line.charAt(at) == '\'' ? line.charAt(at++) : '\\';
      }
      int hex = hex();
      if (hex >= 0) {
        at += 3;
        return (char) hex;
      }
      return unescaped(line.charAt(at++));
    }

    /** The byte of {@code xNN} here, or -1. */
    private int hex() {
      if (line.charAt(at) != 'x' || at + 2 >= line.length()) {
        return -1;
      }
      int high = Character.digit(line.charAt(at + 1), 16);
      int low = Character.digit(line.charAt(at + 2), 16);
      return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static char unescaped(char c) {
      return switch (c) {
        case 'n' -> '\n';
        case 'r' -> '\r';
        case 't' -> '\t';
        case 'b' -> '\b';
        case 'a' -> 7;
        default -> c;
      };
    }
  }

  /** A word in double quotes, with everything unprintable escaped. */
  static String quote(String word) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < word.length(); i++) {
      appendQuoted(quoted, word.charAt(i));
    }
    return quoted.append('"').toString();
  }

  /** A word as {@link #split} takes it: quoted where it has to be. */
  public static String quoteIfNeeded(String word) {
    boolean plain =
        !word.isEmpty()
            && word.chars().allMatch(c -> c >= ' ' && c <= '~' && NEEDS_QUOTES.indexOf(c) < 0);
    return plain ? word : quote(word);
  }

  private static void appendQuoted(StringBuilder quoted, char c) {
    switch (c) {
      case '\\', '"' -> quoted.append('\\').append(c);
      case '\n' -> quoted.append("\\n");
      case '\r' -> quoted.append("\\r");
      case '\t' -> quoted.append("\\t");
      case '\b' -> quoted.append("\\b");
      case 7 -> quoted.append("\\a");
      default -> {
        if (c >= ' ' && c <= '~') {
          quoted.append(c);
        } else {
          quoted.append(String.format("\\x%02x", (int) c));
        }
      }
    }
  }
}
