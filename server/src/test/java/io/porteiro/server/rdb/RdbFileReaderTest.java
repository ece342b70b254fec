package io.porteiro.server.rdb;

import static io.porteiro.server.rdb.RdbTesting.ascii;
import static io.porteiro.server.rdb.RdbTesting.assertUsed;
import static io.porteiro.server.rdb.RdbTesting.bytes;
import static io.porteiro.server.rdb.RdbTesting.joined;
import static io.porteiro.server.rdb.RdbTesting.withRightChecksum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryPool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RdbFileReaderTest {
  private static final long SEED = 0xf11e_0001L;
  private static final byte[] NO_CHECKSUM = new byte[8];

  private final MemoryPool pool = new MemoryPool(1 << 26);

  @TempDir Path directory;

  @AfterEach
  void close() {
    pool.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rdb-r70/plain",
        "rdb-r70/nocompress",
        "rdb-r70/nochecksum",
        "rdb-r70/nocompress-nochecksum"
      })
  void read_redisFile_findsEveryKey(String name) throws IOException {
    RecordingVisitor found = read(Golden.bytes(name + ".rdb"));
    assertThat(found.entries)
        .containsEntry("0:str", "hello world")
        .containsEntry("0:empty", "")
        .containsEntry("0:int8", "-7")
        .containsEntry("0:int16", "12345")
        .containsEntry("0:int32", "-2000000000")
        .containsEntry("0:int64", "9223372036854775807")
        .containsEntry("0:\0\u00ff\r\n", "odd key")
        .containsEntry("0:", "empty key")
        .containsEntry("1:other", "db one")
        .containsEntry("9:n", "2")
        .containsEntry("15:last", "db fifteen");
    assertThat(found.entries.get("0:lzf")).hasSize(18000);
    assertThat(found.entries.get("0:hll:5000")).hasSize(12304);
    assertThat(found.foreign).isEmpty();
  }

  @Test
  void read_expiries_belongToTheirKeysOnly() throws IOException {
    RecordingVisitor found = read(Golden.bytes("rdb-r70/plain.rdb"));
    assertThat(found.expiries)
        .containsEntry("0:ttl", 4102444800001L)
        .containsEntry("0:hll:ttl", 4102444800002L)
        .containsEntry("9:n", 4102444800003L)
        .containsEntry("0:str", RdbVisitor.NO_EXPIRY)
        .containsKeys("0:gone", "0:gone:hll");
    assertThat(found.expiries.get("0:gone")).isBetween(0L, 1_900_000_000_000L);
  }

  /** Packed and plain forms of the same data: a wrong byte in unpacking shows. */
  @Test
  void read_packedAndPlainFile_holdTheSame() throws IOException {
    RecordingVisitor packed = read(Golden.bytes("rdb-r70/plain.rdb"));
    RecordingVisitor plain = read(Golden.bytes("rdb-r70/nocompress.rdb"));
    packed.entries.keySet().removeIf(key -> key.startsWith("0:gone"));
    plain.entries.keySet().removeIf(key -> key.startsWith("0:gone"));
    assertThat(packed.entries).isEqualTo(plain.entries);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rdb-r79/bloom", "rdb-r79/bloom-nochecksum"})
  void read_filters_haveTheirSizes(String name) throws IOException {
    assertThat(read(Golden.bytes(name + ".rdb")).entries)
        .containsEntry("0:bf:empty", "bloom 0/100, 1 links, 144 bytes")
        .containsEntry("0:bf:grown", "bloom 138/150, 4 links, 280 bytes")
        .containsEntry("0:bf:exp10", "bloom 491/2220, 3 links, 3424 bytes")
        .containsEntry("0:bf:fixed", "bloom 50/50, 1 links, 96 bytes")
        .containsEntry("0:bf:big", "bloom 15000/20000, 1 links, 39552 bytes")
        .containsEntry("1:bf:db1", "bloom 1/100, 1 links, 144 bytes");
  }

  @ParameterizedTest
  @CsvSource({"rdb-r70/lru", "rdb-r70/lfu", "rdb-r70/function", "rdb-r79/bloom-lfu"})
  void read_hintsAndLibraries_arePassedOver(String name) throws IOException {
    RecordingVisitor found = read(Golden.bytes(name + ".rdb"));
    assertThat(found.entries).isNotEmpty();
    assertThat(found.foreign).isEmpty();
  }

  @Test
  void read_emptyFile_hasOnlyRemarks() throws IOException {
    RecordingVisitor found = read(Golden.bytes("rdb-r70/empty.rdb"));
    assertThat(found.entries).isEmpty();
    assertThat(found.auxiliary).containsEntry("redis-ver", "7.0.15").containsKey("ctime");
  }

  @Test
  void read_foreignTypes_areNamedAndTheKeysAroundThemRead() throws IOException {
    RecordingVisitor found = read(Golden.bytes("rdb-r79/other-types.rdb"));
    assertThat(found.foreign)
        .isEqualTo(
            Map.ofEntries(
                Map.entry("0:list", "list"),
                Map.entry("0:hash", "hash"),
                Map.entry("0:set", "set"),
                Map.entry("0:intset", "set"),
                Map.entry("0:zset", "zset"),
                Map.entry("0:stream", "stream"),
                Map.entry("0:cms", "CMSk-TYPE"),
                Map.entry("0:topk", "TopK-TYPE"),
                Map.entry("0:tdigest", "TDIS-TYPE"),
                Map.entry("0:cuckoo", "MBbloomCF"),
                Map.entry("0:hashttl", "hash"),
                Map.entry("0:biglist", "list"),
                Map.entry("0:bighash", "hash"),
                Map.entry("0:bigzset", "zset")));
    assertThat(found.entries)
        .hasSize(5)
        .containsEntry("0:a", "1")
        .containsEntry("0:zz-after-all", "still readable")
        .containsEntry("0:bloom", "bloom 2/100, 1 links, 144 bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "bad-magic, not an RDB file",
    "bloom-wrong-hashes, contradictory Bloom filter",
    "cut-before-checksum, unexpected end",
    "cut-before-eof, unexpected end",
    "cut-in-aux, unexpected end",
    "cut-in-bloom, unexpected end",
    "cut-in-checksum, unexpected end",
    "cut-in-hll, unexpected end",
    "cut-in-key, unexpected end",
    "empty-file, unexpected end",
    "flip-bloom-bits, wrong checksum",
    "flip-checksum, wrong checksum",
    "flip-type-byte, value type 99",
    "flip-value, wrong checksum",
    "magic-only, unexpected end",
    "version-future, cannot read RDB version 0099",
    "version-zero, cannot read RDB version 0000"
  })
  void read_brokenFile_isRefused(String name, String reason) {
    assertThatThrownBy(() -> read(Golden.bytes("rdb-broken/" + name + ".rdb")))
        .isInstanceOf(RdbFormatException.class)
        .hasMessageContaining(reason)
        .hasMessageStartingWith("offset ");
    assertUsed(pool, 0, name);
  }

  @Test
  void read_brokenValue_namesOffsetKeyAndDatabase() {
    assertThatThrownBy(() -> read(Golden.bytes("rdb-broken/bloom-wrong-hashes.rdb")))
        .hasMessageMatching("offset \\d+, key \"b\" in database 0: contradictory .*");
    assertThatThrownBy(() -> read(Golden.bytes("rdb-broken/flip-type-byte.rdb")))
        .hasMessageMatching("offset \\d+, key \"\\w\" in database 0: .*99");
  }

  @Test
  void read_soundFiles_loads() throws IOException {
    for (String name :
        new String[] {"good", "trailing-garbage", "flip-bloom-bits-right-checksum"}) {
      assertThat(read(Golden.bytes("rdb-broken/" + name + ".rdb")).entries)
          .as(name)
          .hasSize(4)
          .containsEntry("0:a", "first")
          .containsEntry("0:z", "last");
    }
  }

  @Test
  void read_unknownModule_isForeign() throws IOException {
    assertThat(read(Golden.bytes("rdb-broken/module-unknown.rdb")).foreign)
        .containsValue("VVVVVVVVV");
  }

  @Test
  void read_keyTwice_isRefused() {
    byte[] twice = items(bytes(0, 1, 'k', 1, 'v', 0, 1, 'k', 1, 'w'));
    assertThatThrownBy(() -> read(twice))
        .hasMessageContaining("twice")
        .hasMessageContaining("\"k\"");
  }

  /** The same name in another database is another key. */
  @Test
  void read_keyInTwoDatabases_isTwoKeys() throws IOException {
    byte[] both = items(bytes(0, 1, 'k', 1, 'v', 0xfe, 3, 0, 1, 'k', 1, 'w'));
    assertThat(read(both).entries).containsEntry("0:k", "v").containsEntry("3:k", "w");
  }

  @Test
  void read_databaseBeyondTheConfigured_isRefused() throws IOException {
    assertThat(read(items(bytes(0xfe, 15))).entries).isEmpty();
    assertThatThrownBy(() -> read(items(bytes(0xfe, 16)))).hasMessageContaining("database 16");
    assertThatThrownBy(() -> read(items(bytes(0xfe, 0x81, 0xff, 0, 0, 0, 0, 0, 0, 0))))
        .hasMessageContaining("database 18374686479671623680");
  }

  @Test
  void read_expiryBeforeOtherItems_isOfTheNextKey() throws IOException {
    byte[] between =
        items(
            bytes(0xfd, 1, 0, 0, 0), // one second after 1970
            bytes(0xfa, 1, 'n', 1, 'v', 0xfe, 2, 0xfb, 0x81, 0, 0, 0, 0, 0, 0, 0, 9, 0),
            bytes(0xf8, 5, 0xf9, 200, 0, 1, 'k', 1, 'v', 0, 1, 'l', 1, 'v'));
    assertThat(read(between).expiries)
        .containsEntry("2:k", 1000L)
        .containsEntry("2:l", RdbVisitor.NO_EXPIRY);
  }

  @Test
  void read_expiryOfMinusOne_isNone() throws IOException {
    byte[] none =
        items(
            bytes(0xfd, 0xff, 0xff, 0xff, 0xff, 0, 1, 'k', 1, 'v'),
            bytes(0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 1, 'l', 1, 'v'));
    assertThat(read(none).expiries.values()).containsOnly(RdbVisitor.NO_EXPIRY);
  }

  /** 88 MB from one megabyte; a remark is not worth that. */
  @Test
  void read_overlongRemark_isPassedOver() throws IOException {
    byte[] remark = new byte[2000];
    byte[] file =
        items(bytes(0xfa, 1, 'n', 0x47, 0xd0), remark, bytes(0xfa, 1, 'm', 1, 'v', 0, 1, 'k', 0));
    RecordingVisitor found = read(file);
    assertThat(found.auxiliary).containsExactly(Map.entry("m", "v"));
    assertThat(found.entries).containsExactly(Map.entry("0:k", ""));
  }

  @Test
  void read_moduleAuxiliaryAndSlotInfo_arePassedOver() throws IOException {
    byte[] module = bytes(0xf7, 0x81, 1, 2, 3, 4, 5, 6, 7, 8, 2, 1, 1, 5, 2, 63, 5, 2, 'h', 'i');
    byte[] floats = bytes(3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    byte[] slots = bytes(0xf4, 1, 0x40, 70, 3, 0, 1, 'k', 1, 'v');
    assertThat(read(items(joined(module, floats), slots)).entries).containsEntry("0:k", "v");
  }

  @Test
  void read_olderForeignTypes_areSkipped() throws IOException {
    assertForeign("set", bytes(2, 1, 'k', 2, 1, 'a', 1, 'b'));
    assertForeign(
        "zset",
        bytes(3, 1, 'k', 4, 1, 'a', 3, '1', '.', '5', 1, 'b', 253, 1, 'c', 254, 1, 'd', 255));
    assertForeign("hash", bytes(4, 1, 'k', 1, 1, 'a', 1, 'b'));
    assertForeign("zset", bytes(5, 1, 'k', 1, 1, 'a', 0, 0, 0, 0, 0, 0, 0, 0));
    assertForeign("hash", bytes(9, 1, 'k', 1, 'a'));
    assertForeign("list", bytes(10, 1, 'k', 1, 'a'));
    assertForeign("list", bytes(14, 1, 'k', 2, 1, 'a', 0xc0, 7));
    assertForeign("hash", bytes(25, 1, 'k', 0, 0, 0, 0, 0, 0, 0, 0, 1, 'a'));
  }

  /** One node, three lengths, one group with one pending entry and one consumer. */
  @Test
  void read_streams_areSkipped() throws IOException {
    byte[] entry = new byte[24];
    byte[] id = new byte[16];
    byte[] node = bytes(1, 'k', 1, 1, 'i', 1, 'p', 1, 1, 1);
    byte[] first =
        joined(
            bytes(15),
            node,
            bytes(1, 1, 'g', 0, 0, 1),
            entry,
            bytes(1, 1, 1, 'c'),
            new byte[8],
            bytes(1),
            id);
    byte[] second =
        joined(
            bytes(19),
            node,
            bytes(0, 0, 0, 0, 0, 1, 1, 'g', 0, 0, 0, 1),
            entry,
            bytes(1, 1, 1, 'c'),
            new byte[8],
            bytes(1),
            id);
    byte[] third =
        joined(
            bytes(21),
            node,
            bytes(0, 0, 0, 0, 0, 1, 1, 'g', 0, 0, 0, 1),
            entry,
            bytes(1, 1, 1, 'c'),
            new byte[16],
            bytes(1),
            id);
    assertForeign("stream", first);
    assertForeign("stream", second);
    assertForeign("stream", third);
  }

  private void assertForeign(String typeName, byte[] item) throws IOException {
    RecordingVisitor found = read(items(item, bytes(0, 1, 'z', 1, 'v')));
    assertThat(found.foreign).containsExactly(Map.entry("0:k", typeName));
    assertThat(found.entries).containsExactly(Map.entry("0:z", "v"));
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 8, 22, 23, 26, 27, 200, 0xf3, 0xf6})
  void read_unreadableItem_isRefused(int code) {
    assertThatThrownBy(() -> read(items(bytes(code, 1, 'k', 1, 'v'))))
        .isInstanceOf(RdbFormatException.class)
        .hasMessageContaining("unknown or unreadable");
  }

  @Test
  void read_versionsBeforeChecksums_endWithoutOne() throws IOException {
    byte[] item = bytes(0, 1, 'k', 1, 'v', 0xff);
    assertThat(read(joined(ascii("REDIS0001"), item)).entries).hasSize(1);
    assertThat(read(joined(ascii("REDIS0004"), item)).entries).hasSize(1);
    assertThatThrownBy(() -> read(joined(ascii("REDIS0005"), item)))
        .hasMessageContaining("unexpected end");
    assertThat(read(joined(ascii("REDIS0013"), item, NO_CHECKSUM)).entries).hasSize(1);
    assertThatThrownBy(() -> read(joined(ascii("REDIS0014"), item, NO_CHECKSUM)))
        .hasMessageContaining("version 0014");
  }

  @Test
  void read_valuesBeyondMemory_isRefusedWithTheKey() {
    byte[] large = items(bytes(0, 1, 'k', 0x40, 200), new byte[200]);
    try (MemoryPool windowAndSome = new MemoryPool(large.length + 100)) {
      assertThatThrownBy(
              () -> RdbTesting.readFile(windowAndSome, directory, large, new RecordingVisitor(16)))
          .isInstanceOf(RdbFormatException.class)
          .hasMessageContaining("key \"k\"")
          .hasMessageContaining("memory");
    }
  }

  @Test
  void read_cutAnywhere_isRefusedAndLeaksNothing() {
    byte[] good = Golden.bytes("rdb-broken/good.rdb");
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThatThrownBy(() -> read(cut))
          .as("cut at %d", length)
          .isInstanceOf(RdbFormatException.class);
      assertUsed(pool, 0, "cut at " + length);
    }
  }

  /** Some changes are harmless; none may crash, take more than the pool has, or leak. */
  @ParameterizedTest
  @CsvSource({"rdb-broken/good, 1000", "rdb-r79/other-types, 1000", "rdb-r70/function, 1000"})
  void read_flippedBitsWithRightChecksum_isBoundedAndLeaksNothing(String name, int rounds)
      throws IOException {
    byte[] good = Golden.bytes(name + ".rdb");
    Random random = new Random(SEED);
    for (int i = 0; i < rounds; i++) {
      byte[] bad = good.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bad[random.nextInt(bad.length - 8)] ^= (byte) (1 << random.nextInt(8));
      }
      String round = "seed %x, round %d".formatted(SEED, i);
      try {
        read(withRightChecksum(bad));
      } catch (RdbFormatException expected) {
        assertThat(expected).as(round).hasMessageStartingWith("offset ");
      }
      assertUsed(pool, 0, round);
    }
  }

  /**
   * Every bit (each third is tried) is covered by the checksum or by a check of its own; but for
   * the version, since files of the oldest ones have no checksum.
   */
  @Test
  void read_oneFlippedBit_isRefused() {
    byte[] good = Golden.bytes("rdb-broken/good.rdb");
    for (int bit = 8 * "REDIS0012".length(); bit < 8 * good.length; bit += 3) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThatThrownBy(() -> read(bad)).as("bit %d", bit).isInstanceOf(RdbFormatException.class);
    }
  }

  private static byte[] items(byte[]... items) {
    return joined(ascii("REDIS0009"), joined(items), bytes(0xff), NO_CHECKSUM);
  }

  private RecordingVisitor read(byte[] file) throws IOException {
    RecordingVisitor visitor = new RecordingVisitor(16);
    RdbTesting.readFile(pool, directory, file, visitor);
    return visitor;
  }
}
