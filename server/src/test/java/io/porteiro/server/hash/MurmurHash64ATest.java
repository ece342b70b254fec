package io.porteiro.server.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MurmurHash64ATest {
  private static final long BLOOM_SEED = 0xc6a4a7935bd1e995L;
  private static final long HYPERLOGLOG_SEED = 0xadc83b19L;

  /** Values of an independent implementation whose filters equal those of the Bloom module. */
  @ParameterizedTest
  @CsvSource({
    "'', 1ab11ea5a7b2c56e, d8dfea6585bc9732",
    "a, 4292cee227b9150a, 53d2470a9b43b1a7",
    "ab, 2db1bf3a2e66542c, 0eaed676437142cf",
    "abc, ca52f3863690cd7b, 77ec90aeb374e502",
    "abcd, c19f5358d983a6bf, b079ee3d44202b3e",
    "abcdefg, 9fa0b24601c1e9a9, 22fe613bb08c9602",
    "abcdefgh, d435df7a565a8af1, f3a65df559914567",
    "abcdefghi, a2c004e44bd0a465, 834fba4d9152daf7",
    "abcdefghijklmno, c4e6b4f6cdd08966, 10350863b35a3059",
  })
  void hash_knownItem_isThePublishedValue(String item, String bloom, String hyperLogLog) {
    byte[] bytes = item.getBytes(StandardCharsets.US_ASCII);

    assertThat(hash(bytes, BLOOM_SEED)).isEqualTo(Long.parseUnsignedLong(bloom, 16));
    assertThat(hash(bytes, HYPERLOGLOG_SEED)).isEqualTo(Long.parseUnsignedLong(hyperLogLog, 16));
  }

  /** A tail byte read as signed would set all bits above it. */
  @Test
  void hash_tailBytesAbove7f_areUnsigned() {
    assertThat(hash(new byte[] {(byte) 0x80, (byte) 0x81, (byte) 0x82}, BLOOM_SEED))
        .isEqualTo(0x8e28e84cdeac0128L);
  }

  @Test
  void hash_anyLengthAndOffset_equalsTheByteByByteDefinition() {
    long seed = Long.getLong("porteiro.fuzz.seed", 20261130);
    Random random = new Random(seed);
    byte[] bytes = new byte[200];
    random.nextBytes(bytes);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    for (int length = 0; length <= 100; length++) {
      int offset = random.nextInt(bytes.length - length);
      long hashSeed = random.nextLong();
      assertThat(MurmurHash64A.hash(segment, offset, length, hashSeed))
          .as("seed %d, length %d, offset %d", seed, length, offset)
          .isEqualTo(definition(bytes, offset, length, hashSeed));
    }
  }

  @Test
  void hashTwice_anyLength_equalsTwoHashes() {
    byte[] bytes = new byte[64];
    new Random(1).nextBytes(bytes);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    long[] pairs = new long[4];
    for (int length = 0; length <= 40; length++) {
      MurmurHash64A.hashTwice(segment, 3, length, BLOOM_SEED, pairs, 1);
      long first = definition(bytes, 3, length, BLOOM_SEED);
      assertThat(pairs).containsExactly(0, first, definition(bytes, 3, length, first), 0);
    }
  }

  /** An item at the very end of its memory must not be read beyond. */
  @Test
  void hash_itemThatFillsItsSegment_readsNothingOutside() {
    for (int length = 0; length <= 24; length++) {
      assertThat(hash(new byte[length], 1)).isEqualTo(definition(new byte[length], 0, length, 1));
    }
  }

  private static long hash(byte[] bytes, long seed) {
    return MurmurHash64A.hash(MemorySegment.ofArray(bytes), 0, bytes.length, seed);
  }

  private static long definition(byte[] bytes, int offset, int length, long seed) {
    long m = 0xc6a4a7935bd1e995L;
    long h = seed ^ (length * m);
    for (int at = 0; at < length; at += 8) {
      int count = Math.min(8, length - at);
      long k = 0;
      for (int i = 0; i < count; i++) {
        k |= (bytes[offset + at + i] & 0xffL) << (8 * i);
      }
      if (count == 8) {
        k *= m;
        k ^= k >>> 47;
        k *= m;
      }
      h = (h ^ k) * m;
    }
    h = (h ^ (h >>> 47)) * m;
    return h ^ (h >>> 47);
  }
}
