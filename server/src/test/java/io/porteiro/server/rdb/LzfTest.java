package io.porteiro.server.rdb;

import static io.porteiro.server.rdb.RdbTesting.ascii;
import static io.porteiro.server.rdb.RdbTesting.bytes;
import static io.porteiro.server.rdb.RdbTesting.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@link LzfEncoder} and {@link LzfDecoder}. */
class LzfTest {
  private static final long SEED = 0x12f_0001L;

  private final MemoryPool pool = new MemoryPool(1 << 26);
  private final LzfEncoder encoder = new LzfEncoder();

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void encode_everyLengthOfEveryKind_decodesToTheSame() throws IOException {
    Random random = new Random(SEED);
    for (int length = 4; length < 700; length++) {
      for (int symbols : new int[] {1, 2, 4, 256}) {
        byte[] original = randomOf(random, length, symbols);
        byte[] packed = encode(original, 2 * length + 2);
        assertThat(decode(packed, length))
            .as("seed %x, %d bytes of %d symbols", SEED, length, symbols)
            .isEqualTo(original);
      }
    }
  }

  /** Copies reach 8192 bytes back; one byte more must be literals. */
  @Test
  void encode_repetitionNearTheLimitOfReach_decodesToTheSame() throws IOException {
    Random random = new Random(SEED);
    for (int distance = 8180; distance < 8200; distance++) {
      byte[] block = randomOf(random, distance, 256);
      byte[] original = joined(block, block);
      byte[] packed = encode(original, 4 * distance);
      assertThat(decode(packed, original.length))
          .as("seed %x, distance %d", SEED, distance)
          .isEqualTo(original);
    }
  }

  @Test
  void encode_repetition_isShort() {
    assertThat(encode(new byte[264 * 100], 1000)).hasSizeLessThan(310);
  }

  /** Entries of the hash table from an earlier string would be references into nothing. */
  @Test
  void encode_afterAnotherString_refersOnlyToItself() throws IOException {
    byte[] text = ascii("to be or not to be, that is to say to be");
    byte[] first = encode(text, text.length);
    assertThat(encode(text, text.length)).isEqualTo(first);
    assertThat(decode(first, text.length)).isEqualTo(text);
  }

  @Test
  void encode_doesNotFit_givesNothing() {
    Random random = new Random(SEED);
    byte[] noise = randomOf(random, 300, 256);
    assertThat(encode(noise, 296)).as("seed %x", SEED).isEmpty();
    byte[] zeros = new byte[300];
    int needed = encode(zeros, 300).length;
    assertThat(encode(zeros, needed)).hasSize(needed);
    assertThat(encode(zeros, needed - 1)).isEmpty();
  }

  @Test
  void decode_overlappingCopies_repeatWhatTheyWrote() throws IOException {
    byte[] run = bytes(0, 'a', 0x20 | 0, 0); // one literal, copy 3 from 1 back
    assertThat(decode(run, 4)).isEqualTo(ascii("aaaa"));
    byte[] pair = bytes(1, 'a', 'b', 0x60, 1); // copy 5 from 2 back
    assertThat(decode(pair, 7)).isEqualTo(ascii("abababa"));
    byte[] longCopy = bytes(0, 'x', 0xe0, 255, 0); // copy 264 from 1 back
    assertThat(decode(longCopy, 265)).containsOnly('x');
  }

  @Test
  void decode_damaged_isRefused() {
    assertRefused(bytes(0x20, 0), 3, "reference before the start");
    assertRefused(bytes(0, 'a', 0x20, 1), 4, "reference before the start by one");
    assertRefused(bytes(0, 'a', 0x20, 0), 3, "longer than announced, copy");
    assertRefused(bytes(0, 'a', 0x20, 0), 5, "shorter than announced");
    assertRefused(bytes(2, 'a', 'b', 'c'), 2, "longer than announced, literals");
    assertRefused(bytes(5, 'a', 'b'), 6, "literals cut short");
    assertRefused(bytes(0, 'a', 0x20), 4, "offset cut off");
    assertRefused(bytes(0, 'a', 0xe0, 0), 10, "long copy cut off");
    assertRefused(bytes(0, 'a'), 1000, "more than any packing gives");
    assertRefused(bytes(0, 'a'), -1, "length beyond 2^63");
  }

  @Test
  void decode_randomBytes_staysInItsBounds() throws IOException {
    Random random = new Random(SEED);
    for (int i = 0; i < 20_000; i++) {
      byte[] noise = randomOf(random, 1 + random.nextInt(60), 256);
      int length = random.nextInt(80);
      try {
        assertThat(decode(noise, length)).hasSize(length);
      } catch (RdbFormatException expected) {
        assertThat(expected).hasMessageContaining("packed");
      }
    }
  }

  private void assertRefused(byte[] packed, long length, String what) {
    assertThatThrownBy(() -> decode(packed, length))
        .as(what)
        .isInstanceOf(RdbFormatException.class);
  }

  private byte[] encode(byte[] original, int limit) {
    Block from = pool.allocate(original.length);
    Block to = pool.allocate(limit);
    OffHeap.copyFrom(original, 0, from.address(), original.length);
    long length = encoder.encode(from.address(), original.length, to.address(), limit);
    byte[] packed = OffHeap.toArray(to.address(), (int) length);
    from.release();
    to.release();
    return packed;
  }

  /** Guard bytes behind the target show a write beyond it. */
  private byte[] decode(byte[] packed, long length) throws IOException {
    int bounded = Math.clamp(length, 0, 100_000);
    Block to = pool.allocate(bounded + 300L);
    try {
      OffHeap.fill(to.address(), to.size(), (byte) 0x55);
      RdbTesting.read(
          pool,
          joined(packed, new byte[300]),
          in -> {
            LzfDecoder.decode(in, packed.length, to.address(), length);
            return in;
          });
      assertThat(OffHeap.toArray(to.address() + bounded, 300)).containsOnly(0x55);
      return OffHeap.toArray(to.address(), bounded);
    } finally {
      to.release();
    }
  }

  private static byte[] randomOf(Random random, int length, int symbols) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt(symbols);
    }
    return bytes;
  }
}
