package io.porteiro.server.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Crc64Test {
  private static final long SEED = 0x5eed_c4c6_4000_0001L;

  @Test
  void update_checkString_isThePublishedCheckValue() {
    assertThat(crc(ascii("123456789"))).isEqualTo(0xe9c6d914c4b8d9caL);
  }

  @Test
  void update_nothing_keepsTheValue() {
    assertThat(Crc64.update(42, MemorySegment.ofArray(new byte[0]), 0, 0)).isEqualTo(42);
  }

  /**
   * Sliced and byte-wise parts meet at every length and offset; a wrong table shows at 16 bytes.
   */
  @Test
  void update_everyLengthAndOffset_equalsBitByBit() {
    byte[] bytes = random(new Random(SEED), 100);
    for (int from = 0; from < 20; from++) {
      for (int to = from; to <= bytes.length; to++) {
        long sliced = Crc64.update(0, MemorySegment.ofArray(bytes), from, to - from);
        assertThat(sliced)
            .as("seed %x, bytes %d to %d", SEED, from, to)
            .isEqualTo(bitByBit(Arrays.copyOfRange(bytes, from, to)));
      }
    }
  }

  @Test
  void update_inPieces_equalsTheWhole() {
    Random random = new Random(SEED);
    byte[] bytes = random(random, 5000);
    long pieces = 0;
    for (int at = 0; at < bytes.length; ) {
      int step = Math.min(bytes.length - at, random.nextInt(70));
      pieces = Crc64.update(pieces, MemorySegment.ofArray(bytes), at, step);
      at += step;
    }
    assertThat(pieces).as("seed %x", SEED).isEqualTo(bitByBit(bytes));
  }

  private static long crc(byte[] bytes) {
    return Crc64.update(0, MemorySegment.ofArray(bytes), 0, bytes.length);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** The definition, most significant bit first: reflect each byte in, reflect the result out. */
  private static long bitByBit(byte[] bytes) {
    long crc = 0;
    for (byte b : bytes) {
      crc ^= Long.reverse(b & 0xffL);
      for (int bit = 0; bit < 8; bit++) {
        crc = crc < 0 ? crc << 1 ^ 0xad93d23594c935a9L : crc << 1;
      }
    }
    return Long.reverse(crc);
  }
}
