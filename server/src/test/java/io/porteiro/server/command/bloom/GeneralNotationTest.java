package io.porteiro.server.command.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GeneralNotationTest {
  /** What C's printf("%g") writes. */
  @ParameterizedTest
  @CsvSource({
    "0.005, 0.005",
    "0.01, 0.01",
    "0.25, 0.25",
    "0.0617283945, 0.0617284",
    "0.0000123456789, 1.23457e-05",
    "1.953125e-05, 1.95313e-05",
    "9.765625e-06, 9.76563e-06",
    "0.001953125, 0.00195312",
    "0.0001, 0.0001",
    "0.00009999994, 9.99999e-05",
    "0.00009999999, 0.0001",
    "0.999999, 0.999999",
    "0.9999999, 1",
    "5e-21, 5e-21",
    "5e-301, 5e-301",
    "5e-311, 5e-311",
    "4.9e-324, 4.94066e-324",
    "0, 0",
    "100000, 100000",
    "1000000, 1e+06",
    "123456789, 1.23457e+08",
    "-0.5, -0.5",
  })
  void of_number_isInSixSignificantDigits(double number, String expected) {
    assertThat(GeneralNotation.of(number)).isEqualTo(expected);
  }
}
