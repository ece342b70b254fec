package io.porteiro.server.command.admin;

/** Bytes as Redis shows them to people: in double quotes, what cannot be printed escaped. */
final class QuotedText {
  private QuotedText() {}

  /**
   * Quotes a text.
   *
   * @param bytes each char one byte
   */
  static String of(String bytes) {
    StringBuilder quoted = new StringBuilder(bytes.length() + 2).append('"');
    bytes.chars().forEach(c -> append(quoted, (char) c));
    return quoted.append('"').toString();
  }

  private static void append(StringBuilder quoted, char c) {
    switch (c) {
      case '\\', '"' -> quoted.append('\\').append(c);
      case '\n' -> quoted.append("\\n");
      case '\r' -> quoted.append("\\r");
      case '\t' -> quoted.append("\\t");
      case 7 -> quoted.append("\\a");
      case '\b' -> quoted.append("\\b");
      default -> appendPlain(quoted, c);
    }
  }

  private static void appendPlain(StringBuilder quoted, char c) {
    if (c >= ' ' && c <= '~') {
      quoted.append(c);
    } else {
      quoted.append(String.format("\\x%02x", (int) c));
    }
  }
}
