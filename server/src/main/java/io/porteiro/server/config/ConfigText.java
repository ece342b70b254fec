package io.porteiro.server.config;

/** How words are written in redis.conf. */
final class ConfigText {
  private ConfigText() {}

  /** A word in double quotes, with everything unprintable escaped. */
  static String quote(String word) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < word.length(); i++) {
      appendQuoted(quoted, word.charAt(i));
    }
    return quoted.append('"').toString();
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
