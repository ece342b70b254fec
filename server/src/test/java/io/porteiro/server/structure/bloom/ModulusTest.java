package io.porteiro.server.structure.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModulusTest {
  @Test
  void remainder_randomNumbersAndDivisors_equalsTheDivision() {
    long seed = Long.getLong("porteiro.fuzz.seed", 20261130);
    Random random = new Random(seed);
    for (int i = 0; i < 200_000; i++) {
      long divisor = 1 + (random.nextLong() >>> (2 + random.nextInt(61)));
      long x = random.nextLong() >>> random.nextInt(64);
      check(divisor, x, seed);
    }
  }

  /** Where the estimate of the quotient is most easily one off. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        1,
        2,
        3,
        5,
        64,
        128,
        192,
        1152,
        316405696,
        1L << 31,
        1L << 32,
        (1L << 32) + 64,
        (1L << 61) - 1,
        (1L << 62) - 64,
        (1L << 62) - 1,
        1L << 62,
        0x5555555555555555L >>> 2,
        6700417,
        4294967295L
      })
  void remainder_besideMultiplesOfTheDivisor_equalsTheDivision(long divisor) {
    Random random = new Random(divisor);
    long largest = Long.divideUnsigned(-1, divisor);
    for (int i = 0; i < 1000; i++) {
      long quotient = i == 0 ? largest : Long.remainderUnsigned(random.nextLong(), largest);
      long multiple = quotient * divisor;
      check(divisor, multiple, divisor);
      check(divisor, multiple - 1, divisor);
      check(divisor, multiple + 1, divisor);
      check(divisor, -1 - i, divisor);
    }
  }

  private static void check(long divisor, long x, long seed) {
    long remainder = new Modulus(divisor).remainder(x);
    if (remainder != Long.remainderUnsigned(x, divisor)) {
      assertThat(remainder)
          .as("%s mod %d, seed %d", Long.toUnsignedString(x), divisor, seed)
          .isEqualTo(Long.remainderUnsigned(x, divisor));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, (1L << 62) + 1})
  void modulus_bitsOutOfRange_isRefused(long divisor) {
    assertThatThrownBy(() -> new Modulus(divisor)).isInstanceOf(IllegalArgumentException.class);
  }
}
