package io.porteiro.server.structure.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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

  /** What the figures of a filter promise to whoever watches them. */
  @ParameterizedTest
  @CsvSource({"1000, 0.01, 500", "1000, 0.01, 1000", "100, 0.05, 5000", "20000, 0.001, 20000"})
  void estimates_againstWhatIsThere_areClose(int capacity, double rate, int items) {
    FilterProbe probe = FilterProbe.scaling(pool, capacity, rate);
    for (int i = 0; i < items; i++) {
      probe.filter().add(random.nextLong(), random.nextLong());
    }
    double estimate = probe.filter().estimatedErrorRate();
    double deviation = Math.sqrt(estimate / QUERIES);
    assertThat(falsePositives(probe) / (double) QUERIES)
        .as("seed %d, estimate %f", seed, estimate)
        .isBetween(0.8 * estimate - 6 * deviation, 1.2 * estimate + 6 * deviation);
    assertThat(probe.filter().estimatedFill())
        .as("seed %d", seed)
        .isCloseTo(fill(probe.filter()), within(0.02));
    assertThat(probe.filter().promisedErrorRate()).isEqualTo(rate);
    assertThat(estimate).isLessThan(1.05 * rate);
  }

  private static double fill(BloomFilter filter) {
    double set = 0;
    for (int i = 0; i < filter.linkCount(); i++) {
      SubFilter link = filter.link(i);
      for (long at = 0; at < link.shape().bytes(); at++) {
        set += Integer.bitCount(OffHeap.getByte(link.block().address() + at) & 0xff);
      }
    }
    return set / (8.0 * filter.bitArrayBytes());
  }

  @Test
  void estimates_ofAnEmptyFilter_areZero() {
    BloomFilter filter = FilterProbe.nonScaling(pool, 100, 0.5).filter();
    assertThat(filter.estimatedErrorRate()).isZero();
    assertThat(filter.estimatedFill()).isZero();
    assertThat(filter.promisedErrorRate()).isEqualTo(BloomFilter.MAX_ERROR_RATE);
  }

  private int falsePositives(FilterProbe probe) {
    int found = 0;
    for (int i = 0; i < QUERIES; i++) {
      found += probe.filter().contains(random.nextLong(), random.nextLong()) ? 1 : 0;
    }
    return found;
  }
}
