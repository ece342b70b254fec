package io.porteiro.protocol;

import java.math.BigDecimal;

/**
 * Doubles as Redis writes them: the shortest digits that read back as the same double, plain where
 * that is short, else with an exponent of at least one digit and a sign.
 */
final class Doubles {
  /** A whole number gets at most so many zeros behind its digits before the exponent is used. */
  private static final int MOST_TRAILING_ZEROS = 7;

  /** A fraction below one gets at most so many leading zeros, or ... */
  private static final int MOST_LEADING_ZEROS = 3;

  /** ... so few places behind the point. */
  private static final int MOST_PLACES = 6;

  private Doubles() {}

  static String format(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    return sign + magnitude(Math.abs(value));
  }

  private static String magnitude(double value) {
    if (value == 0) {
      return "0";
    }
    BigDecimal shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    String digits = shortest.unscaledValue().toString();
    return isPlain(digits.length(), -shortest.scale())
        ? shortest.toPlainString()
        : scientific(digits, digits.length() - 1 - shortest.scale());
  }

  /** The value is the digits times ten to the power {@code scale}. */
  private static boolean isPlain(int digits, int scale) {
    int exponent = Math.abs(digits - 1 + scale);
    return scale >= 0
        ? exponent < digits + MOST_TRAILING_ZEROS
        : scale >= -MOST_PLACES || exponent <= MOST_LEADING_ZEROS;
  }

  private static String scientific(String digits, int exponent) {
    String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
    String sign = exponent < 0 ? "-" : "+";
    return digits.charAt(0) + fraction + "e" + sign + Math.abs(exponent);
  }
}
