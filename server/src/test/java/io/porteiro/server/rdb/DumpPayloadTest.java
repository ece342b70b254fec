package io.porteiro.server.rdb;

import static io.porteiro.server.rdb.RdbTesting.assertUsed;
import static io.porteiro.server.rdb.RdbTesting.withRightChecksum;
import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.HashWidth;
import io.porteiro.server.structure.string.StringValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DumpPayloadTest {
  private static final long SEED = 0xd0_0001L;
  private static final int FOOTER_BYTES = 10;

  private final MemoryPool pool = new MemoryPool(1 << 26);

  @AfterEach
  void close() {
    pool.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bad-bitflip.r70", "bad-crc-zero.r70", "bad-truncated.r70", "bad-version-99.r70",
        "bad-bitflip.r79", "bad-crc-zero.r79", "bad-truncated.r79", "bad-version-99.r79"
      })
  void isIntact_brokenPayload_isFalse(String name) {
    assertThat(isIntact(Golden.bytes("dump/" + name + ".dump"))).isFalse();
  }

  @Test
  void isIntact_tooShort_isFalse() {
    assertThat(isIntact(new byte[0])).isFalse();
    assertThat(isIntact(new byte[9])).isFalse();
  }

  /**
   * The newest version that is read is 13; the value of one from 14 on might mean something else.
   */
  @Test
  void isIntact_newerVersion_isFalse() {
    assertThat(isIntact(withVersion(13))).isTrue();
    assertThat(isIntact(withVersion(14))).isFalse();
    assertThat(isIntact(withVersion(0x8009))).isFalse();
  }

  private static byte[] withVersion(int version) {
    byte[] payload = Golden.bytes("dump/string.r70.dump");
    payload[payload.length - FOOTER_BYTES] = (byte) version;
    payload[payload.length - FOOTER_BYTES + 1] = (byte) (version >>> 8);
    return withRightChecksum(payload);
  }

  /** Bloom payloads are never packed, so that only the version may differ from the module's. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bloom-1.r79",
        "bloom-4.r79",
        "bloom-nonscaling.r79",
        "string.r70",
        "string-int.r79",
        "hll-empty.r70"
      })
  void of_whatWasRead_isWhatTheOtherServerWroteButForTheVersion(String name) {
    byte[] payload = Golden.bytes("dump/" + name + ".dump");
    byte[] again = readAnd(payload, value -> dump(value, true));
    assertThat(again).hasSameSizeAs(payload);
    assertThat(Arrays.copyOf(again, again.length - FOOTER_BYTES))
        .isEqualTo(Arrays.copyOf(payload, payload.length - FOOTER_BYTES));
    assertThat(again[again.length - FOOTER_BYTES]).isEqualTo((byte) 9);
    assertThat(isIntact(again)).isTrue();
    assertUsed(pool, 0, name);
  }

  /** Whoever packs LZF may do it differently; what counts is what comes out. */
  @ParameterizedTest
  @ValueSource(
      strings = {"string-lzf.r79", "hll-sparse.r79", "hll-sparse-cached.r70", "hll-dense.r70"})
  void of_packedString_readsBackTheSame(String name) {
    byte[] payload = Golden.bytes("dump/" + name + ".dump");
    byte[] string = readAnd(payload, value -> ((StringValue) value).toArray());
    byte[] again = readAnd(payload, value -> dump(value, true));
    byte[] stringAgain = readAnd(again, value -> ((StringValue) value).toArray());
    assertThat(stringAgain).isEqualTo(string);
    assertThat(again.length).isLessThanOrEqualTo(payload.length + payload.length / 10);
  }

  @Test
  void of_withoutPacking_holdsTheStringAsItIs() {
    byte[] payload = Golden.bytes("dump/string-lzf.r79.dump");
    byte[] plain = readAnd(payload, value -> dump(value, false));
    byte[] string = readAnd(payload, value -> ((StringValue) value).toArray());
    assertThat(latin(plain)).contains(latin(string));
  }

  @Test
  void read_legacyFilter_keepsItsHashesAndSizes() {
    byte[] payload = Golden.bytes("dump/bloom-legacy-32bit.r79.dump");
    readAnd(
        payload,
        value -> {
          BloomFilter filter = (BloomFilter) value;
          assertThat(filter.hashWidth()).isEqualTo(HashWidth.BITS_32);
          assertThat(filter.link(0).shape().log2()).isPositive();
          return filter;
        });
  }

  @Test
  void of_numbers_takesTheSmallestForm() {
    assertBody(5, 0, 0xc0, 5);
    assertBody(-129, 0, 0xc1, 0x7f, 0xff);
    assertBody(Integer.MIN_VALUE, 0, 0xc2, 0, 0, 0, 0x80);
    assertBody(2147483648L, 0, 10, '2', '1', '4', '7', '4', '8', '3', '6', '4', '8');
  }

  private void assertBody(long number, int... expected) {
    byte[] payload = dump(StringValue.ofNumber(pool, number), true);
    assertThat(Arrays.copyOf(payload, payload.length - FOOTER_BYTES))
        .isEqualTo(RdbTesting.bytes(expected));
  }

  /** As Redis does, and as the recorded cases want it. */
  @Test
  void of_hyperLogLogOfOneElement_isNotPacked() {
    byte[] oneElement =
        RdbTesting.bytes(
            'H', 'Y', 'L', 'L', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x71, 0xa6, 0x84, 0x4e,
            0x57);
    StringValue value = StringValue.copyOf(pool, oneElement);
    byte[] payload = dump(value, true);
    assertThat(Arrays.copyOf(payload, payload.length - FOOTER_BYTES))
        .isEqualTo(RdbTesting.joined(RdbTesting.bytes(0, 21), oneElement));
    value.release();
  }

  /** What is kept as bytes since it was changed is written as a number too, as Redis does. */
  @Test
  void of_changedStringThatIsANumber_isWrittenAsOne() {
    StringValue value = StringValue.zeros(pool, 3);
    OffHeap.copyFrom(RdbTesting.ascii("-42"), 0, value.edit(), 3);
    assertThat(dump(value, true)).startsWith(0, 0xc0, 0xd6);
    value.release();
  }

  @Test
  void read_foreignOrUnknownType_isNull() {
    assertThat(readOrNull("list", 1, 1, 1, 'x')).isNull();
    assertThat(readOrNull("unknown", 99, 3, 'b', 'a', 'r')).isNull();
    assertThat(readOrNull("unknown module", 7, 0, 0)).isNull();
  }

  /** Redis reads on into version and checksum here. */
  @Test
  void read_stringCutShort_isNull() {
    assertThat(readOrNull("too long", 0, 7, 'b', 'a', 'r')).isNull();
    assertThat(readOrNull("nothing", 0, 9)).isNull();
    assertThat(readOrNull("no value", 0)).isNull();
    assertThat(readOrNull("no type")).isNull();
    assertThat(readOrNull("length of 2^63", 0, 0x81, 0x80, 0, 0, 0, 0, 0, 0, 0)).isNull();
  }

  @Test
  void read_bytesBehindTheValue_areLeftAlone() {
    byte[] payload =
        withRightChecksum(
            RdbTesting.bytes(0, 3, 'b', 'a', 'r', 'X', 'Y', 9, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    String string = readAnd(payload, value -> latin(((StringValue) value).toArray()));
    assertThat(string).isEqualTo("bar");
  }

  private @Nullable Value readOrNull(String what, int... body) {
    byte[] payload = withRightChecksum(Arrays.copyOf(RdbTesting.bytes(body), body.length + 10));
    assertThat(isIntact(payload)).as(what).isTrue();
    return readAndMaybe(payload, Function.identity());
  }

  /** Crafted numbers must cost nothing: 2^32 sub-filters once took 21 GB. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bloom-1.r79",
        "bloom-4.r79",
        "bloom-legacy-32bit.r79",
        "hll-sparse.r79",
        "string-lzf.r70"
      })
  void read_flippedBitsWithRightChecksum_isBoundedAndLeaksNothing(String name) {
    byte[] good = Golden.bytes("dump/" + name + ".dump");
    Random random = new Random(SEED);
    for (int i = 0; i < 5_000; i++) {
      byte[] bad = good.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bad[random.nextInt(bad.length - FOOTER_BYTES)] ^= (byte) (1 << random.nextInt(8));
      }
      readAndMaybe(withRightChecksum(bad), Function.identity());
      assertUsed(pool, 0, "seed %x, round %d of %s".formatted(SEED, i, name));
    }
  }

  @Test
  void read_cutAnywhereWithRightChecksum_isNull() {
    byte[] good = Golden.bytes("dump/bloom-4.r79.dump");
    for (int body = 0; body < good.length - FOOTER_BYTES; body++) {
      byte[] cut = Arrays.copyOf(good, body + FOOTER_BYTES);
      cut[body] = 9;
      cut[body + 1] = 0;
      Value value = readAndMaybe(withRightChecksum(cut), Function.identity());
      assertThat(value).as("cut at %d", body).isNull();
      assertUsed(pool, 0, "cut at " + body);
    }
  }

  private boolean isIntact(byte[] payload) {
    Block block = pool.allocate(payload.length);
    OffHeap.copyFrom(payload, 0, block.address(), payload.length);
    boolean intact = DumpPayload.isIntact(block.address(), payload.length);
    block.release();
    return intact;
  }

  private <T> T readAnd(byte[] payload, Function<Value, T> use) {
    return Objects.requireNonNull(readAndMaybe(payload, use), "does not decode");
  }

  /** What the function makes of the value; null if there is none or too large a one. */
  private <T> @Nullable T readAndMaybe(byte[] payload, Function<Value, T> use) {
    Block block = pool.allocate(payload.length);
    OffHeap.copyFrom(payload, 0, block.address(), payload.length);
    try {
      Value value = DumpPayload.read(block.address(), payload.length, pool);
      if (value == null) {
        return null;
      }
      try {
        return use.apply(value);
      } finally {
        value.release();
      }
    } catch (MemoryLimitException _) {
      return null;
    } finally {
      block.release();
    }
  }

  private byte[] dump(Value value, boolean compress) {
    try (DumpPayload payload = DumpPayload.of(value, pool, compress)) {
      return OffHeap.toArray(payload.address(), (int) payload.length());
    }
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
