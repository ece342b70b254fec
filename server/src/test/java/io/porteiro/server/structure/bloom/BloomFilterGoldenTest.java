package io.porteiro.server.structure.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.MemoryPool;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bits and headers recorded from the Bloom module: a filter must be the same to the last bit. */
class BloomFilterGoldenTest {
  private final MemoryPool pool = new MemoryPool(FilterProbe.NO_LIMIT);

  @AfterEach
  void closePool() {
    pool.close();
  }

  @Test
  void add_itemsOfLengths0To20_setsTheModulesBits() {
    FilterProbe probe = FilterProbe.scaling(pool, 100, 0.01);
    for (int length = 0; length <= 20; length++) {
      probe.add("abcdefghijklmnopqrst".substring(0, length));
    }
    assertBits(
        probe,
        "028080000002100e000000080000080030842004c218100000180080200004184221"
            + "0009a02026c00060000050c004000004001000000004195008400002130008900009390205240100"
            + "392000002310200200020012808000200001010021108000004080440031024802803100000000"
            + "808800001040a02200002000008c2800850062003120230000288120200000");
  }

  @Test
  void add_bytesAbove7f_setsTheModulesBits() {
    FilterProbe probe = FilterProbe.scaling(pool, 10, 0.01);
    for (String item :
        List.of("80", "808182", "31323334353637389091929394", "ffffffffffffffffffffffffffffff")) {
      probe.add(HexFormat.of().parseHex(item));
    }
    assertBits(probe, "1702088082950020200050040809eaea");
  }

  @Test
  void add_itemsOf100000BytesAndMore_setsTheModulesBits() {
    FilterProbe probe = FilterProbe.scaling(pool, 100, 0.01);
    probe.add("x".repeat(100_000));
    probe.add("x".repeat(100_001));
    probe.add("abcdefg".repeat(150_000));
    assertBits(
        probe,
        "0001000000400000000000000000010000100002200000000000000000040000000000000000000000"
            + "00000100000000000000000210000000000000044000800000100000000000000000200000001000"
            + "000080000800000000000000000000000000000000000800000000100000000000000000000000"
            + "000000100001000000000000010000000000010000000000");
  }

  @Test
  void add_threeItems_leavesTheModulesHeader() {
    FilterProbe probe = FilterProbe.scaling(pool, 10, 0.01);
    for (String item : List.of("a", "b", "c")) {
      probe.add(item);
    }
    assertThat(probe.header())
        .asHexString()
        .isEqualToIgnoringCase(
            "030000000000000001000000050000000200000010000000000000008000000000000000"
                + "03000000000000007b14ae47e17a743fe9862fb2350e2640080000000a00000000000000"
                + "00");
    assertBits(probe, "1204000a005001202840208410c20901");
  }

  @Test
  void add_120ItemsToCapacity10_growsTheModulesFourLinks() {
    FilterProbe probe = FilterProbe.scaling(pool, 10, 0.01);

    assertThat(probe.addAll("i:", 120)).isEqualTo(118);
    assertThat(probe.header())
        .asHexString()
        .isEqualToIgnoringCase(
            "7600000000000000040000000500000002000000"
                + "100000000000000080000000000000000a000000000000007b14ae47e17a743f"
                + "e9862fb2350e2640080000000a0000000000000000"
                + "200000000000000000010000000000001400000000000000"
                + "7b14ae47e17a643f4af7d49edef0284009000000140000000000000000"
                + "480000000000000040020000000000002800000000000000"
                + "7b14ae47e17a543faa677a8b87d32b400a000000280000000000000000"
                + "a00000000000000000050000000000003000000000000000"
                + "7b14ae47e17a443f0bd81f7830b62e400b000000500000000000000000");
    assertThat(probe.countOf("j:", 0, 1000)).isEqualTo(19);
    assertThat(sha256(probe.bits()))
        .isEqualTo("addad7d80cf91f06e9120d46877ab16079a7c67a9580c20af6ac6542a1517091");
  }

  @Test
  void add_nonScalingFilter_hasTheModulesHeaderAndBits() {
    FilterProbe probe = FilterProbe.nonScaling(pool, 30, 0.001);
    probe.addAll("i:", 30);

    assertThat(probe.header())
        .asHexString()
        .isEqualToIgnoringCase(
            "1e00000000000000010000000d000000020000003800000000000000c001000000000000"
                + "1e00000000000000fca9f1d24d62503fcd214f2853c12c400a0000001e00000000000000"
                + "00");
    assertBits(
        probe,
        "afe9080199e6291165f26d81db3fe5556f092076903b8329abe241fb748938012b39dfaab34f3de4"
            + "45c5436311873a4917a3233cdb414ed7");
  }

  @ParameterizedTest
  @CsvSource({"0, 090c8041044011203018020291453291", "4, 2204200b001220200860228412420b11"})
  void add_chainOfPowersOfTwo_setsTheModulesBits(int options, String bits) {
    FilterProbe probe = FilterProbe.fromHeader(pool, LegacyHeaders.emptyPowerOfTwo(options));
    for (String item : List.of("a", "b", "hello", "")) {
      probe.add(item);
    }
    assertBits(probe, bits);
  }

