package io.porteiro.server.structure.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BloomFilterTest {
  private final MemoryPool pool = new MemoryPool(FilterProbe.NO_LIMIT);

  @AfterEach
  void closePool() {
    pool.close();
  }

  @Test
  void create_scaling_givesTheFirstLinkHalfTheRate() {
    assertThat(BloomFilter.create(pool, 100, 0.01, 2, false).link(0).shape().errorRate())
        .isEqualTo(0.005);
  }

  @Test
  void create_nonScaling_givesTheOnlyLinkTheWholeRateAndKeepsTheExpansion() {
    BloomFilter filter = BloomFilter.create(pool, 100, 0.01, 7, true);

    assertThat(filter.link(0).shape().errorRate()).isEqualTo(0.01);
    assertThat(filter.isNonScaling()).isTrue();
    assertThat(filter.expansion()).isEqualTo(7);
    assertThat(filter.options()).isEqualTo(13);
  }

  @Test
  void create_expansion0_isNonScaling() {
    BloomFilter filter = BloomFilter.create(pool, 100, 0.01, 0, false);

    assertThat(filter.isNonScaling()).isTrue();
    assertThat(filter.expansion()).isZero();
  }

  @Test
  void create_rateAboveAQuarter_isTakenAsAQuarterBeforeTheHalving() {
    assertThat(BloomFilter.create(pool, 100, 0.9, 2, false).link(0).shape().errorRate())
        .isEqualTo(0.125);
    assertThat(BloomFilter.create(pool, 100, 0.9, 2, true).link(0).shape().errorRate())
        .isEqualTo(0.25);
  }

  @Test
  void create_rateThatVanishesWhenHalved_isRefusedAndTakesNothing() {
    assertThatThrownBy(() -> BloomFilter.create(pool, 100, Double.MIN_VALUE, 2, false))
        .isInstanceOf(ImpossibleLinkException.class);
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void create_moreThanTheLimit_isRefusedAndTakesNothing() {
    pool.setLimitBytes(1000);

    assertThatThrownBy(() -> BloomFilter.create(pool, 1000, 0.01, 2, false))
        .isInstanceOf(MemoryLimitException.class);
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void add_fullNonScalingFilter_refusesNewItemsButKnowsTheOldOnes() {
    FilterProbe probe = FilterProbe.nonScaling(pool, 3, 0.01);
    assertThat(probe.addAll("item:", 3)).isEqualTo(3);
    byte[] bits = probe.bits();

    assertThat(probe.add("item:3")).isEqualTo(AddOutcome.FULL);
    assertThat(probe.add("item:0")).isEqualTo(AddOutcome.PRESENT);
    assertThat(probe.bits()).isEqualTo(bits);
    assertThat(probe.filter().size()).isEqualTo(3);
  }

  @Test
  void add_linkIsFull_growsWithTheNextNewItemOnly() {
    FilterProbe probe = FilterProbe.scaling(pool, 3, 0.01);
    probe.addAll("item:", 3);

    assertThat(probe.add("item:0")).isEqualTo(AddOutcome.PRESENT);
    assertThat(probe.filter().linkCount()).isEqualTo(1);
    assertThat(probe.add("item:3")).isEqualTo(AddOutcome.ADDED);
    assertThat(probe.filter().linkCount()).isEqualTo(2);
    assertThat(probe.filter().capacity()).isEqualTo(9);
  }

  @Test
  void add_growthBeyondTheMemory_isRefusedAndChangesNothing() {
    FilterProbe probe = FilterProbe.scaling(pool, 3, 0.01);
    probe.addAll("item:", 3);
    pool.setLimitBytes(pool.usedBytes());
    byte[] header = probe.header();
    byte[] bits = probe.bits();

    assertThat(probe.add("item:3")).isEqualTo(AddOutcome.CANNOT_GROW);
    assertThat(probe.header()).isEqualTo(header);
    assertThat(probe.bits()).isEqualTo(bits);
    assertThat(probe.add("item:0")).isEqualTo(AddOutcome.PRESENT);
  }

  @Test
  void add_entriesTimesExpansionOverflows_cannotGrow() {
    LinkShape shape = LinkShape.stored(Long.MIN_VALUE, 0.005, 11.03, 8, 16, 128, 0);

    assertThat(addToFull(shape, Long.MIN_VALUE, 5, 2)).isEqualTo(AddOutcome.CANNOT_GROW);
  }

  @Test
  void add_noEntries_cannotGrow() {
    LinkShape shape = LinkShape.stored(0, 0.005, 11.03, 8, 16, 128, 0);

    assertThat(addToFull(shape, 0, 5, 2)).isEqualTo(AddOutcome.CANNOT_GROW);
  }

  @Test
  void add_expansion0ButScaling_cannotGrow() {
    assertThat(addToFull(LinkShape.of(10, 0.01), 10, 5, 0)).isEqualTo(AddOutcome.CANNOT_GROW);
  }

  @Test
  void add_entriesAreExponents_cannotGrow() {
    assertThat(addToFull(LinkShape.of(10, 0.01), 10, 7, 2)).isEqualTo(AddOutcome.CANNOT_GROW);
  }

  @Test
  void add_sizeAndEntriesOverHalfOfTheirRange_areComparedUnsigned() {
    LinkShape shape = LinkShape.stored(-1, 0.005, 11.03, 8, 16, 128, 0);

    assertThat(addToFull(shape, 5, 5, 2)).isEqualTo(AddOutcome.ADDED);
  }

  private AddOutcome addToFull(LinkShape shape, long size, int options, long expansion) {
    try (BloomFilterBuilder builder = new BloomFilterBuilder(pool, size, options, expansion)) {
      builder.addLink(shape);
      builder.countLink(size);
      return new FilterProbe(builder.build()).add("item");
    }
  }

  @Test
  void add_expansion1WithVanishingRates_endsBeforeTheBoundOfLinks() {
    FilterProbe probe = new FilterProbe(BloomFilter.create(pool, 1, 0.25, 1, false));
    int item = 0;
    while (probe.add("item:" + item) != AddOutcome.CANNOT_GROW) {
      item++;
    }
    assertThat(probe.filter().linkCount()).isBetween(1000, BloomFilter.MAX_LINKS - 1);
    assertThat(probe.countOf("item:", 0, item)).isEqualTo(item);
  }

  @Test
  void copy_noRoomForAllLinks_takesNothing() {
    FilterProbe probe = FilterProbe.scaling(pool, 100, 0.01);
    probe.addAll("item:", 1000);
    long used = pool.usedBytes();
    pool.setLimitBytes(used + probe.filter().bitArrayBytes() - 1);

    assertThatThrownBy(() -> probe.filter().copy()).isInstanceOf(MemoryLimitException.class);
    assertThat(pool.usedBytes()).isEqualTo(used);
  }

  @Test
  void builder_closedBeforeBuilt_givesTheLinksBack() {
    try (BloomFilterBuilder builder = new BloomFilterBuilder(pool, 0, 5, 2)) {
      builder.addLink(LinkShape.of(1000, 0.01));
      assertThat(pool.usedBytes()).isPositive();
    }
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void builder_badChain_isRefused() {
    assertThatThrownBy(() -> new BloomFilterBuilder(pool, 0, 16, 2))
        .isInstanceOf(InvalidFilterException.class);
    assertThatThrownBy(() -> new BloomFilterBuilder(pool, 0, -1, 2))
        .isInstanceOf(InvalidFilterException.class);
    assertThatThrownBy(() -> new BloomFilterBuilder(pool, 0, 5, 1L << 32))
        .isInstanceOf(InvalidFilterException.class);
    try (BloomFilterBuilder builder = new BloomFilterBuilder(pool, 0, 5, 2)) {
      assertThatThrownBy(builder::build).isInstanceOf(InvalidFilterException.class);
    }
  }

  @Test
  void test_moreThanABatch_isRefused() {
    FilterProbe probe = FilterProbe.scaling(pool, 100, 0.01);
    long[] items = probe.hash("item:", 0, 65);

    assertThatThrownBy(() -> probe.filter().test(items, 0, 65))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(probe.filter().test(items, 0, 0)).isZero();
  }
}
