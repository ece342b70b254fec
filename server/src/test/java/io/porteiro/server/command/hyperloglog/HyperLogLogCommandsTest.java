package io.porteiro.server.command.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.CommandFamilyTest;
import io.porteiro.server.command.bloom.BloomCommands;
import io.porteiro.server.command.keyspace.KeyspaceCommands;
import io.porteiro.server.command.string.StringCommands;
import io.porteiro.server.command.transaction.TransactionCommands;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HyperLogLogCommandsTest extends CommandFamilyTest {
  private static final String NOT_VALID = "-WRONGTYPE Key is not a valid HyperLogLog string value.";
  private static final String CORRUPT = "-INVALIDOBJ Corrupted HLL object detected";

  HyperLogLogCommandsTest() {
    super(
        HyperLogLogCommands.commands(),
        StringCommands.commands(),
        BloomCommands.commands(),
        KeyspaceCommands.commands(),
        TransactionCommands.commands());
  }

  private void addMany(String key, String prefix, int count) {
    StringBuilder line = new StringBuilder("PFADD ").append(key);
    for (int i = 0; i < count; i++) {
      line.append(' ').append(prefix).append(i);
    }
    call(line.toString());
  }

  private void setSparse(String key, String opcodes) {
    byte[] bytes = HexFormat.of().parseHex("48594c4c010000000000000000000080" + opcodes);
    client.call("SET", key, bytes);
  }

  @Test
  void pfAdd_answersWhetherSomethingChanged() {
    assertThat(call("PFADD k")).isEqualTo(":1");
    assertThat(call("PFADD k")).isEqualTo(":0");
    assertThat(call("PFADD k a b")).isEqualTo(":1");
    assertThat(call("PFADD k b a")).isEqualTo(":0");
    assertThat(server.effects()).containsExactly("0: pfadd k", "0: pfadd k a b");
  }

  @Test
  void pfAdd_inARunOfKnownAndNewElements_answersInOrder() {
    assertThat(client.batch("PFADD k a", "PFADD k a", "PFCOUNT k", "PFADD k b", "PFCOUNT k"))
        .containsExactly(":1", ":0", ":1", ":1", ":2");
  }

  @Test
  void pfAdd_bytesOfThreeElements_areRedisBytes() {
    call("PFADD k foo bar zap");
    byte[] expected =
        HexFormat.of().parseHex("48594c4c010000000000000000000080" + "5cb390420784485880" + "58e7");
    assertThat(client.call("SET", "copy", expected)).isEqualTo("+OK");
    assertThat(call("GET k")).isEqualTo(call("GET copy"));
  }

  @Test
  void pfCount_storesTheCountAndIsWrittenOnce() {
    call("PFADD k a b");
    server.effects();
    assertThat(call("PFCOUNT k")).isEqualTo(":2");
    assertThat(call("PFCOUNT k")).isEqualTo(":2");
    assertThat(call("PFCOUNT missing")).isEqualTo(":0");
    assertThat(server.effects()).containsExactly("0: pfcount k");
  }

  @Test
  void pfCount_inATransaction_storesTheCountToo() {
    call("PFADD k a b");
    call("MULTI");
    call("PFCOUNT k");
    call("PFCOUNT k missing");
    call("GETRANGE k 8 8");
    assertThat(call("EXEC")).isEqualTo("[:2 :2 \"\\x02\"]");
  }

  @Test
  void pfCount_ofSeveralKeys_storesNothing() {
    call("PFADD a 1 2 3");
    call("PFADD b 3 4");
    server.effects();
    assertThat(call("PFCOUNT a b missing a")).isEqualTo(":4");
    assertThat(server.effects()).isEmpty();
  }

  @Test
  void pfMerge_isTheUnionAndPublishesPfAdd() {
    server.services().notifications().setClasses("EA");
    call("PFADD a 1 2 3");
    addMany("b", "e", 5000);
    server.channels().take();
    assertThat(call("PFMERGE d a b missing")).isEqualTo("+OK");
    assertThat(server.channels().take()).containsExactly("__keyevent@0__:pfadd d");
    assertThat(call("PFDEBUG ENCODING d")).isEqualTo("+dense");
    assertThat(call("PFCOUNT d")).isEqualTo(call("PFCOUNT a b"));
  }

  @Test
  void pfMerge_withoutSources_makesAnEmptyOne() {
    call("PFADD a 1 2 3");
    call("PFMERGE b a");
    assertThat(call("PFMERGE d")).isEqualTo("+OK");
    assertThat(call("PFDEBUG DECODE d")).isEqualTo("\"Z:16384\"");
    assertThat(call("PFMERGE e missing")).isEqualTo("+OK");
    assertThat(call("PFCOUNT e")).isEqualTo(":0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PFADD s a",
        "PFADD s",
        "PFCOUNT s",
        "PFCOUNT k s",
        "PFMERGE k s",
        "PFMERGE s k",
        "PFMERGE new s",
        "PFDEBUG ENCODING s"
      })
  void anyCommand_onAPlainString_isRefusedAndChangesNothing(String command) {
    call("SET s 1234567890123456789");
    call("PFADD k a");
    server.effects();
    assertThat(call(command)).isEqualTo(NOT_VALID);
    assertThat(call("EXISTS new")).isEqualTo(":0");
    assertThat(server.effects()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PFADD b a", "PFCOUNT b", "PFCOUNT k b", "PFMERGE k b", "PFMERGE b k"})
  void anyCommand_onAFilter_isRefused(String command) {
    call("BF.ADD b a");
    assertThat(call(command))
        .isEqualTo("-WRONGTYPE Operation against a key holding the wrong kind of value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"7ffe", "7fff7fff", "7f", ""})
  void anyCommand_onDamagedOpcodes_isRefusedAndChangesNothing(String opcodes) {
    setSparse("k", opcodes);
    call("PFADD d a");
    String before = call("GET k");
    server.effects();
    assertThat(call("PFCOUNT k")).isEqualTo(CORRUPT);
    assertThat(call("PFCOUNT k d")).isEqualTo(CORRUPT);
    assertThat(call("PFMERGE d k")).isEqualTo(CORRUPT);
    assertThat(call("PFMERGE k d")).isEqualTo(CORRUPT);
    assertThat(call("PFDEBUG TODENSE k")).isEqualTo(CORRUPT);
    assertThat(call("PFDEBUG GETREG k")).isEqualTo(CORRUPT);
    assertThat(call("GET k")).isEqualTo(before);
    assertThat(server.effects()).isEmpty();
  }

  @Test
  void pfAdd_toStringWithoutOpcodes_isRefused() {
    setSparse("k", "");
    assertThat(call("PFADD k a")).isEqualTo(CORRUPT);
    assertThat(call("PFADD k a b c")).isEqualTo(CORRUPT);
  }

  @Test
  void anyCommand_withoutMemory_isRefusedAndChangesNothing() {
    String error = "-OOM command not allowed when used memory > 'maxmemory'.";
    call("PFADD k a");
    addMany("many", "e", 1000);
    String before = call("GET k");
    long used = server.pool().usedBytes();
    server.pool().setLimitBytes(used + 10);
    assertThat(call("PFADD new a")).isEqualTo(error);
    assertThat(call("PFMERGE k many")).isEqualTo(error);
    assertThat(call("PFMERGE new many")).isEqualTo(error);
    assertThat(call("PFDEBUG TODENSE k")).isEqualTo(error);
    assertThat(call("GET k")).isEqualTo(before);
    assertThat(call("EXISTS new")).isEqualTo(":0");
    assertThat(server.pool().usedBytes()).isEqualTo(used);
  }

  @Test
  void pfAdd_afterTheBytesWereOverwritten_countsTheNewBytes() {
    addMany("k", "e", 5000);
    call("PFCOUNT k");
    client.call("SETRANGE", "k", 16, new byte[12_288]);
    call("PFADD k x");
    assertThat(call("PFCOUNT k")).isEqualTo(":1");
  }

  @Test
  void pfDebug_subcommands_answerAsRedis() {
    call("PFADD k a");
    assertThat(call("PFDEBUG decode k")).isEqualTo("\"Z:12711 v:2,1 Z:3672\"");
    assertThat(call("PFDEBUG ENCODING k")).isEqualTo("+sparse");
    assertThat(call("PFDEBUG GETREG k")).startsWith("[:0 :0 :0");
    assertThat(call("PFDEBUG ENCODING k")).isEqualTo("+dense");
    assertThat(call("PFDEBUG TODENSE k")).isEqualTo(":0");
    assertThat(call("PFDEBUG DECODE k")).isEqualTo("-ERR HLL encoding is not sparse");
    assertThat(call("PFDEBUG FOO k")).isEqualTo("-ERR Unknown PFDEBUG subcommand 'FOO'");
    assertThat(call("PFDEBUG FOO n")).isEqualTo("-ERR The specified key does not exist");
    assertThat(call("PFDEBUG SIMD on")).isEqualTo("+disabled");
    assertThat(call("PFDEBUG SIMD x")).isEqualTo("-ERR Argument must be ON or OFF");
  }

  @Test
  void pfSelfTest_passesAndGivesItsMemoryBack() {
    assertThat(call("PFSELFTEST")).isEqualTo("+OK");
    assertThat(server.pool().usedBytes()).isZero();
  }
}
