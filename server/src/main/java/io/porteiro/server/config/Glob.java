package io.porteiro.server.config;

/**
 * Redis's glob patterns over byte strings, in any case: {@code *}, {@code ?}, {@code [a-z]}, {@code
 * [^a]}, and a backslash before a character that is meant as it is.
 *
 * <p>A star is tried by going back to the last one only, so the time is at most the product of both
 * lengths, whatever the pattern.
 */
public final class Glob {
  private final String pattern;
  private final String text;

  private Glob(String pattern, String text) {
    this.pattern = pattern;
    this.text = text;
  }

  static boolean isPattern(String word) {
    return word.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
  }

  /** Whether all of the text matches. */
  public static boolean matches(String pattern, String text) {
    return new Glob(pattern, text).matches();
  }

  private boolean matches() {
    int p = 0;
    int t = 0;
    int afterStar = -1;
    int retryFrom = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        afterStar = ++p;
        retryFrom = t;
      } else if (p < pattern.length() && matchesOne(p, text.charAt(t))) {
        p = next(p);
        t++;
      } else if (afterStar >= 0) {
        p = afterStar;
        t = ++retryFrom;
      } else {
        return false;
      }
    }
    return onlyStars(p);
  }

  private boolean onlyStars(int from) {
    return pattern.substring(from).chars().allMatch(c -> c == '*');
  }

  private boolean matchesOne(int p, char c) {
    return switch (pattern.charAt(p)) {
      case '?' -> true;
      case '[' -> inClass(p, fold(c));
      case '\\' -> fold(pattern.charAt(Math.min(p + 1, pattern.length() - 1))) == fold(c);
      default -> fold(pattern.charAt(p)) == fold(c);
    };
  }

  /** Where the pattern goes on after what stands at p. */
  private int next(int p) {
    return switch (pattern.charAt(p)) {
      case '[' -> classEnd(p) + 1;
      case '\\' -> Math.min(p + 2, pattern.length());
      default -> p + 1;
    };
  }

  /** The closing bracket; a class that is not closed ends with the pattern. */
  private int classEnd(int p) {
    int at = p + 1;
    while (at < pattern.length() && pattern.charAt(at) != ']') {
      at += pattern.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(at, pattern.length() - 1);
  }

  private boolean inClass(int p, char c) {
    boolean negated = p + 1 < pattern.length() && pattern.charAt(p + 1) == '^';
    int at = p + (negated ? 2 : 1);
    boolean found = false;
    while (at < pattern.length() && pattern.charAt(at) != ']') {
      if (pattern.charAt(at) == '\\' && at + 1 < pattern.length()) {
        at++;
      }
      boolean range = at + 2 < pattern.length() && pattern.charAt(at + 1) == '-';
      found |= between(c, pattern.charAt(at), pattern.charAt(range ? at + 2 : at));
      at += range ? 3 : 1;
    }
    return found != negated;
  }

  private static boolean between(char c, char one, char other) {
    char a = fold(one);
    char b = fold(other);
    return c >= (char) Math.min(a, b) && c <= (char) Math.max(a, b);
  }

  private static char fold(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
  }
}
