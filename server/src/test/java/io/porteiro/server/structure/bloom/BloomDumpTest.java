package io.porteiro.server.structure.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BloomDumpTest {
  private final MemoryPool pool = new MemoryPool(FilterProbe.NO_LIMIT);
  private final Block ones = pool.allocate(64);

  @BeforeEach
  void fillOnes() {
    OffHeap.fill(ones.address(), ones.size(), (byte) 0xff);
  }

  @AfterEach
  void closePool() {
    pool.close();
  }

  /** Links of 8, 8 and 16 bytes. */
  private FilterProbe threeLinks() {
    FilterProbe probe = FilterProbe.scaling(pool, 2, 0.01);
    for (String item : List.of("a", "b", "c", "d", "e", "f", "g")) {
      probe.add(item);
    }
    return probe;
  }

  @ParameterizedTest
  @CsvSource({"1, 9, 8", "5, 9, 4", "9, 17, 8", "17, 33, 16", "25, 33, 8", "32, 33, 1"})
  void chunk_iteratorInALink_reachesItsEnd(long iterator, long next, long length) {
    BloomDump.Chunk chunk = present(BloomDump.chunk(threeLinks().filter(), iterator));

    assertThat(chunk.nextIterator()).isEqualTo(next);
    assertThat(chunk.length()).isEqualTo(length);
  }

  @ParameterizedTest
  @ValueSource(longs = {33, 34, 0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  void chunk_iteratorOutsideOfAllLinks_isTheEnd(long iterator) {
    assertThat(BloomDump.chunk(threeLinks().filter(), iterator)).isNull();
  }

  @Test
  void chunk_linkOver16MiB_comesInPieces() {
    BloomFilter filter = FilterProbe.scaling(pool, 10_000_000, 0.001).filter();
    BloomDump.Chunk first = present(BloomDump.chunk(filter, 1));
    BloomDump.Chunk second = present(BloomDump.chunk(filter, first.nextIterator()));

    assertThat(first.length()).isEqualTo(16 << 20);
    assertThat(second.length()).isEqualTo(2_998_144);
    assertThat(second.nextIterator()).isEqualTo(19_775_361);
    filter.release();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 3, BAD_DATA",
    "-5, 3, BAD_DATA",
    "1, 3, BAD_DATA",
    "2, 3, BAD_DATA",
    "3, 3, NO_LINK",
    "33, 0, NO_LINK",
    "1000, 3, NO_LINK",
    "9223372036854775807, 3, NO_LINK",
    "10, 3, TOO_BIG",
    "18, 17, TOO_BIG",
    "34, 3, TOO_BIG",
    "1, 0, LOADED",
    "4, 3, LOADED",
    "9, 8, LOADED",
    "33, 16, LOADED",
  })
  void load_chunkAtIterator_isTakenOnlyWithinALink(
      long iterator, long length, LoadOutcome expected) {
    FilterProbe probe = threeLinks();
    byte[] bits = probe.bits();

    assertThat(BloomDump.load(probe.filter(), iterator, ones.address(), length))
        .isEqualTo(expected);
    if (expected == LoadOutcome.LOADED) {
      Arrays.fill(bits, (int) (iterator - 1 - length), (int) iterator - 1, (byte) 0xff);
    }
    assertThat(probe.bits()).isEqualTo(bits);
  }

  @Test
  void fromHeader_sumOfLinkSizesDiffers_isRefused() {
    byte[] header = threeLinks().header();
    header[0]++;

    assertRefused(header);
  }

  @Test
  void fromHeader_anyOtherLength_isRefused() {
    byte[] header = threeLinks().header();
    for (int length = 0; length < header.length; length++) {
      assertRefused(Arrays.copyOf(header, length));
    }
    assertRefused(Arrays.copyOf(header, header.length + 1));
    assertRefused(Arrays.copyOf(header, header.length + 53));
  }

  @Test
  void fromHeader_countOfLinksThatNoBufferHolds_isRefused() {
    byte[] header = Arrays.copyOf(threeLinks().header(), 20);
    Arrays.fill(header, 8, 12, (byte) 0xff);
    assertRefused(header);
    Arrays.fill(header, 8, 12, (byte) 0);
    assertRefused(header);
  }

  /** As long as it says, but each link would cost more heap than it is long. */
  @Test
  void fromHeader_moreLinksThanAnyChainHas_isRefused() {
    byte[] one = FilterProbe.scaling(pool, 1, 0.01).header();
    int links = BloomFilter.MAX_LINKS + 1;
    byte[] header = Arrays.copyOf(one, 20 + 53 * links);
    for (int i = 1; i < links; i++) {
      System.arraycopy(one, 20, header, 20 + 53 * i, 53);
    }
    header[8] = (byte) links;
    header[9] = (byte) (links >>> 8);

    assertRefused(header);
  }

  @Test
  void fromHeader_moreThanTheMemory_isRefusedBeforeAnythingIsTaken() {
    byte[] header = threeLinks().header();
    long used = pool.usedBytes();
    pool.setLimitBytes(used + 31);

    assertRefused(header);
    assertThat(pool.usedBytes()).isEqualTo(used);
  }

  /** Whatever the bits of a header say: a filter that works, or a refusal that takes nothing. */
  @Test
  void fromHeader_flippedBits_giveAFilterThatWorksOrARefusal() {
    long seed = Long.getLong("porteiro.fuzz.seed", 20261130);
    Random random = new Random(seed);
    byte[] valid = threeLinks().header();
    pool.setLimitBytes(1 << 20);
    long used = pool.usedBytes();
    for (int i = 0; i < 20_000; i++) {
      byte[] header = valid.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        header[random.nextInt(header.length)] ^= (byte) (1 << random.nextInt(8));
      }
      tryOut(header, random);
      assertThat(pool.usedBytes()).as("seed %d, round %d", seed, i).isEqualTo(used);
    }
  }

  private void tryOut(byte[] header, Random random) {
    FilterProbe probe;
    try {
      probe = FilterProbe.fromHeader(pool, header);
    } catch (InvalidFilterException e) {
      return;
    }
    String item = "item:" + random.nextInt();
    AddOutcome outcome = probe.add(item);
    boolean known = outcome == AddOutcome.ADDED || outcome == AddOutcome.PRESENT;
    assertThat(probe.contains(item)).isEqualTo(known);
    probe.filter().release();
  }

  private static BloomDump.Chunk present(BloomDump.@Nullable Chunk chunk) {
    return Objects.requireNonNull(chunk);
  }

  private void assertRefused(byte[] header) {
    long used = pool.usedBytes();
    assertThatThrownBy(
            () -> BloomDump.fromHeader(pool, MemorySegment.ofArray(header), 0, header.length))
        .isInstanceOf(InvalidFilterException.class);
    assertThat(pool.usedBytes()).isEqualTo(used);
  }
}
