package io.porteiro.server.structure.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.MemoryPool;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * False positives against theory. The seed is fixed, because the bounds hold with high probability
 * only; {@code -Dporteiro.fuzz.seed=N} looks at other items.
 */
class BloomFilterErrorRateTest {
  private static final int QUERIES = 200_000;

  private final MemoryPool pool = new MemoryPool(FilterProbe.NO_LIMIT);
  private final long seed = Long.getLong("porteiro.fuzz.seed", 20261130);
  private final SplittableRandom random = new SplittableRandom(seed);

  @AfterEach
  void closePool() {
    pool.close();
  }

  /**
   * A non-scaling filter at capacity has the rate that was asked for: theory gives (1 -
   * e^(-kn/m))^k, which the whole number of hash functions moves a little off the optimum. Six
   * standard deviations let one run in 10^9 fail by chance.
   */
  @ParameterizedTest
  @CsvSource({"10000, 0.1", "10000, 0.01", "20000, 0.001", "1000, 0.05", "3000, 0.25"})
  void contains_absentItemsInAFullFilter_areFoundAtTheRateOfTheory(int capacity, double rate) {
    FilterProbe probe = FilterProbe.nonScaling(pool, capacity, rate);
    for (int i = 0; i < capacity; i++) {
      probe.filter().add(random.nextLong(), random.nextLong());
    }
    LinkShape shape = probe.filter().link(0).shape();
    double fill = 1 - Math.exp(-(double) shape.hashes() * capacity / shape.bits());
    double theory = Math.pow(fill, shape.hashes());
    double deviation = Math.sqrt(theory * (1 - theory) / QUERIES);

    assertThat(falsePositives(probe) / (double) QUERIES)
        .as("seed %d, theory %f", seed, theory)
        .isBetween(0.85 * theory - 6 * deviation, 1.15 * theory + 6 * deviation);
  }

  /** The rates of the links add up to less than what was asked for, however often it grew. */
  @ParameterizedTest
  @CsvSource({"100, 0.01, 50000", "1000, 0.1, 20000", "10, 0.05, 10000"})
  void contains_absentItemsInAGrownFilter_areFoundAtNoMoreThanTheRate(
      int capacity, double rate, int items) {
    FilterProbe probe = FilterProbe.scaling(pool, capacity, rate);
    for (int i = 0; i < items; i++) {
      probe.filter().add(random.nextLong(), random.nextLong());
    }
    assertThat(falsePositives(probe) / (double) QUERIES)
        .as("seed %d", seed)
        .isLessThan(rate + 6 * Math.sqrt(rate / QUERIES));
  }

  private int falsePositives(FilterProbe probe) {
    int found = 0;
    for (int i = 0; i < QUERIES; i++) {
      found += probe.filter().contains(random.nextLong(), random.nextLong()) ? 1 : 0;
    }
    return found;
  }
}