  @Test
  void add_oldChainThatGrows_givesLinksTheModulesSizes() {
    FilterProbe probe = FilterProbe.fromHeader(pool, LegacyHeaders.emptyPowerOfTwo(0));

    assertThat(probe.addAll("i:", 200)).isEqualTo(197);
    assertThat(probe.filter().linkCount()).isEqualTo(4);
    assertThat(probe.filter().link(3).shape().entries()).isEqualTo(266);
    assertThat(probe.filter().link(3).size()).isEqualTo(94);
    assertThat(probe.filter().capacity()).isEqualTo(369);
    assertThat(probe.filter().reportedBytes()).isEqualTo(976);
    assertThat(HexFormat.of().formatHex(probe.bits(), 16, 48))
        .isEqualTo("57f758bc42fc61726d0fcffc5b1b20316fb4c915de2d26d4245db03ba15dd576");
  }

  /** Counts of the module: how many of the items were new, how many others seem to be there. */
  @ParameterizedTest
  @CsvSource({
    "1000, 0.1, true, in:, 900, 881, out:, 20000, 1487",
    "5000, 0.001, false, in:, 5000, 4999, out:, 50000, 25",
    "4, 0.01, false, x:, 300, 290, y:, 10000, 239",
    "400, 0.2, true, i:, 400, 369, j:, 0, 0",
    "100, 0.01, false, i:, 10000, 9914, j:, 10000, 102",
    "100, 0.01, false, i:, 100000, 99051, j:, 10000, 106",
    "1, 0.25, false, i:, 3000, 2890, j:, 0, 0",
  })
  void add_manyItems_countsAsTheModuleDoes(
      long capacity,
      double rate,
      boolean fixed,
      String prefix,
      int items,
      int added,
      String others,
      int otherCount,
      int positives) {
    FilterProbe probe =
        fixed
            ? FilterProbe.nonScaling(pool, capacity, rate)
            : FilterProbe.scaling(pool, capacity, rate);

    assertThat(probe.addAll(prefix, items)).isEqualTo(added);
    assertThat(probe.countOf(prefix, 0, items)).isEqualTo(items);
    assertThat(probe.countOf(others, 0, otherCount)).isEqualTo(positives);
  }

  /**
   * Every state on the way, header and bits, against a model of the format written in another
   * language: no format changes unseen.
   */
  @ParameterizedTest
  @CsvSource({
    "10, 0.01, 2, false, 1000, 7ee7bb338f1bc2059f2f3855f509434cd403c0dd023838de8c4f3191c50c88ed",
    "500, 0.05, 2, true, 600, fbf2fbc9e42b8d3858a033614939cc62ec81b69a09da48637586b0692b690466",
    "3, 0.25, 1, false, 400, 43174a50b4ad6607d0e6bd4a651c78b6472941b255c76824012a1bba9c3e156a",
    "1, 1e-7, 3, false, 300, 2f131e34f27d24959dd8e89289339bccda574b671f890fb04e84e54ec7069159",
  })
  void add_everyStateOnTheWay_hasTheFingerprintOfTheModel(
      long capacity, double rate, long expansion, boolean fixed, int items, String fingerprint) {
    BloomFilter filter = BloomFilter.create(pool, capacity, rate, expansion, fixed);

    assertThat(fingerprint(new FilterProbe(filter), items)).isEqualTo(fingerprint);
  }

  @Test
  void add_everyStateOfAnOldChain_hasTheFingerprintOfTheModel() {
    assertThat(fingerprint(legacy(0), 400))
        .isEqualTo("8bb97585edc8e901593e6c045a7916409721b614bf3dd9ef44d0444f4cf72039");
    assertThat(fingerprint(legacy(4), 400))
        .isEqualTo("4b475f60a0acc1a2e76af98b40117386aa6f679ac15669eeb4530577d83f6a63");
  }

  /** As the module would make it today: the first link's capacity already raised. */
  private FilterProbe legacy(int options) {
    LinkShape shape = LinkShape.ofPowerOfTwo(10, 0.005);
    try (BloomFilterBuilder builder = new BloomFilterBuilder(pool, 0, options, 2)) {
      builder.addLink(shape);
      return new FilterProbe(builder.build());
    }
  }

  private static String fingerprint(FilterProbe probe, int items) {
    MessageDigest digest = newSha256();
    for (int i = 0; i < items; i++) {
      AddOutcome outcome = probe.add("item:" + i);
      digest.update(probe.header());
      digest.update(probe.bits());
      digest.update(outcome.name().getBytes(StandardCharsets.US_ASCII));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void assertBits(FilterProbe probe, String hex) {
    assertThat(HexFormat.of().formatHex(probe.bits())).isEqualTo(hex);
  }

  private static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(newSha256().digest(bytes));
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
