package io.porteiro.server.command.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.CommandFamilyTest;
import io.porteiro.server.command.CommandHarness;
import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.command.string.StringCommands;
import io.porteiro.server.config.ConfigException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BloomCommandsTest extends CommandFamilyTest {
  /** Empty, capacity 10, 32-bit hashes, 128 bits; loaded with BF.LOADCHUNK. */
  private static final byte[] OLD_HEADER =
      HexFormat.of()
          .parseHex(
              "000000000000000001000000000000000200000010000000000000008000000000000000"
                  + "00000000000000007b14ae47e17a743fb974b9ca8d0e2640080000000a00000000000000"
                  + "07");

  BloomCommandsTest() {
    super(BloomCommands.commands(), StringCommands.commands());
  }

  // ---- BF.RESERVE

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BF.RESERVE k 0.01 100 A B C D | -ERR wrong number of arguments for 'bf.reserve' command",
        "BF.RESERVE k abc abc EXPANSION abc | -ERR bad error rate",
        "BF.RESERVE k nan 100 | -ERR bad error rate",
        "BF.RESERVE k inf 100 | -ERR error rate must be in the range (0.000000, 1.000000)",
        "BF.RESERVE k 1 abc | -ERR error rate must be in the range (0.000000, 1.000000)",
        "BF.RESERVE k 0.1 abc EXPANSION abc | -ERR bad capacity",
        "BF.RESERVE k 0.1 010 | -ERR bad capacity",
        "BF.RESERVE k 0.1 0 EXPANSION abc | -ERR capacity must be in the range [1, 1073741824]",
        "BF.RESERVE k 0.1 9 EXPANSION | -ERR no expansion",
        "BF.RESERVE k 0.1 9 EXPANSION abc | -ERR bad expansion",
        "BF.RESERVE k 0.1 9 EXPANSION 32769 | -ERR expansion must be in the range [0, 32768]",
        "BF.RESERVE k 0.1 9 NONSCALING EXPANSION 1 | -Nonscaling filters cannot expand",
        "BF.RESERVE k 4.9e-324 9 | -ERR could not create filter",
      })
  void reserve_badArguments_isRefusedInTheModulesWordsAndOrder(String command, String error) {
    assertThat(call(command)).isEqualTo(error);
    assertThat(call("BF.CARD k")).isEqualTo(":0");
    assertThat(server.effects()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BF.RESERVE k 0.01 100 | 0: BF.RESERVE k 0.01 100 EXPANSION 2",
        "BF.RESERVE k 1e-3 100 expansion 4 | 0: BF.RESERVE k 0.001 100 EXPANSION 4",
        "BF.RESERVE k .01 9 NONSCALING | 0: BF.RESERVE k 0.01 9 NONSCALING",
        "BF.RESERVE k .01 9 EXPANSION 0 | 0: BF.RESERVE k 0.01 9 NONSCALING EXPANSION 0",
        "BF.RESERVE k .01 9 EXPANSION 3 EXPANSION | 0: BF.RESERVE k 0.01 9 EXPANSION 3",
        "BF.RESERVE NONSCALING .01 9 FOO | 0: BF.RESERVE NONSCALING 0.01 9 EXPANSION 2",
      })
  void reserve_newKey_isWrittenWithEverythingSaid(String command, String effect) {
    assertThat(call(command)).isEqualTo("+OK");
    assertThat(server.effects()).containsExactly(effect);
  }

  @Test
  void reserve_keyIsThere_isRefusedAndNoChange() {
    call("BF.RESERVE k 0.01 100");
    server.effects();
    long changes = server.keyspace().changes();

    assertThat(call("BF.RESERVE k 0.01 100")).isEqualTo("-ERR item exists");
    assertThat(server.effects()).isEmpty();
    assertThat(server.keyspace().changes()).isEqualTo(changes);
  }

  @Test
  void reserve_noMemory_isRefusedAndTakesNone() {
    long used = server.pool().usedBytes();
    server.pool().setLimitBytes(used + (1 << 20));

    assertThat(call("BF.RESERVE k 1e-300 1073741824"))
        .isEqualTo("-ERR Insufficient memory to create filter");
    assertThat(server.pool().usedBytes()).isEqualTo(used);
  }

  @Test
  void reserve_expansionFactor0_isNonScalingAndRefusesToExpand() throws ConfigException {
    server.configure("bf-expansion-factor", "0");

    assertThat(call("BF.RESERVE k 0.01 100")).isEqualTo("+OK");
    assertThat(call("BF.INFO k EXPANSION")).isEqualTo("[nil]");
    assertThat(call("BF.RESERVE k2 0.01 100 EXPANSION 2"))
        .isEqualTo("-Nonscaling filters cannot expand");
  }

  @Test
  void reserve_largerMaxCapacity_isAllowedAndNamed() throws ConfigException {
    server.configure("bf-max-capacity", "2000000000");

    assertThat(call("BF.RESERVE k 0.5 2000000000")).isEqualTo("+OK");
    assertThat(call("BF.RESERVE k2 0.5 2000000001"))
        .isEqualTo("-ERR capacity must be in the range [1, 2000000000]");
  }

  // ---- BF.ADD, BF.MADD

  @Test
  void add_missingKey_createsAFilterWithTheDefaults() {
    assertThat(call("BF.ADD k a")).isEqualTo(":1");
    assertThat(server.effects())
        .containsExactly("0: BF.INSERT k CAPACITY 100 ERROR 0.01 EXPANSION 2 ITEMS a");
    assertThat(call("BF.INFO k CAPACITY")).isEqualTo("[:100]");
  }

  @Test
  void add_newItem_isWrittenAsItCame() {
    call("BF.ADD k a");
    server.effects();

    assertThat(call("BF.ADD k b")).isEqualTo(":1");
    assertThat(server.effects()).containsExactly("0: bf.add k b");
  }

  @Test
  void add_itemThatIsThere_isNoChange() {
    call("BF.ADD k a");
    server.effects();
    long changes = server.keyspace().changes();

    assertThat(call("BF.ADD k a")).isEqualTo(":0");
    assertThat(call("BF.MADD k a a")).isEqualTo("[:0 :0]");
    assertThat(server.effects()).isEmpty();
    assertThat(server.keyspace().changes()).isEqualTo(changes);
  }

  @Test
  void add_fullFilter_isRefusedAndNoChange() {
    call("BF.RESERVE k 0.01 1 NONSCALING");
    call("BF.ADD k a");
    server.effects();

    assertThat(call("BF.ADD k b")).isEqualTo("-ERR non scaling filter is full");
    assertThat(call("BF.ADD k a")).isEqualTo(":0");
    assertThat(server.effects()).isEmpty();
  }

  @Test
  void madd_someAreThere_writesTheNewOnes() {
    call("BF.MADD k a b");
    server.effects();

    assertThat(call("BF.MADD k a c b d")).isEqualTo("[:0 :1 :0 :1]");
    assertThat(server.effects()).containsExactly("0: BF.MADD k c d");
  }

  @Test
  void madd_filterFillsInTheMiddle_endsWithTheErrorAndWritesWhatWasAdded() {
    call("BF.RESERVE k 0.01 3 NONSCALING");
    server.effects();

    assertThat(call("BF.MADD k a b c d e")).isEqualTo("[:1 :1 :1 -ERR non scaling filter is full]");
    assertThat(server.effects()).containsExactly("0: BF.MADD k a b c");
  }

  @Test
  void madd_linkCannotBeMade_endsWithTheErrorAndKeepsTheRest() {
    call("BF.RESERVE k 0.01 3");
    server.pool().setLimitBytes(server.pool().usedBytes());

    assertThat(call("BF.MADD k a b c d"))
        .isEqualTo("[:1 :1 :1 -ERR problem inserting into filter]");
    assertThat(call("BF.ADD k d")).isEqualTo("-ERR problem inserting into filter");
    assertThat(call("BF.CARD k")).isEqualTo(":3");
  }

  /** Batches are looked at in groups of 64. */
  @ParameterizedTest
  @CsvSource({"63", "64", "65", "128", "129", "1000"})
  void madd_moreItemsThanAGroup_answersEach(int count) {
    Object[] words = new Object[count + 2];
    words[0] = "BF.MADD";
    words[1] = "k";
    for (int i = 0; i < count; i++) {
      words[i + 2] = "i:" + i / 2;
    }
    call("BF.RESERVE k 1e-9 1000");
    String expected = "[" + String.join(" ", Collections.nCopies(count / 2, ":1 :0"));
    assertThat(client.call(words)).isEqualTo(expected + (count % 2 == 0 ? "]" : " :1]"));
    words[0] = "BF.MEXISTS";
    assertThat(client.call(words))
        .isEqualTo("[" + String.join(" ", Collections.nCopies(count, ":1")) + "]");
  }

  /** In a run, too: what one command notes about its items must not be another's hashes. */
  @ParameterizedTest
  @CsvSource({"65", "200"})
  void madd_moreItemsThanAGroupOfWhichSomeAreThere_writesTheNewOnes(int count) {
    call("BF.RESERVE k 1e-9 1000");
    StringBuilder odd = new StringBuilder("BF.MADD k");
    StringBuilder all = new StringBuilder("BF.MADD k");
    StringBuilder even = new StringBuilder("0: BF.MADD k");
    for (int i = 0; i < count; i++) {
      all.append(" i:").append(i);
      (i % 2 == 1 ? odd : even).append(" i:").append(i);
    }
    call(odd.toString());
    server.effects();

    client.batch(all.toString(), "BF.ADD k x", all.toString(), "BF.ADD k x", "BF.ADD k y");
    assertThat(server.effects()).containsExactly(even + "; 0: bf.add k x; 0: bf.add k y");
    String allThere = "[" + String.join(" ", Collections.nCopies(count, ":1")) + "]";
    assertThat(call(all.toString().replace("MADD", "MEXISTS"))).isEqualTo(allThere);
  }

  @Test
  void add_pipelinedWithLookUps_answersInOrder() {
    assertThat(
            client.batch(
                "BF.EXISTS k a",
                "BF.ADD k a",
                "BF.EXISTS k a",
                "BF.ADD k a",
                "BF.MADD k a b",
                "BF.MEXISTS k a b c",
                "BF.EXISTS k c",
                "BF.ADD k",
                "BF.ADD k c"))
        .containsExactly(
            ":0",
            ":1",
            ":1",
            ":0",
            "[:0 :1]",
            "[:1 :1 :0]",
            ":0",
            "-ERR wrong number of arguments for 'bf.add' command",
            ":1");
  }

  @Test
  void add_32BitChain_hashesAgain() {
    client.call("BF.LOADCHUNK", "k", "1", OLD_HEADER);

    assertThat(call("BF.MADD k a b")).isEqualTo("[:1 :1]");
    assertThat(client.call("BF.ADD", "k", "hello")).isEqualTo(":1");
    assertThat(client.call("BF.INSERT", "k", "ITEMS", "")).isEqualTo("[:1]");
    assertThat(call("BF.MEXISTS k a b hello c")).isEqualTo("[:1 :1 :1 :0]");
    assertThat(call("BF.EXISTS k hello")).isEqualTo(":1");
    assertThat(call("BF.ADD k hello")).isEqualTo(":0");
    assertThat(call("BF.SCANDUMP k 1"))
        .isEqualTo("[:17 \"\\x09\\x0c\\x80A\\x04@\\x11 0\\x18\\x02\\x02\\x91E2\\x91\"]");
  }

  // ---- BF.INSERT

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BF.INSERT k a b | -Unknown argument received",
        "BF.INSERT k CAP 100 ITEMS a | -Unknown argument received",
        "BF.INSERT k I a | -Unknown argument received",
        "BF.INSERT k CAPACITY 100 ITEMS | -ERR wrong number of arguments for 'bf.insert' command",
        "BF.INSERT k NOCREATE CAPACITY | -ERR wrong number of arguments for 'bf.insert' command",
        "BF.INSERT k CAPACITY 100 | -ERR wrong number of arguments for 'bf.insert' command",
        "BF.INSERT k CAPACITY ITEMS a | -Bad capacity",
        "BF.INSERT k CAPACITY 1073741825 ITEMS a | -Bad capacity",
        "BF.INSERT k ERROR nan ITEMS a | -Bad error rate",
        "BF.INSERT k ERROR 1 ITEMS a | -Bad error rate",
        "BF.INSERT k EXPANSION -1 ITEMS a | -Bad expansion",
        "BF.INSERT k EXPANSION 32769 ITEMS a | -Bad expansion",
        "BF.INSERT k NOCREATE CAPACITY 5 ITEMS a | -ERR not found",
      })
  void insert_badArguments_isRefusedInTheModulesWords(String command, String error) {
    assertThat(call(command)).isEqualTo(error);
    assertThat(call("BF.CARD k")).isEqualTo(":0");
    assertThat(server.effects()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BF.INSERT k ITEMS a | CAPACITY 100 ERROR 0.01 EXPANSION 2 ITEMS a",
        "bf.insert k capacity 9 capacity 5 error .1 items a a | CAPACITY 5 ERROR 0.1 EXPANSION 2"
            + " ITEMS a",
        "BF.INSERT k NONSCALING EXPANSION 7 ITEMS a | CAPACITY 100 ERROR 0.01 EXPANSION 7"
            + " NONSCALING ITEMS a",
        "BF.INSERT k EXPANSION 0 ITEMS a | CAPACITY 100 ERROR 0.01 EXPANSION 0 NONSCALING ITEMS a",
      })
  void insert_missingKey_isWrittenWithEverythingSaid(String command, String effect) {
    assertThat(call(command)).startsWith("[:1");
    assertThat(server.effects()).containsExactly("0: BF.INSERT k " + effect);
  }

  @Test
  void insert_keyIsThere_doesNotLookAtTheParameters() {
    call("BF.RESERVE k 0.01 100");
    server.effects();

    assertThat(call("BF.INSERT k CAPACITY 5000 NONSCALING ITEMS a b")).isEqualTo("[:1 :1]");
    assertThat(call("BF.INFO k CAPACITY")).isEqualTo("[:100]");
    assertThat(call("BF.INSERT k NOCREATE ITEMS a")).isEqualTo("[:0]");
  }

  /** What the journal says must make the same filter, to the bit. */
  @Test
  void effects_replayed_makeTheSameFilters() {
    call("BF.INSERT a CAPACITY 3 ERROR 0.9 EXPANSION 4 ITEMS 1 2 3 1 4 5 6 7 8");
    call("BF.ADD b x");
    call("BF.RESERVE c 1e-5 2 NONSCALING");
    call("BF.MADD c 1 2 3 4");
    List<String> effects = server.effects();
    List<String> keys = List.of("a", "b", "c");
    List<String> dumps = keys.stream().map(this::dump).toList();

    try (CommandHarness other = CommandHarness.of(BloomCommands.commands())) {
      other.configure("bf-error-rate", "0.2");
      other.configure("bf-expansion-factor", "5");
      HarnessClient replay = other.client();
      for (String effect : effects) {
        replay.batch(effect.substring("0: ".length()));
      }
      assertThat(keys.stream().map(key -> dump(replay, key)).toList()).isEqualTo(dumps);
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  private String dump(String key) {
    return dump(client, key);
  }

  private static String dump(HarnessClient from, String key) {
    return from.call("BF.DEBUG", key) + from.call("BF.SCANDUMP", key, "1");
  }

  // ---- look-ups and wrong types

  @Test
  void exists_missingKey_isFalseAndMakesNone() {
    assertThat(call("BF.EXISTS k a")).isEqualTo(":0");
    assertThat(call("BF.MEXISTS k a b")).isEqualTo("[:0 :0]");
    assertThat(call("BF.CARD k")).isEqualTo(":0");
    assertThat(server.keyspace().size(0)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "BF.INFO k",
    "BF.INFO k foo",
    "BF.DEBUG k",
    "BF.SCANDUMP k abc",
    "BF.LOADCHUNK k 2 a"
  })
  void command_missingKey_isNotFound(String command) {
    assertThat(call(command)).isEqualTo("-ERR not found");
  }

  @ParameterizedTest
  @CsvSource({
    "BF.RESERVE s 0.01 100",
    "BF.ADD s a",
    "BF.MADD s a b",
    "BF.INSERT s ITEMS a",
    "BF.INSERT s NOCREATE ITEMS a",
    "BF.INFO s",
    "BF.INFO s foo",
    "BF.CARD s",
    "BF.DEBUG s",
    "BF.SCANDUMP s 0",
    "BF.LOADCHUNK s 1 a"
  })
  void command_keyOfAnotherType_isRefusedAndNoChange(String command) {
    call("SET s v");
    server.effects();

    assertThat(call(command))
        .isEqualTo("-WRONGTYPE Operation against a key holding the wrong kind of value");
    assertThat(call("GET s")).isEqualTo("\"v\"");
    assertThat(server.effects()).isEmpty();
  }

  @Test
  void exists_keyOfAnotherType_isFalse() {
    call("SET s v");

    assertThat(call("BF.EXISTS s v")).isEqualTo(":0");
    assertThat(call("BF.MEXISTS s v w")).isEqualTo("[:0 :0]");
  }

  @Test
  void resp3_lookUpsAndAdds_answerBooleans() {
    client.resp3();

    assertThat(call("BF.ADD k a")).isEqualTo("#t");
    assertThat(call("BF.MADD k a b")).isEqualTo("[#f #t]");
    assertThat(call("BF.EXISTS k c")).isEqualTo("#f");
    assertThat(call("BF.MEXISTS k a c")).isEqualTo("[#t #f]");
    assertThat(call("BF.INFO k ITEMS")).isEqualTo("{+Number of items inserted :2}");
    assertThat(call("BF.CARD k")).isEqualTo(":2");
  }

  @Test
  void info_oneFieldOrAll_hasTheModulesTitles() {
    call("BF.RESERVE k 0.01 100");

    assertThat(call("BF.INFO k"))
        .isEqualTo(
            "[+Capacity :100 +Size :240 +Number of filters :1 +Number of items inserted :0"
                + " +Expansion rate :2]");
    assertThat(call("BF.INFO k size")).isEqualTo("[:240]");
    assertThat(call("BF.INFO k cap")).isEqualTo("-Invalid information value");
    assertThat(call("BF.INFO k SIZE ITEMS"))
        .isEqualTo("-ERR wrong number of arguments for 'bf.info' command");
  }

  @Test
  void debug_grownFilter_describesEachLink() {
    call("BF.RESERVE k 0.05 3");
    call("BF.MADD k a b c d");

    assertThat(call("BF.DEBUG k"))
        .isEqualTo(
            "[\"size:4\""
                + " \"bytes:8 bits:64 hashes:6 hashwidth:64 capacity:3 size:3 ratio:0.025\""
                + " \"bytes:8 bits:64 hashes:7 hashwidth:64 capacity:6 size:1 ratio:0.0125\"]");
  }

  // ---- BF.SCANDUMP, BF.LOADCHUNK

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BF.SCANDUMP k abc | -Second argument must be numeric",
        "BF.SCANDUMP k -1 | [:0 \"\"]",
        "BF.SCANDUMP k 17 | [:0 \"\"]",
        "BF.SCANDUMP k 9223372036854775807 | [:0 \"\"]",
        "BF.LOADCHUNK k abc x | -ERR Second argument must be numeric",
        "BF.LOADCHUNK k 0 abc | -ERR received bad data",
        "BF.LOADCHUNK k 1 abc | -ERR received bad data",
        "BF.LOADCHUNK k 3 abc | -ERR invalid offset - no link found",
        "BF.LOADCHUNK k 18 abc | -ERR invalid chunk - Too big for current filter",
        "BF.LOADCHUNK new 1 abc | -ERR received bad data",
      })
  void dumpAndLoad_iteratorThatLeadsNowhere_isAnsweredInTheModulesWords(
      String command, String reply) {
    call("BF.RESERVE k 0.01 10");
    server.effects();

    assertThat(call(command)).isEqualTo(reply);
    assertThat(server.effects()).isEmpty();
  }

  @Test
  void loadChunk_data_isWrittenAsItCame() {
    call("BF.RESERVE k 0.01 10");
    server.effects();

    assertThat(call("BF.LOADCHUNK k 4 abc")).isEqualTo("+OK");
    assertThat(call("BF.LOADCHUNK k 1 ")).isEqualTo("+OK");
    assertThat(server.effects()).containsExactly("0: bf.loadchunk k 4 abc");
    assertThat(call("BF.SCANDUMP k 1")).startsWith("[:17 \"abc\\x00");
  }

  // ---- events

  @Test
  void events_ofAdds_areOfTheModuleClass() throws Exception {
    server.configure("notify-keyspace-events", "Ed");
    client.batch("BF.ADD k a", "BF.ADD k a", "BF.ADD k b", "BF.MADD k b c", "BF.EXISTS k a");
    assertThat(server.channels().take())
        .containsExactly(
            "__keyevent@0__:bloom.add k",
            "__keyevent@0__:bloom.reserve k",
            "__keyevent@0__:bloom.add k",
            "__keyevent@0__:bloom.add k");
  }

  @Test
  void events_ofNewFilters_areReserve() throws Exception {
    server.configure("notify-keyspace-events", "Kd");
    client.batch("BF.RESERVE k 0.01 100", "BF.RESERVE k 0.01 100", "BF.INSERT j ITEMS a");
    assertThat(server.channels().take())
        .containsExactly(
            "__keyspace@0__:k bloom.reserve",
            "__keyspace@0__:j bloom.add",
            "__keyspace@0__:j bloom.reserve");
  }
}
