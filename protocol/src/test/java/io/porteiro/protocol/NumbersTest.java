package io.porteiro.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumbersTest {
  private final MemorySegment memory = Arena.ofAuto().allocate(64);

  private boolean isLong(String text) {
    return Numbers.isLong(memory.address(), store(text));
  }

  private int store(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    MemorySegment.copy(bytes, 0, memory, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, bytes.length);
    return bytes.length;
  }

  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, 9, 10, -1, -9, -10, 1234567890123456789L, Long.MAX_VALUE, Long.MIN_VALUE})
  void toLong_canonicalNumbers_areRead(long value) {
    String text = Long.toString(value);
    assertThat(isLong(text)).isTrue();
    assertThat(Numbers.toLong(memory.address(), text.length())).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+1",
        "01",
        "-01",
        "-0",
        "00",
        " 1",
        "1 ",
        "1x",
        "x1",
        "1.0",
        "0x10",
        "--1",
        "9223372036854775808",
        "-9223372036854775809",
        "9999999999999999999",
        "10000000000000000000",
        "99999999999999999999",
        "-99999999999999999999",
        "1\0",
        "\u00b2"
      })
  void isLong_anythingElse_isRefused(String text) {
    assertThat(isLong(text)).isFalse();
  }

  @Test
  void put_randomNumbers_areWrittenAsJavaDoesAndReadBack() {
    long seed = 20;
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      long value = random.nextLong() >> random.nextInt(64);
      int length = Numbers.put(memory.address(), value);
      String text = text(length);
      assertThat(text).as("seed %d", seed).isEqualTo(Long.toString(value));
      assertThat(Numbers.isLong(memory.address(), length)).as(text).isTrue();
      assertThat(Numbers.toLong(memory.address(), length)).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 9, 10, 99, 100, -1, -10, Long.MAX_VALUE, Long.MIN_VALUE})
  void put_bounds_areWrittenAsJavaDoes(long value) {
    int length = Numbers.put(memory.address(), value);
    assertThat(text(length)).isEqualTo(Long.toString(value));
  }

  private String text(int length) {
    byte[] written = NativeBytes.toArray(memory.address(), length);
    return new String(written, StandardCharsets.ISO_8859_1);
  }
}
