package io.porteiro.server.command.string;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A number as C's {@code long double} on x86: 64 bits of significand, 15 of exponent. INCRBYFLOAT
 * computes in it, so that 0.1 + 0.2 is 0.3 to those who ask, and its results are kept as text.
 *
 * <p>The value is exact; each operation rounds to the nearest representable one, ties to even.
 *
 * @param value null for an infinity
 */
record LongDouble(@Nullable BigDecimal value) {
  static final LongDouble ZERO = new LongDouble(BigDecimal.ZERO);

  private static final LongDouble INFINITY = new LongDouble(null);

  /** Longer texts are no numbers to Redis. */
  private static final int MAX_TEXT_LENGTH = 5 * 1024 - 1;

  private static final int SIGNIFICAND_BITS = 64;

  /** 2 to this power is past the greatest number. */
  private static final int MAX_EXPONENT = 16_384;

  /** 2 to this power is the smallest number that is not zero. */
  private static final int MIN_EXPONENT = -16_445;

  /** The same roughly in powers of ten, so that what is out of bounds need not be spelt out. */
  private static final int MAX_DECIMAL_EXPONENT = 4934;

  private static final int MIN_DECIMAL_EXPONENT = -4952;

  /** With a larger exponent the digits of the longest text make no difference any more. */
  private static final int MAX_TEXT_EXPONENT = 40_000;

  private static final double BITS_PER_DIGIT = 3.33;

  /** Digits behind the point in texts. */
  private static final int SHOWN_DECIMALS = 17;

  private static final Pattern DECIMAL =
      Pattern.compile("([+-]?)(\\d+\\.?\\d*|\\.\\d+)(?:[eE]([+-]?\\d+))?");
  private static final Pattern HEXADECIMAL =
      Pattern.compile("([+-]?)0[xX](\\p{XDigit}*)\\.?(\\p{XDigit}*)(?:[pP]([+-]?\\d+))?");
  private static final Pattern INFINITE =
      Pattern.compile("[+-]?inf(inity)?", Pattern.CASE_INSENSITIVE);

  /**
   * The number that a text is, in any notation of C: decimal, hexadecimal, infinite.
   *
   * @return null if it is none, or one too large or too small to be represented
   */
  static @Nullable LongDouble parse(String text) {
    if (text.length() > MAX_TEXT_LENGTH) {
      return null;
    }
    if (INFINITE.matcher(text).matches()) {
      return INFINITY;
    }
    BigDecimal exact = exact(text);
    if (exact == null) {
      return null;
    }
    LongDouble rounded = of(exact);
    boolean tooSmall = exact.signum() != 0 && rounded.isZero();
    return rounded.isInfinite() || tooSmall ? null : rounded;
  }

  private static @Nullable BigDecimal exact(String text) {
    Matcher decimal = DECIMAL.matcher(text);
    if (decimal.matches()) {
      BigDecimal digits = new BigDecimal(decimal.group(1) + decimal.group(2));
      return scaled(digits, 10, exponent(decimal.group(3)));
    }
    Matcher hexadecimal = HEXADECIMAL.matcher(text);
    return hexadecimal.matches() ? exact(hexadecimal) : null;
  }

  private static @Nullable BigDecimal exact(Matcher hexadecimal) {
    String digits = hexadecimal.group(2) + hexadecimal.group(3);
    if (digits.isEmpty()) {
      return null;
    }
    BigDecimal number = new BigDecimal(new BigInteger(hexadecimal.group(1) + digits, 16));
    int exponent = exponent(hexadecimal.group(4)) - 4 * hexadecimal.group(3).length();
    return scaled(number, 2, exponent);
  }

  /** Cut to where it makes no difference any more. */
  private static int exponent(@Nullable String digits) {
    if (digits == null) {
      return 0;
    }
    BigInteger bound = BigInteger.valueOf(MAX_TEXT_EXPONENT);
    return new BigInteger(digits).min(bound).max(bound.negate()).intValue();
  }

  private static BigDecimal scaled(BigDecimal digits, int base, int exponent) {
    if (base == 10) {
      return digits.scaleByPowerOfTen(exponent);
    }
    BigDecimal power = new BigDecimal(BigInteger.TWO.pow(Math.abs(exponent)));
    return exponent >= 0 ? digits.multiply(power) : digits.multiply(inverseOfPowerOfTwo(-exponent));
  }

  /** Exact: 2^-n is 5^n with the point moved. */
  private static BigDecimal inverseOfPowerOfTwo(int n) {
    return new BigDecimal(BigInteger.valueOf(5).pow(n), n);
  }

  /** The nearest representable number. */
  private static LongDouble of(BigDecimal exact) {
    if (exact.signum() == 0) {
      return ZERO;
    }
    int decimalExponent = exact.precision() - exact.scale();
    if (decimalExponent < MIN_DECIMAL_EXPONENT) {
      return ZERO;
    }
    if (decimalExponent > MAX_DECIMAL_EXPONENT) {
      return INFINITY;
    }
    int exponent = Math.max(binaryExponent(exact) - SIGNIFICAND_BITS, MIN_EXPONENT);
    BigInteger significand = units(exact, exponent);
    boolean infinite = significand.bitLength() + exponent > MAX_EXPONENT;
    return infinite ? INFINITY : new LongDouble(scaled(new BigDecimal(significand), 2, exponent));
  }

  /** The n for which 2^(n-1) <= |exact| < 2^n. */
  private static int binaryExponent(BigDecimal exact) {
    int zerosBehindPoint = Math.max(0, exact.scale() - exact.precision());
    int shift = (int) (BITS_PER_DIGIT * (zerosBehindPoint + 1)) + 1;
    return scaled(exact.abs(), 2, shift).toBigInteger().bitLength() - shift;
  }

  /** The number in units of 2^exponent, rounded to the nearest, ties to even. */
  private static BigInteger units(BigDecimal exact, int exponent) {
    BigDecimal units = scaled(exact, 2, -exponent);
    return units.setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
  }

  boolean isInfinite() {
    return value == null;
  }

  private boolean isZero() {
    return value != null && value.signum() == 0;
  }

  /** The sum, which may be infinite. */
  LongDouble plus(LongDouble other) {
    return value == null || other.value == null ? INFINITY : of(value.add(other.value));
  }

  /** With up to 17 decimals, as many as are needed, and never with an exponent. */
  @Override
  public String toString() {
    if (value == null) {
      return "inf";
    }
    BigDecimal shown = value.setScale(SHOWN_DECIMALS, RoundingMode.HALF_EVEN);
    return shown.signum() == 0 ? "0" : shown.stripTrailingZeros().toPlainString();
  }
}
