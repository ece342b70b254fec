package io.porteiro.server.command.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorRateTest {
  @ParameterizedTest
  @CsvSource({
    "0.01, 0.01",
    "1e-3, 0.001",
    "1E-2, 0.01",
    "+0.01, 0.01",
    ".01, 0.01",
    "5., 5",
    "-0.5, -0.5",
    "0, 0",
    "1e-310, 1e-310",
    "1e-400, 0",
    "1e400, Infinity",
    "inf, Infinity",
    "-INF, Infinity",
    "Infinity, Infinity",
  })
  void parse_decimalNotation_isTheNumber(String text, double expected) {
    assertThat(ErrorRate.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "abc", "0.01x", " 0.01", "0.01 ", "nan", "NaN", "-nan", "0x0.1", "0x1p-3", "1e",
        "1e+", ".", "+", "-", "--1", "1..2", "0.1f", "0.1d", "1_0", "infin", "١", "0,1", "0.1\n"
      })
  void parse_anythingElse_isNull(String text) {
    assertThat(ErrorRate.parse(text)).isNull();
  }

  /** Java's own pattern for doubles takes exponential time or stack on such texts. */
  @Test
  void parse_longText_takesOnePass() {
    assertThat(ErrorRate.parse("1".repeat(2000) + "x")).isNull();
    assertThat(ErrorRate.parse("0." + "0".repeat(2000) + "1")).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, true",
    "4.9e-324, true",
    "0.9999999999999999, true",
    "0, false",
    "-0.0, false",
    "1, false",
    "-0.1, false",
    "NaN, false",
    "Infinity, false"
  })
  void isPossible_between0And1_isTrue(double rate, boolean possible) {
    assertThat(ErrorRate.isPossible(rate)).isEqualTo(possible);
  }
}
