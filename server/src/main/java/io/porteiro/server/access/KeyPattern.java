package io.porteiro.server.access;

import io.porteiro.server.glob.GlobPattern;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Keys that may be read, written, or both: {@code ~pattern}, {@code %R~pattern}, {@code
 * %W~pattern}.
 */
final class KeyPattern {
  private final String pattern;
  private final boolean read;
  private final boolean write;
  private final GlobPattern glob;

  KeyPattern(String pattern, boolean read, boolean write) {
    this.pattern = pattern;
    this.read = read;
    this.write = write;
    this.glob = GlobPattern.of(pattern.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Understands {@code %} rules: letters in any order and case, then a tilde. */
  static KeyPattern parse(String rule) throws RuleException {
    if (rule.charAt(0) == '~') {
      return new KeyPattern(rule.substring(1), true, true);
    }
    int tilde = rule.indexOf('~');
    int end = tilde < 0 ? rule.length() : tilde;
    return switch (rule.substring(1, end).toUpperCase(Locale.ROOT)) {
      case "R" -> new KeyPattern(afterTilde(rule, end), true, false);
      case "W" -> new KeyPattern(afterTilde(rule, end), false, true);
      case "RW", "WR" -> new KeyPattern(afterTilde(rule, end), true, true);
      default -> throw new RuleException(RuleError.SYNTAX, rule);
    };
  }

  private static String afterTilde(String rule, int tilde) {
    return rule.substring(Math.min(tilde + 1, rule.length()));
  }

  String pattern() {
    return pattern;
  }

  /** Whether it stands for every key and all that can be done to it. */
  boolean isEverything() {
    return pattern.equals("*") && read && write;
  }

  /** The same keys, with the rights of both. */
  KeyPattern and(KeyPattern other) {
    return new KeyPattern(pattern, read || other.read, write || other.write);
  }

  /** Whether it gives at least these rights on a key. */
  boolean allows(long address, int length, boolean reads, boolean writes) {
    return (read || !reads) && (write || !writes) && glob.matches(address, length);
  }

  /** The rule that gives it. */
  @Override
  public String toString() {
    if (read && write) {
      return "~" + pattern;
    }
    return (read ? "%R~" : "%W~") + pattern;
  }
}
