package io.porteiro.server.structure.string;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
  private final MemoryPool pool = new MemoryPool(Long.MAX_VALUE);
  private final Block block = pool.allocate(32);

  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, -1, 9, 10, -10, 99, 100, 1234567890123L, Long.MAX_VALUE, Long.MIN_VALUE})
  void write_number_isItsTextAndReadsBack(long number) {
    assertRoundTrip(number);
  }

  @Test
  void write_randomNumbersOfEveryMagnitude_readBack() {
    long seed = 2026;
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      assertRoundTrip(random.nextLong() >> random.nextInt(64));
    }
  }

  private void assertRoundTrip(long number) {
    String text = Long.toString(number);
    int length = Decimal.write(number, block.address());
    assertThat(OffHeap.toArray(block.address(), length)).asString().isEqualTo(text);
    assertThat(Decimal.length(number)).isEqualTo(text.length());
    assertThat(Decimal.isCanonical(block.address(), length)).as(text).isTrue();
    assertThat(Decimal.parse(block.address(), length)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+1",
        "-0",
        "00",
        "007",
        "-01",
        " 1",
        "1 ",
        "1.0",
        "1e3",
        "12a",
        "--1",
        "9223372036854775808",
        "-9223372036854775809",
        "9999999999999999999",
        "10000000000000000000",
        "18446744073709551617",
        "123456789012345678901"
      })
  void isCanonical_otherText_isFalse(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    OffHeap.copyFrom(bytes, 0, block.address(), bytes.length);
    assertThat(Decimal.isCanonical(block.address(), bytes.length)).isFalse();
  }
}
