package io.porteiro.server.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MurmurHash2Test {
  private static final int BLOOM_SEED = 0x9747b28c;

  /** Values of an independent implementation whose filters equal those of the Bloom module. */
  @ParameterizedTest
  @CsvSource({
    "'', 106e08d9",
    "a, a2d0b27c",
    "ab, 12d8262a",
    "abc, 1c94221b",
    "abcd, b11ab5f4",
    "abcdefg, eb595499",
    "abcdefgh, c70d55dd",
    "abcdefghi, db106fbe",
    "abcdefghijklmno, 642d0ede",
  })
  void hash_knownItem_isThePublishedValue(String item, String expected) {
    assertThat(hash(item.getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(Integer.parseUnsignedInt(expected, 16));
  }

  @Test
  void hash_tailBytesAbove7f_areUnsigned() {
    assertThat(hash(new byte[] {(byte) 0x80, (byte) 0x81, (byte) 0x82})).isEqualTo(0x8a3e2003);
  }

  @Test
  void hash_itemInsideItsSegment_dependsOnItsBytesOnly() {
    MemorySegment padded =
        MemorySegment.ofArray("xxabcdefghizz".getBytes(StandardCharsets.US_ASCII));

    assertThat(MurmurHash2.hash(padded, 2, 9, BLOOM_SEED)).isEqualTo(0xdb106fbe);
  }

  private static int hash(byte[] bytes) {
    return MurmurHash2.hash(MemorySegment.ofArray(bytes), 0, bytes.length, BLOOM_SEED);
  }
}
