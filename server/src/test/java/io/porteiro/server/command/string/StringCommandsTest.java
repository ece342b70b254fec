package io.porteiro.server.command.string;

import static io.porteiro.server.command.ManualClock.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.CommandFamilyTest;
import io.porteiro.server.command.keyspace.KeyspaceCommands;
import io.porteiro.server.command.transaction.TransactionCommands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StringCommandsTest extends CommandFamilyTest {
  private static final String OUT_OF_MEMORY =
      "-OOM command not allowed when used memory > 'maxmemory'.";

  StringCommandsTest() {
    super(StringCommands.commands(), KeyspaceCommands.commands(), TransactionCommands.commands());
  }

  /** Leaves 10 bytes, too few for any string of these tests that needs a block. */
  private void exhaustMemory() {
    server.pool().setLimitBytes(server.pool().usedBytes() + 10);
  }

  // ---- SET

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SET k v | 0: SET k v",
        "SET k 12 | 0: SET k 12",
        "SET k v XX | 0: SET k v",
        "SET k v KEEPTTL | 0: SET k v KEEPTTL",
        "SET k v EX 10 | 0: SET k v PXAT 1700000010000",
        "SET k v px 10 xx | 0: SET k v PXAT 1700000000010",
        "SET k v EXAT 1800000000 | 0: SET k v PXAT 1800000000000",
        "SET k v PXAT 1800000000001 | 0: SET k v PXAT 1800000000001",
        "SETEX k 10 v | 0: SET k v PXAT 1700000010000",
        "PSETEX k 10 v | 0: SET k v PXAT 1700000000010"
      })
  void set_withTimes_isWrittenWithAbsoluteOnes(String command, String effect) {
    call("SET k old");
    server.effects();
    assertThat(call(command)).isEqualTo("+OK");
    assertThat(server.effects()).containsExactly(effect);
  }

  @Test
  void set_conditionNotMet_changesNothing() {
    assertThat(call("SET k v XX")).isEqualTo("nil");
    call("SET k v");
    server.effects();
    assertThat(call("SET k w NX")).isEqualTo("nil");
    assertThat(call("SETNX k w")).isEqualTo(":0");
    assertThat(call("GET k")).isEqualTo("\"v\"");
    assertThat(server.effects()).isEmpty();
  }

  @Test
  void set_withGet_answersTheOldValueAndIsWrittenWithoutGet() {
    assertThat(call("SET k v GET")).isEqualTo("nil");
    assertThat(call("SET k w GET")).isEqualTo("\"v\"");
    assertThat(call("GETSET k x")).isEqualTo("\"w\"");
    assertThat(server.effects()).containsExactly("0: SET k v", "0: SET k w", "0: SET k x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NX XX",
        "EX 10 PX 10",
        "EX 10 KEEPTTL",
        "KEEPTTL EX 10",
        "PXAT 1 EXAT 1",
        "EX",
        "FOO",
        "PERSIST"
      })
  void set_contradictingOrUnknownOptions_isASyntaxError(String options) {
    assertThat(call("SET k v " + options)).isEqualTo("-ERR syntax error");
    assertThat(call("EXISTS k")).isEqualTo(":0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "EX 0",
        "EX -1",
        "PX 0",
        "EX 9223372036854775807",
        "EX 9223372036854776",
        "PX 9223372036854775807",
        "EXAT 0",
        "PXAT -1"
      })
  void set_timeOutOfRange_isRefused(String time) {
    assertThat(call("SET k v " + time)).isEqualTo("-ERR invalid expire time in 'set' command");
    assertThat(call("EXISTS k")).isEqualTo(":0");
  }

  @Test
  void set_withoutTime_endsTheExpiry() {
    call("SET k v EX 10");
    call("SET k w KEEPTTL");
    assertThat(call("TTL k")).isEqualTo(":10");
    call("SET k w");
    assertThat(call("TTL k")).isEqualTo(":-1");
  }

  @Test
  void set_largeArgument_isTakenOverAndWrittenWhole() {
    String large = "x".repeat(200_000);
    assertThat(client.call("SET", "k", large)).isEqualTo("+OK");
    assertThat(server.effects()).containsExactly("0: SET k " + large);
    assertThat(client.call("APPEND", "k", large)).isEqualTo(":400000");
    assertThat(client.call("MSET", "k", large, "k", large + "y")).isEqualTo("+OK");
    assertThat(call("STRLEN k")).isEqualTo(":200001");
    call("DEL k");
    assertThat(server.pool().usedBytes()).isLessThan(1000);
  }

  @Test
  void set_inATransactionAndThenChanged_isWrittenAsItWas() {
    call("MULTI");
    call("SET k abc");
    call("APPEND k " + "x".repeat(1000));
    assertThat(call("EXEC")).isEqualTo("[+OK :1003]");
    assertThat(server.effects()).containsExactly("0: SET k abc; 0: append k " + "x".repeat(1000));
  }

  @Test
  void set_withoutMemory_isRefusedOnceAndChangesNothing() {
    call("SET k v");
    server.effects();
    exhaustMemory();
    String large = "x".repeat(100);
    for (String command : new String[] {"SET k %s", "SET k %s GET", "GETSET k %s", "SETNX n %s"}) {
      assertThat(call(command.formatted(large))).isEqualTo(OUT_OF_MEMORY);
      assertThat(client.unread()).isEmpty();
    }
    assertThat(call("GET k")).isEqualTo("\"v\"");
    assertThat(call("EXISTS n")).isEqualTo(":0");
    assertThat(server.effects()).isEmpty();
  }

  @Test
  void set_publishesSetAndExpire() {
    server.services().notifications().setClasses("EA");
    call("SET k v EX 10");
    assertThat(server.channels().take())
        .containsExactly("__keyevent@0__:set k", "__keyevent@0__:expire k");
  }

  // ---- MSET

  @Test
  void mSet_keyTwice_keepsTheLastValue() {
    assertThat(call("MSET a 1 a two b 3")).isEqualTo("+OK");
    assertThat(call("MGET a b")).isEqualTo("[\"two\" \"3\"]");
    assertThat(server.effects()).containsExactly("0: MSET a two b 3");
    assertThat(call("MSET a x a y")).isEqualTo("+OK");
    assertThat(call("GET a")).isEqualTo("\"y\"");
    assertThat(server.effects()).containsExactly("0: MSET a y");
  }

  @Test
  void mSet_moreKeysThanTheContextKeeps_setsAll() {
    StringBuilder line = new StringBuilder("MSET");
    for (int i = 0; i < 100; i++) {
      line.append(" k").append(i).append(" v").append(i);
    }
    assertThat(call(line.toString())).isEqualTo("+OK");
    assertThat(call("DBSIZE")).isEqualTo(":100");
    assertThat(call("GET k77")).isEqualTo("\"v77\"");
  }

  @Test
  void mSet_withoutMemoryForTheLastValue_changesNothing() {
    call("SET a old");
    long used = server.pool().usedBytes();
    server.effects();
    server.pool().setLimitBytes(used + 400);
    assertThat(call("MSET a new b new c " + "x".repeat(500))).isEqualTo(OUT_OF_MEMORY);
    assertThat(call("MGET a b c")).isEqualTo("[\"old\" nil nil]");
    assertThat(server.pool().usedBytes()).isEqualTo(used);
    assertThat(server.effects()).isEmpty();
  }

  @Test
  void mSetNx_oneKeyThere_setsNone() {
    call("SET b 1");
    assertThat(call("MSETNX a 1 b 2")).isEqualTo(":0");
    assertThat(call("EXISTS a")).isEqualTo(":0");
    assertThat(call("MSETNX a 1 c 2")).isEqualTo(":1");
  }

  // ---- GETEX, GETDEL

  @Test
  void getEx_isWrittenAsWhatItDoes() {
    call("SET k v");
    server.effects();
    assertThat(call("GETEX k")).isEqualTo("\"v\"");
    call("GETEX k EX 10");
    call("GETEX k PERSIST");
    call("GETEX k PERSIST");
    call("GETEX k PXAT " + (START_MS - 1));
    assertThat(server.effects())
        .containsExactly("0: PEXPIREAT k 1700000010000", "0: PERSIST k", "0: DEL k");
    assertThat(call("GETEX k EX abc")).isEqualTo("nil");
  }

  @Test
  void getEx_badTime_isRefusedOnlyWhereThereIsAKey() {
    assertThat(call("GETEX k EX 0")).isEqualTo("nil");
    call("SET k v");
    assertThat(call("GETEX k EX 0")).isEqualTo("-ERR invalid expire time in 'getex' command");
    assertThat(call("GETEX k KEEPTTL")).isEqualTo("-ERR syntax error");
    assertThat(call("TTL k")).isEqualTo(":-1");
  }

  @Test
  void getDel_isWrittenAsDel() {
    call("SET k v");
    server.effects();
    assertThat(call("GETDEL k")).isEqualTo("\"v\"");
    assertThat(call("GETDEL k")).isEqualTo("nil");
    assertThat(server.effects()).containsExactly("0: DEL k");
  }

  // ---- ranges

  @ParameterizedTest
  @CsvSource({
    "0, 4, Hello",
    "-5, -1, World",
    "6, 100, World",
    "-100, 2, Hel",
    "-100, -50, ''",
    "5, 2, ''",
    "-1, -5, ''",
    "100, 200, ''",
    "0, -9223372036854775808, ''",
    "-9223372036854775808, 9223372036854775807, HelloXWorld"
  })
  void getRange_anyIndexes_areCutToTheString(String start, String end, String part) {
    call("SET k HelloXWorld");
    assertThat(call("GETRANGE k " + start + " " + end)).isEqualTo("\"" + part + "\"");
  }

  @Test
  void getRange_ofANumber_isOfItsText() {
    call("SET k 12345");
    assertThat(call("GETRANGE k 1 3")).isEqualTo("\"234\"");
    assertThat(call("OBJECT ENCODING k")).isEqualTo("\"int\"");
  }

  @Test
  void setRange_pastTheAllowedLength_isRefusedAndChangesNothing() {
    String error = "-ERR string exceeds maximum allowed size (proto-max-bulk-len)";
    call("SET k v");
    assertThat(call("SETRANGE k 536870912 x")).isEqualTo(error);
    assertThat(call("SETRANGE n 9223372036854775807 x")).isEqualTo(error);
    assertThat(call("SETRANGE k 536870911 ")).isEqualTo(":1");
    assertThat(call("EXISTS n")).isEqualTo(":0");
  }

  @Test
  void append_pastTheAllowedLength_isRefused() throws Exception {
    server.configure("proto-max-bulk-len", "1mb");
    call("SETRANGE k 1048575 x");
    assertThat(call("APPEND k x"))
        .isEqualTo("-ERR string exceeds maximum allowed size (proto-max-bulk-len)");
    assertThat(call("STRLEN k")).isEqualTo(":1048576");
  }

  @Test
  void edit_withoutMemory_isRefusedAndChangesNothing() {
    call("SET k v");
    exhaustMemory();
    assertThat(call("APPEND k " + "x".repeat(100))).isEqualTo(OUT_OF_MEMORY);
    assertThat(call("SETRANGE k 100 x")).isEqualTo(OUT_OF_MEMORY);
    assertThat(call("SETRANGE n 100 x")).isEqualTo(OUT_OF_MEMORY);
    assertThat(call("GET k")).isEqualTo("\"v\"");
  }

  // ---- counters

  @ParameterizedTest
  @ValueSource(strings = {"abc", "1.5", "007", "+1", "9223372036854775808", "-"})
  void incr_ofWhatIsNoInteger_isRefused(String text) {
    call("SET k " + text);
    assertThat(call("INCR k")).isEqualTo("-ERR value is not an integer or out of range");
    assertThat(call("GET k")).isEqualTo("\"" + text + "\"");
  }

  @Test
  void incr_ofEditedText_countsAndIsANumberAgain() {
    call("SET k 1");
    call("APPEND k 2");
    assertThat(call("OBJECT ENCODING k")).isEqualTo("\"raw\"");
    assertThat(call("INCR k")).isEqualTo(":13");
    assertThat(call("OBJECT ENCODING k")).isEqualTo("\"int\"");
  }

  @Test
  void incrBy_pastTheLimits_isRefusedAndChangesNothing() {
    String error = "-ERR increment or decrement would overflow";
    call("SET k 9223372036854775807");
    assertThat(call("INCR k")).isEqualTo(error);
    call("SET m -9223372036854775808");
    assertThat(call("DECR m")).isEqualTo(error);
    assertThat(call("DECRBY m -9223372036854775808")).isEqualTo("-ERR decrement would overflow");
    assertThat(call("INCRBY m 9223372036854775807")).isEqualTo(":-1");
    assertThat(call("GET k")).isEqualTo("\"9223372036854775807\"");
  }

  @Test
  void incrByFloat_isWrittenAsItsResultAndKeepsTheExpiry() {
    call("SET k 10.5 EX 10");
    server.effects();
    assertThat(call("INCRBYFLOAT k 0.1")).isEqualTo("\"10.6\"");
    assertThat(server.effects()).containsExactly("0: SET k 10.6 KEEPTTL");
    assertThat(call("TTL k")).isEqualTo(":10");
  }

  @Test
  void incrByFloat_badNumbers_areRefusedAndChangeNothing() {
    call("SET k abc");
    assertThat(call("INCRBYFLOAT k 1")).isEqualTo("-ERR value is not a valid float");
    assertThat(call("INCRBYFLOAT n x")).isEqualTo("-ERR value is not a valid float");
    assertThat(call("INCRBYFLOAT n inf")).isEqualTo("-ERR increment would produce NaN or Infinity");
    assertThat(call("EXISTS n")).isEqualTo(":0");
  }
}
