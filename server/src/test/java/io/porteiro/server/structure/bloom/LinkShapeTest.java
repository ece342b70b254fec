package io.porteiro.server.structure.bloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkShapeTest {
  /** What the Bloom module makes of them (its BF.DEBUG). */
  @ParameterizedTest
  @CsvSource({
    "1000, 0.1, 600, 4",
    "1000, 0.05, 784, 5",
    "1000, 0.025, 960, 6",
    "1000, 0.015, 1096, 7",
    "1000, 0.0025, 1560, 9",
    "1000, 0.0005, 1984, 11",
    "1000, 5e-05, 2584, 15",
    "1000, 5e-06, 3176, 18",
    "1000, 5e-07, 3776, 21",
    "1000, 0.0617283945, 728, 5",
    "1000, 0.0078125, 1264, 8",
    "1000, 0.125, 544, 4",
    "1000, 0.25, 368, 3",
    "100, 5e-10, 560, 31",
    "100, 5e-16, 920, 51",
    "10, 5e-101, 608, 334",
    "1, 5e-301, 184, 998",
    "1, 5e-311, 192, 1031",
    "1, 0.25, 8, 3",
    "100, 0.0001, 240, 14",
    "20000000, 0.0005, 39550712, 11",
    "6400, 7.8125e-05, 15752, 14",
    "51200, 9.765625e-06, 153680, 17",
  })
  void of_capacityAndRate_hasTheSizeTheBloomModuleGives(
      long entries, double rate, long bytes, int hashes) {
    LinkShape shape = LinkShape.of(entries, rate);

    assertThat(shape.bytes()).isEqualTo(bytes);
    assertThat(shape.hashes()).isEqualTo(hashes);
    assertThat(shape.modulus()).isEqualTo(8 * bytes);
  }

  /** The rates where StrictMath's logarithm differs from the C library's in the last bit. */
  @Test
  void of_rateWithDisputedLogarithm_hasTheBitsPerEntryOfTheBloomModule() {
    assertThat(Double.doubleToLongBits(LinkShape.of(10, 0.005).bitsPerEntry()))
        .isEqualTo(0x40260e35b22f86e9L);
    assertThat(Double.doubleToLongBits(LinkShape.of(40, 0.00125).bitsPerEntry()))
        .isEqualTo(0x402bd3878b7a67aaL);
    assertThat(LinkShape.of(1600, 0.0003125).bitsPerEntry())
        .isEqualTo(-Math.log(0.0003125) / 0.480453013918201);
  }

  @ParameterizedTest
  @CsvSource({"0, 0.01", "-1, 0.01", "100, 0", "100, 1", "100, NaN", "100, -0.5", "100, 1.5"})
  void of_impossibleRequest_isRefused(long entries, double rate) {
    assertThatThrownBy(() -> LinkShape.of(entries, rate))
        .isInstanceOf(ImpossibleLinkException.class);
  }

  @Test
  void of_smallestRateThereIs_staysWithinTheBoundOfHashes() {
    assertThat(LinkShape.of(1, Double.MIN_VALUE).hashes()).isEqualTo(LinkShape.MAX_HASHES);
  }

  @Test
  void of_moreBitsThanTheArithmeticHolds_isRefused() {
    assertThatThrownBy(() -> LinkShape.of(Long.MAX_VALUE, 0.01))
        .isInstanceOf(ImpossibleLinkException.class);
  }

  @Test
  void next_scalingLink_isTwiceAsLargeAndTwiceAsExact() {
    LinkShape next = LinkShape.of(100, 0.005).next(2, false);

    assertThat(next).isEqualTo(LinkShape.of(200, 0.0025));
  }

  @ParameterizedTest
  @CsvSource({
    "20, 0.0025, 256, 20, 8",
    "40, 0.00125, 1024, 73, 10",
    "146, 0.000625, 4096, 266, 12"
  })
  void ofPowerOfTwo_needBetweenPowers_takesTheNextAndGivesTheRestToEntries(
      long wanted, double rate, long bits, long entries, int log2) {
    LinkShape shape = LinkShape.ofPowerOfTwo(wanted, rate);

    assertThat(shape.bits()).isEqualTo(bits);
    assertThat(shape.entries()).isEqualTo(entries);
    assertThat(shape.log2()).isEqualTo(log2);
  }

  @Test
  void next_smallPowerOfTwo_fillsAWordButUsesThePowerOnly() {
    LinkShape next = LinkShape.of(1, 0.5).next(1, true);

    assertThat(next.bits()).isEqualTo(64);
    assertThat(next.modulus()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"0", "4611686018427387904", "9223372036854775807"})
  void next_entriesOverflowOrVanish_isRefused(long expansion) {
    LinkShape shape = LinkShape.of(1L << 20, 0.01);

    assertThatThrownBy(() -> shape.next(expansion, false))
        .isInstanceOf(ImpossibleLinkException.class);
    assertThatThrownBy(() -> shape.next(expansion, true))
        .isInstanceOf(ImpossibleLinkException.class);
  }

  @Test
  void next_rateThatUnderflows_isRefused() {
    LinkShape shape = LinkShape.of(1, Double.MIN_VALUE);

    assertThatThrownBy(() -> shape.next(2, false)).isInstanceOf(ImpossibleLinkException.class);
  }

  @Test
  void stored_fieldsOfAShape_giveTheShapeBack() {
    LinkShape shape = LinkShape.ofPowerOfTwo(40, 0.00125);

    assertThat(
            LinkShape.stored(
                shape.entries(),
                shape.errorRate(),
                shape.bitsPerEntry(),
                shape.hashes(),
                shape.bytes(),
                shape.bits(),
                shape.log2()))
        .isEqualTo(shape);
  }

  /** One row, one contradiction: rate, bits per entry, hashes, bytes, bits, log2. */
  @ParameterizedTest
  @CsvSource({
    "0, 11.03, 8, 16, 128, 0",
    "1, 11.03, 8, 16, 128, 0",
    "-0.5, 11.03, 8, 16, 128, 0",
    "NaN, 11.03, 8, 16, 128, 0",
    "0.005, 11.03, 9, 16, 128, 0",
    "0.005, 11.03, 0, 16, 128, 0",
    "0.005, -11.03, -7, 16, 128, 0",
    "0.005, 0, 0, 16, 128, 0",
    "0.005, -0.5, 0, 16, 128, 0",
    "0.005, NaN, 8, 16, 128, 0",
    "0.005, Infinity, 4294967295, 16, 128, 0",
    "0.005, 6e9, 4158883084, 16, 128, 0",
    "0.005, 11.03, 8, 16, 129, 0",
    "0.005, 11.03, 8, 0, 0, 0",
    "0.005, 11.03, 8, -1, -8, 0",
    "0.005, 11.03, 8, 2305843009213693952, 0, 0",
    "0.005, 11.03, 8, 72057594037927936, 576460752303423488, 0",
    "0.005, 11.03, 8, 16, 128, 8",
    "0.005, 11.03, 8, 16, 128, 63",
    "0.005, 11.03, 8, 16, 128, 64",
    "0.005, 11.03, 8, 16, 128, 255",
  })
  void stored_contradiction_isRefused(
      double rate, double bitsPerEntry, long hashes, long bytes, long bits, long log2) {
    assertThatThrownBy(() -> LinkShape.stored(10, rate, bitsPerEntry, hashes, bytes, bits, log2))
        .isInstanceOf(InvalidFilterException.class);
  }
}
