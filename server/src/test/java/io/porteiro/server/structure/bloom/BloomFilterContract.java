package io.porteiro.server.structure.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.ValueType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every kind of chain must hold to. Each kind is given room for {@link #ITEMS} items. */
abstract class BloomFilterContract {
  static final int ITEMS = 500;

  final MemoryPool pool = new MemoryPool(FilterProbe.NO_LIMIT);

  abstract FilterProbe create();

  @AfterEach
  void closePool() {
    pool.close();
  }

  @Test
  void contains_nothingAdded_isFalse() {
    assertThat(create().countOf("item:", 0, ITEMS)).isZero();
  }

  /** The law: never a wrong "absent". */
  @Test
  void contains_everythingAdded_isTrue() {
    FilterProbe probe = create();
    for (int i = 0; i < ITEMS; i++) {
      probe.add("item:" + i);
      assertThat(probe.contains("item:" + i)).as("item %d", i).isTrue();
    }
    assertThat(probe.countOf("item:", 0, ITEMS)).isEqualTo(ITEMS);
  }

  @Test
  void add_sameItemAgain_isPresentAndChangesNothing() {
    FilterProbe probe = create();
    probe.addAll("item:", ITEMS);
    byte[] header = probe.header();
    byte[] bits = probe.bits();

    assertThat(probe.addAll("item:", ITEMS)).isZero();
    assertThat(probe.add("item:7")).isEqualTo(AddOutcome.PRESENT);
    assertThat(probe.header()).isEqualTo(header);
    assertThat(probe.bits()).isEqualTo(bits);
  }

  @Test
  void size_afterAdds_countsTheItemsThatWereNew() {
    FilterProbe probe = create();
    int added = probe.addAll("item:", ITEMS);

    assertThat(probe.filter().size()).isEqualTo(added);
    long inLinks = 0;
    for (int i = 0; i < probe.filter().linkCount(); i++) {
      inLinks += probe.filter().link(i).size();
    }
    assertThat(inLinks).isEqualTo(added);
  }

  @Test
  void test_batchOfAnySize_findsWhatContainsFinds() {
    FilterProbe probe = create();
    probe.addAll("item:", ITEMS);
    long[] mixed = probe.hash("item:", ITEMS / 2, 3 * ITEMS);
    int count = mixed.length / 2;
    for (int from = 0, to = 0; to < count; from = to) {
      to = Math.min(count, from + 1 + from % BloomFilter.MAX_BATCH);
      long found = probe.filter().test(mixed, 2 * from, to - from);
      for (int i = from; i < to; i++) {
        assertThat((found >>> (i - from) & 1) == 1)
            .as("item %d of %d to %d", i, from, to)
            .isEqualTo(probe.filter().contains(mixed[2 * i], mixed[2 * i + 1]));
      }
    }
  }

  @Test
  void countPresent_oneItemAbsentOrNone_isHowManyAreBeforeIt() {
    FilterProbe probe = create();
    probe.addAll("item:", ITEMS);
    int count = Math.min(ITEMS, 3 * BloomFilter.MAX_BATCH);
    long[] hashes = probe.hash("item:", 0, count);
    long[] absent = absentItem(probe);
    assertThat(probe.filter().countPresent(hashes, 0, count)).isEqualTo(count);
    assertThat(probe.filter().countPresent(hashes, 4, 0)).isZero();
    for (int i = 0; i < count; i++) {
      long[] mixed = hashes.clone();
      System.arraycopy(absent, 0, mixed, 2 * i, 2);
      assertThat(probe.filter().countPresent(mixed, 0, count)).isEqualTo(i);
      assertThat(probe.filter().countPresent(mixed, 0, i)).isEqualTo(i);
      assertThat(probe.filter().countPresent(mixed, 2 * i + 2, count - 1 - i))
          .isEqualTo(count - 1 - i);
    }
  }

  private static long[] absentItem(FilterProbe probe) {
    for (int i = 0; ; i++) {
      long[] hashes = probe.hash("absent:", i, i + 1);
      if (!probe.filter().contains(hashes[0], hashes[1])) {
        return hashes;
      }
    }
  }

  /** Some items are in the older links, some twice in a batch, and links fill up within batches. */
  @Test
  void addAll_batchOfAnySize_doesWhatAddingOneByOneDoes() {
    FilterProbe batched = create();
    FilterProbe single = create();
    long[] mixed = batched.hash("item:", 0, ITEMS);
    for (int from = 0, to = 0; to < ITEMS; from = to) {
      to = Math.min(ITEMS, from + 1 + from % BloomFilter.MAX_BATCH);
      int again = Math.max(0, from - 3);
      int items = Math.min(BloomFilter.MAX_BATCH, to - again);
      long expected = addOneByOne(single, mixed, again, items);
      if (batched.filter().hasRoomFor(items)) {
        assertThat(batched.filter().addAll(mixed, 2 * again, items)).isEqualTo(expected);
      } else {
        assertThat(addOneByOne(batched, mixed, again, items)).isEqualTo(expected);
      }
    }
    assertThat(batched.header()).isEqualTo(single.header());
    assertThat(batched.bits()).isEqualTo(single.bits());
  }

  private static long addOneByOne(FilterProbe probe, long[] hashes, int from, int items) {
    long added = 0;
    for (int i = 0; i < items; i++) {
      int at = 2 * (from + i);
      AddOutcome outcome = probe.filter().add(hashes[at], hashes[at + 1]);
      added |= (outcome == AddOutcome.ADDED ? 1L : 0L) << i;
    }
    return added;
  }

  @Test
  void addAll_moreThanThereIsRoomFor_isRefused() {
    FilterProbe probe = create();
    long[] hashes = probe.hash("more:", 0, BloomFilter.MAX_BATCH);
    BloomFilter filter = probe.filter();
    for (int i = 0; filter.hasRoomFor(BloomFilter.MAX_BATCH); i++) {
      probe.add("item:" + i);
    }
    assertThat(filter.hasRoomFor(0)).isTrue();
    assertThatThrownBy(() -> filter.addAll(hashes, 0, BloomFilter.MAX_BATCH))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void fromHeader_headerAndBits_giveAnEqualFilterThatGoesOnAlike() {
    FilterProbe original = create();
    original.addAll("item:", ITEMS / 2);
    FilterProbe loaded = FilterProbe.fromHeader(pool, original.header());
    BloomDump.Chunk chunk = BloomDump.chunk(original.filter(), 1);
    while (chunk != null) {
      assertThat(
              BloomDump.load(
                  loaded.filter(), chunk.nextIterator(), chunk.address(), chunk.length()))
          .isEqualTo(LoadOutcome.LOADED);
      chunk = BloomDump.chunk(original.filter(), chunk.nextIterator());
    }
    assertThat(loaded.addAll("more:", ITEMS)).isEqualTo(original.addAll("more:", ITEMS));

    assertThat(loaded.header()).isEqualTo(original.header());
    assertThat(loaded.bits()).isEqualTo(original.bits());
  }

  @Test
  void copy_laterAdds_areSeenInOneOnly() {
    FilterProbe original = create();
    original.addAll("item:", ITEMS / 2);
    byte[] header = original.header();
    byte[] bits = original.bits();
    FilterProbe copy = new FilterProbe(original.filter().copy());

    assertThat(copy.header()).isEqualTo(header);
    assertThat(copy.bits()).isEqualTo(bits);
    copy.addAll("more:", ITEMS);
    assertThat(original.header()).isEqualTo(header);
    assertThat(original.bits()).isEqualTo(bits);
  }

  @Test
  void release_everythingMade_givesAllMemoryBack() {
    FilterProbe probe = create();
    probe.addAll("item:", ITEMS);
    BloomFilter copy = probe.filter().copy();
    assertThat(pool.usedBytes()).isEqualTo(probe.filter().memoryBytes() + copy.memoryBytes());

    probe.filter().release();
    awaitUsedBytes(copy.memoryBytes());
    copy.release();
    awaitUsedBytes(0);
  }

  /** Big blocks are unmapped in the background. */
  private void awaitUsedBytes(long expected) {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (pool.usedBytes() != expected && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(pool.usedBytes()).isEqualTo(expected);
  }

  @Test
  void reportedBytes_anyChain_countsTheModulesStructuresAndTheBits() {
    FilterProbe probe = create();
    probe.addAll("item:", ITEMS);

    assertThat(probe.filter().reportedBytes())
        .isEqualTo(32 + 64L * probe.filter().linkCount() + probe.bits().length);
    assertThat(probe.filter().type()).isEqualTo(ValueType.BLOOM);
  }
}
