package io.porteiro.server.structure.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.string.StringValue;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings that a client wrote, not we. */
class CorruptHyperLogLogTest {
  private static final String STALE_SPARSE_HEADER = "48594c4c010000000000000000000080";

  private final MemoryPool pool = new MemoryPool(Long.MAX_VALUE);
  private final Workspace workspace = new Workspace();
  private final Union union = new Union(workspace);

  @AfterEach
  void close() {
    pool.close();
  }

  private StringValue string(byte[] bytes) {
    return StringValue.copyOf(pool, bytes);
  }

  private StringValue sparse(String opcodes) {
    return string(HexFormat.of().parseHex(STALE_SPARSE_HEADER + opcodes));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // empty
        "48594c4c", // magic only
        "48594c4c0100000000000000000000", // one byte short of a header
        "48594c580100000000000000000000807fff", // another magic
        "48594c4c0200000000000000000000807fff", // no such encoding
        "48594c4cff00000000000000000000807fff",
        "48594c4c000000000000000000000080", // dense without registers
        "3132333435363738" // kept as a number
      })
  void isValid_ofOtherStrings_isFalse(String hex) {
    assertThat(HyperLogLog.isValid(string(HexFormat.of().parseHex(hex)))).isFalse();
  }

  @Test
  void isValid_ofADenseOneThatIsTooLong_isFalse() {
    byte[] bytes = Arrays.copyOf(HexFormat.of().parseHex("48594c4c00"), 12_305);
    assertThat(HyperLogLog.isValid(string(bytes))).isFalse();
    assertThat(HyperLogLog.isValid(string(Arrays.copyOf(bytes, 12_304)))).isTrue();
  }

  @Test
  void isValid_doesNotLookAtTheReservedBytes() {
    assertThat(
            HyperLogLog.isValid(
                string(HexFormat.of().parseHex("48594c4c0109080700000000000000007fff"))))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // none
        "7ffe", // one too few
        "7fff7fff", // all registers twice: wrote outside of the registers in old servers
        "7fff00", // one too many
        "7f", // XZERO without its second byte
        "7ffe7f", // the same as the last opcode
        "7fff7f"
      })
  void countMergeAndPromotion_ofOtherCoverage_areRefusedAndChangeNothing(String opcodes) {
    StringValue value = sparse(opcodes);
    byte[] before = value.toArray();
    union.clear();
    assertThatThrownBy(() -> HyperLogLog.count(value, workspace))
        .isInstanceOf(CorruptHyperLogLogException.class);
    assertThatThrownBy(() -> union.include(value)).isInstanceOf(CorruptHyperLogLogException.class);
    assertThatThrownBy(() -> HyperLogLog.toDense(value, workspace))
        .isInstanceOf(CorruptHyperLogLogException.class);
    assertThat(value.toArray()).isEqualTo(before);
  }

  @Test
  void add_beforeTheDamage_isNotRefused() {
    StringValue value = sparse("7ffe");
    long[] hash = {Elements.hash(5, 2)};
    assertThat(HyperLogLog.add(value, i -> hash[i], 0, 1, 3000, workspace)).isEqualTo(1);
    assertThat(HyperLogLog.describeSparse(value, workspace)).isEqualTo("z:5 v:2,1 Z:16377");
  }

  @Test
  void add_behindTheDamage_isRefusedAndNoneOfTheElementsIsAdded() {
    StringValue value = sparse("7ffe");
    byte[] before = value.toArray();
    long[] hashes = {Elements.hash(5, 2), Elements.hash(16_383, 2)};
    assertThatThrownBy(() -> HyperLogLog.wouldChange(value, hashes[1], workspace))
        .isInstanceOf(CorruptHyperLogLogException.class);
    assertThatThrownBy(() -> HyperLogLog.add(value, i -> hashes[i], 0, 2, 3000, workspace))
        .isInstanceOf(CorruptHyperLogLogException.class);
    assertThat(value.toArray()).isEqualTo(before);
  }

  @Test
  void add_thatWouldHaveToTurnItDense_isRefusedAndNoneOfTheElementsIsAdded() {
    StringValue value = sparse("7ffe");
    byte[] before = value.toArray();
    long[] hashes = {Elements.hash(5, 2), Elements.hash(6, 33)};
    assertThatThrownBy(() -> HyperLogLog.add(value, i -> hashes[i], 0, 2, 3000, workspace))
        .isInstanceOf(CorruptHyperLogLogException.class);
    assertThat(value.toArray()).isEqualTo(before);
  }

  @Test
  void count_ofADamagedOneWithAValidCachedCount_isTheCachedCount() {
    StringValue value = string(HexFormat.of().parseHex("48594c4c010000000700000000000000"));
    assertThat(HyperLogLog.count(value, workspace)).isEqualTo(7);
  }

  @Test
  void describe_ofOtherCoverage_showsIt() {
    assertThat(HyperLogLog.describeSparse(sparse("7ffe"), workspace)).isEqualTo("Z:16383");
    assertThat(HyperLogLog.describeSparse(sparse("7fff00"), workspace)).isEqualTo("Z:16384 z:1");
  }

  @Test
  void describe_ofTooManyOpcodes_isRefusedSoThatTheTextIsBounded() {
    StringValue value = sparse("00".repeat(1 << 16));
    assertThatThrownBy(() -> HyperLogLog.describeSparse(value, workspace))
        .isInstanceOf(CorruptHyperLogLogException.class);
  }

  @Test
  void anyOperation_onRandomOpcodes_answersOrRefusesAndLeavesAValidHeader() {
    long seed = 32023;
    Random random = new Random(seed);
    for (int round = 0; round < 20_000; round++) {
      StringValue value = sparse(HexFormat.of().formatHex(opcodes(random)));
      byte[] before = value.toArray();
      try {
        operate(value, random);
      } catch (CorruptHyperLogLogException _) {
        assertThat(value.toArray()).as("seed %d, round %d", seed, round).isEqualTo(before);
      }
      assertThat(HyperLogLog.isValid(value)).as("seed %d, round %d", seed, round).isTrue();
      value.release();
    }
    assertThat(pool.usedBytes()).isZero();
  }

  private static byte[] opcodes(Random random) {
    byte[] opcodes = new byte[random.nextInt(600)];
    random.nextBytes(opcodes);
    for (int i = 0; i < opcodes.length; i++) {
      boolean vals = random.nextBoolean();
      opcodes[i] |= vals ? (byte) 0x80 : 0;
    }
    return opcodes;
  }

  private void operate(StringValue value, Random random) {
    switch (random.nextInt(4)) {
      case 0 -> HyperLogLog.count(value, workspace);
      case 1 -> HyperLogLog.toDense(value, workspace);
      case 2 -> {
        union.clear();
        union.include(value);
        union.storeIn(value, 300);
      }
      default -> {
        long[] hashes = random.longs(1 + random.nextInt(5)).toArray();
        HyperLogLog.add(value, i -> hashes[i], 0, hashes.length, random.nextInt(900), workspace);
      }
    }
  }
}
