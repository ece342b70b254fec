package io.porteiro.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoublesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, -0",
    "1, 1",
    "-1.5, -1.5",
    "0.1, 0.1",
    "3.141, 3.141",
    "100, 100",
    "10000000, 10000000",
    "100000000, 1e+8",
    "120000000, 120000000",
    "1234567890123, 1234567890123",
    "0.001, 0.001",
    "0.0001, 0.0001",
    "0.000001, 0.000001",
    "0.0000001, 1e-7",
    "0.00012345678, 1.2345678e-4",
    "0.0012345678, 0.0012345678",
    "1e21, 1e+21",
    "1.5e300, 1.5e+300",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "NaN, nan",
    "Infinity, inf",
    "-Infinity, -inf"
  })
  void format_value_isTheShortestText(double value, String text) {
    assertThat(Doubles.format(value)).isEqualTo(text);
  }
}
