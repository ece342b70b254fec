package io.porteiro.server.command.bloom;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Doubles as C's {@code %g} writes them: six significant digits without trailing zeros; with an
 * exponent of at least two digits where it is below -4 or above 5.
 */
final class GeneralNotation {
  private static final int DIGITS = 6;
  private static final MathContext SIX_DIGITS = new MathContext(DIGITS, RoundingMode.HALF_EVEN);

  private GeneralNotation() {}

  /** A finite number. */
  static String of(double number) {
    if (number == 0) {
      return "0";
    }
    BigDecimal rounded = new BigDecimal(number).round(SIX_DIGITS).stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    return exponent < -4 || exponent >= DIGITS
        ? scientific(rounded, exponent)
        : rounded.toPlainString();
  }

  private static String scientific(BigDecimal number, int exponent) {
    String mantissa = number.scaleByPowerOfTen(-exponent).toPlainString();
    String sign = exponent < 0 ? "-" : "+";
    int magnitude = Math.abs(exponent);
    return mantissa + "e" + sign + (magnitude < 10 ? "0" : "") + magnitude;
  }
}
