package io.porteiro.server.config;

import java.util.Locale;

/** The notations of numbers in redis.conf. */
final class NumberText {
  private NumberText() {}

  /** A decimal number without plus sign, leading zeros or blanks. */
  static long integer(String word) throws ConfigException {
    try {
      long number = Long.parseLong(word);
      if (Long.toString(number).equals(word)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // as any other text that is no number
    }
    throw new ConfigException("argument couldn't be parsed into an integer");
  }

  /**
   * A number of bytes: {@code 1k} is 1000, {@code 1kb} 1024. As in Redis, digits may be missing
   * (zero).
   */
  static long memory(String word) throws ConfigException {
    return memory(word, "argument must be a memory value");
  }

  /** As {@link #memory} reads it: {@code 64mb}. */
  static String withUnit(long bytes) {
    if (bytes % (1L << 30) == 0) {
      return (bytes >> 30) + "gb";
    }
    if (bytes % (1L << 20) == 0) {
      return (bytes >> 20) + "mb";
    }
    return bytes % (1L << 10) == 0 ? (bytes >> 10) + "kb" : Long.toString(bytes);
  }

  /** A number of bytes, or {@code 10%} as -10. */
  static long memoryOrPercent(String word) throws ConfigException {
    String expected = "argument must be a memory or percent value";
    if (word.endsWith("%")) {
      return -percent(word.substring(0, word.length() - 1), expected);
    }
    return memory(word, expected);
  }

  private static long percent(String digits, String expected) throws ConfigException {
    long number = unsigned(digits, 10, expected);
    if (digits.isEmpty()) {
      throw new ConfigException(expected);
    }
    return number;
  }

  /** Permissions such as {@code 700}. */
  static long octal(String word) throws ConfigException {
    String expected = "argument couldn't be parsed as an octal number";
    if (word.isEmpty()) {
      throw new ConfigException(expected);
    }
    return unsigned(word, 8, expected);
  }

  private static long memory(String word, String expected) throws ConfigException {
    int digits = leadingDigits(word);
    long number = unsigned(word.substring(0, digits), 10, expected);
    long unit = unit(word.substring(digits), expected);
    if (number > Long.MAX_VALUE / unit) {
      throw new ConfigException(expected);
    }
    return number * unit;
  }

  private static int leadingDigits(String word) {
    int digits = 0;
    while (digits < word.length() && word.charAt(digits) >= '0' && word.charAt(digits) <= '9') {
      digits++;
    }
    return digits;
  }

  private static long unit(String suffix, String expected) throws ConfigException {
    return switch (suffix.toLowerCase(Locale.ROOT)) {
      case "", "b" -> 1;
      case "k" -> 1000;
      case "kb" -> 1L << 10;
      case "m" -> 1_000_000;
      case "mb" -> 1L << 20;
      case "g" -> 1_000_000_000;
      case "gb" -> 1L << 30;
      default -> throw new ConfigException(expected);
    };
  }

  private static long unsigned(String digits, int radix, String expected) throws ConfigException {
    try {
      boolean signed = digits.startsWith("-") || digits.startsWith("+");
      if (!signed) {
        return digits.isEmpty() ? 0 : Long.parseLong(digits, radix);
      }
    } catch (NumberFormatException e) {
      // as any other text that is no number
    }
    throw new ConfigException(expected);
  }
}
