package io.porteiro.server.command.string;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LongDoubleTest {
  private static LongDouble number(String text) {
    return Objects.requireNonNull(LongDouble.parse(text), text);
  }

  /** Results that Redis 7.0 gave on x86. */
  @ParameterizedTest
  @CsvSource({
    "10.5, 0.1, 10.6",
    "0.1, 0.2, 0.3",
    "10.5, 5e3, 5010.5",
    "10.5, -5e-7, 10.4999995",
    "10.5, 1e17, 100000000000000010.5",
    "10.5, 1e-17, 10.50000000000000001",
    "10.5, 0x10, 26.5",
    "3.0, 1, 4",
    "0x1p3, 1, 9",
    "-0, 1, 1",
    "-1, 1, 0",
    "1e5, 1, 100001",
    ".5, 1, 1.5",
    "5., 1, 6",
    "+5, 1, 6",
    "0, 1e-18, 0",
    "9007199254740993, 1, 9007199254740994",
    "18446744073709551615, 2, 18446744073709551616",
    "18446744073709551616, -1, 18446744073709551615"
  })
  void plus_twoNumbers_isWhatLongDoubleGives(String left, String right, String sum) {
    assertThat(number(left).plus(number(right))).hasToString(sum);
  }

  @Test
  void plus_numberOf4001Digits_isItsNearestNeighbour() {
    String sum = number("1e4000").plus(number("1")).toString();
    assertThat(sum).hasSize(4000).startsWith("99999999999999999999654638730996237849");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " 3",
        "3 ",
        "abc",
        "1e",
        "1e+",
        "0x",
        "0x.",
        "0xg",
        ".",
        "+",
        "nan",
        "NaN",
        "infin",
        "--1",
        "1,5",
        "1e5000",
        "-1e5000",
        "1e99999999999",
        "1e-5000",
        "1e-99999999999",
        "0x1p16384",
        "0x1p-16446"
      })
  void parse_otherTextOrOutOfRange_isNoNumber(String text) {
    assertThat(LongDouble.parse(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e-4950", "0x1p-16445", "0e-99999999999", "0e99999999999"})
  void parse_nearlyNothing_isShownAsZero(String text) {
    assertThat(number(text)).hasToString("0");
  }

  @Test
  void parse_greatestExponent_isTakenUpToTheLastBit() {
    assertThat(number("0x1p16383").isInfinite()).isFalse();
    assertThat(number("0xffffffffffffffffp16320").isInfinite()).isFalse();
    assertThat(LongDouble.parse("0xffffffffffffffff8p16316")).isNull();
  }

  @Test
  void parse_textLongerThanRedisReads_isNoNumber() {
    assertThat(LongDouble.parse("0".repeat(5118) + "1")).hasToString("1");
    assertThat(LongDouble.parse("0".repeat(5119) + "1")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"inf", "-inf", "INF", "+Infinity"})
  void plus_infinity_isInfinite(String text) {
    assertThat(number(text).plus(LongDouble.ZERO).isInfinite()).isTrue();
  }

  @Test
  void plus_twoOfTheGreatest_isInfinite() {
    assertThat(number("1e4932").plus(number("1e4932")).isInfinite()).isTrue();
  }
}
