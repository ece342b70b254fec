package io.porteiro.server.structure.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.string.StringValue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnionTest {
  private final MemoryPool pool = new MemoryPool(Long.MAX_VALUE);
  private final Workspace workspace = new Workspace();
  private final Union union = new Union(workspace);
  private final List<StringValue> values = new ArrayList<>();

  @AfterEach
  void close() {
    values.forEach(StringValue::release);
    assertThat(pool.usedBytes()).isZero();
    pool.close();
  }

  private StringValue of(String prefix, int from, int to) {
    StringValue value = HyperLogLog.create(pool);
    values.add(value);
    long[] hashes = Elements.numbered(prefix, from, to);
    HyperLogLog.add(value, i -> hashes[i], 0, hashes.length, 3000, workspace);
    return value;
  }

  private void include(StringValue... included) {
    union.clear();
    for (StringValue value : included) {
      union.include(value);
    }
  }

  @Test
  void count_ofNothing_isZeroAlsoAfterAnotherUnion() {
    include(of("a", 0, 5000));
    assertThat(union.count()).isPositive();
    include();
    assertThat(union.count()).isZero();
  }

  @Test
  void count_ofMixedRepresentations_isThatOfAllElementsInOne() {
    StringValue small = of("a", 0, 300);
    StringValue large = of("a", 200, 8000);
    long all = HyperLogLog.count(of("a", 0, 8000), workspace);
    include(small, large);
    assertThat(union.count()).isEqualTo(all);
    include(large, small, small);
    assertThat(union.count()).isEqualTo(all);
  }

  @Test
  void count_leavesTheCachedCountsStale() {
    StringValue value = of("a", 0, 10);
    include(value, value);
    union.count();
    assertThat(HyperLogLog.isCounted(value)).isFalse();
  }

  @Test
  void storeIn_denseOfWhichAllIsKnown_keepsTheRegistersAndMarksTheCountStale() {
    StringValue destination = of("a", 0, 8000);
    long count = HyperLogLog.count(destination, workspace);
    byte[] before = destination.toArray();
    include(destination, of("a", 100, 5000));
    union.storeIn(destination, 3000);
    before[15] |= (byte) 0x80;
    assertThat(destination.toArray()).isEqualTo(before);
    assertThat(HyperLogLog.count(destination, workspace)).isEqualTo(count);
  }

  @Test
  void storeIn_denseThatKnowsTheFirstOnly_takesTheOthersRegisters() {
    StringValue destination = of("a", 0, 8000);
    include(destination, of("a", 0, 5000), of("b", 0, 6000), of("a", 10, 4000));
    union.storeIn(destination, 3000);
    StringValue all = of("a", 0, 8000);
    long[] others = Elements.numbered("b", 0, 6000);
    HyperLogLog.add(all, i -> others[i], 0, others.length, 3000, workspace);
    assertThat(destination.toArray()).isEqualTo(all.toArray());
  }

  @Test
  void storeIn_emptyFromDenseOnly_isTheirUnion() {
    StringValue destination = of("x", 0, 0);
    StringValue source = of("a", 0, 8000);
    include(source, of("a", 0, 5000));
    union.storeIn(destination, 3000);
    assertThat(destination.toArray()).isEqualTo(source.toArray());
  }

  @Test
  void storeIn_denseWithFewChanges_keepsTheHistogramTrue() {
    assertHistogramAfterStoring(8000, true);
  }

  @Test
  void storeIn_denseWithManyChanges_dropsTheHistogram() {
    assertHistogramAfterStoring(30_000, false);
  }

  private void assertHistogramAfterStoring(int upTo, boolean kept) {
    StringValue destination = of("a", 0, 7500);
    HyperLogLog.count(destination, workspace);
    include(destination, of("a", 3000, upTo));
    union.storeIn(destination, 3000);
    assertThat(HyperLogLog.hasHistogram(destination)).isEqualTo(kept);
    StringValue all = of("a", 0, upTo);
    assertThat(HyperLogLog.count(destination, workspace))
        .isEqualTo(HyperLogLog.count(all, workspace));
    assertThat(destination.toArray()).isEqualTo(all.toArray());
  }

  @Test
  void storeIn_emptyFromSparse_hasTheBytesOfAddingInRegisterOrder() {
    StringValue destination = of("x", 0, 0);
    StringValue source = of("a", 0, 800);
    include(destination, source);
    union.storeIn(destination, 3000);
    HyperLogLog.count(destination, workspace);
    HyperLogLog.count(source, workspace);
    assertThat(HyperLogLog.describeSparse(destination, workspace))
        .isEqualTo(HyperLogLog.describeSparse(source, workspace));
  }

  @Test
  void storeIn_ofNothing_leavesAnEmptyOneEmptyAlsoAfterAnotherUnion() {
    include(of("a", 0, 500));
    StringValue destination = of("x", 0, 0);
    union.clear();
    union.storeIn(destination, 3000);
    assertThat(HyperLogLog.describeSparse(destination, workspace)).isEqualTo("Z:16384");
  }

  @Test
  void storeIn_sparsePastTheLimit_turnsDenseWithAllRegisters() {
    StringValue destination = of("a", 0, 1500);
    include(destination, of("b", 0, 1500));
    union.storeIn(destination, 3000);
    assertThat(HyperLogLog.isDense(destination)).isTrue();
    long count = union.count();
    assertThat(HyperLogLog.count(destination, workspace)).isEqualTo(count);
  }

  @Test
  void storeIn_withoutMemory_changesNothing() {
    StringValue destination = of("a", 0, 100);
    StringValue source = of("b", 0, 1000);
    destination.trim();
    byte[] before = destination.toArray();
    pool.setLimitBytes(pool.usedBytes() + 100);
    include(destination, source);
    assertThatThrownBy(() -> union.storeIn(destination, 3000))
        .isInstanceOf(MemoryLimitException.class);
    assertThat(destination.toArray()).isEqualTo(before);
  }
}
