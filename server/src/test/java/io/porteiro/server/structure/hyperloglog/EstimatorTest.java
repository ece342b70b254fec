package io.porteiro.server.structure.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EstimatorTest {
  /** sqrt(3 ln 2 - 1) / sqrt(m) for many elements (Flajolet et al.); less for few. */
  private static final double STANDARD_ERROR = 1.04 / 128;

  private static final int RUNS = 200;

  @Test
  void estimate_ofOnlyZeros_isZero() {
    Histogram histogram = new Histogram();
    histogram.add(0, HyperLogLog.REGISTERS);
    assertThat(Estimator.estimate(histogram)).isZero();
  }

  @Test
  void estimate_ofNoClass_isTheGreatestNumber() {
    Histogram histogram = new Histogram();
    histogram.add(60, HyperLogLog.REGISTERS);
    assertThat(Estimator.estimate(histogram)).isEqualTo(Long.MAX_VALUE);
  }

  /**
   * Bias and spread over many independent sets. The mean of 200 runs has a standard error of
   * STANDARD_ERROR / sqrt(200); 5 of those, and a spread of at most 1.3 times theory, make a false
   * alarm less likely than one in a million seeds.
   */
  @ParameterizedTest
  @ValueSource(ints = {10, 100, 1000, 5000, 20_000, 50_000, 100_000})
  void estimate_ofRandomSets_isUnbiasedAndSpreadAsTheorySays(int cardinality) {
    long seed = 1202L + cardinality;
    SplittableRandom random = new SplittableRandom(seed);
    double sum = 0;
    double sumOfSquares = 0;
    for (int run = 0; run < RUNS; run++) {
      double error = relativeError(random, cardinality);
      sum += error;
      sumOfSquares += error * error;
    }
    double rounding = 0.5 / cardinality;
    assertThat(sum / RUNS)
        .as("bias, seed %d", seed)
        .isCloseTo(0, Offset.offset(5 * STANDARD_ERROR / Math.sqrt(RUNS) + rounding));
    assertThat(Math.sqrt(sumOfSquares / RUNS))
        .as("spread, seed %d", seed)
        .isLessThan(1.3 * STANDARD_ERROR + rounding);
  }

  private static double relativeError(SplittableRandom random, int cardinality) {
    int[] registers = new int[HyperLogLog.REGISTERS];
    for (int i = 0; i < cardinality; i++) {
      long hash = random.nextLong();
      int register = ElementHash.index(hash);
      registers[register] = Math.max(registers[register], ElementHash.rank(hash));
    }
    Histogram histogram = new Histogram();
    for (int registerValue : registers) {
      histogram.add(registerValue, 1);
    }
    return (double) Estimator.estimate(histogram) / cardinality - 1;
  }
}
