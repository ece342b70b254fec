package io.porteiro.server.command.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.config.ConfigException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyCommandsTest {
  private final KeyspaceServer server = new KeyspaceServer();

  KeyCommandsTest() throws ConfigException {}

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void del_ofSeveralKeys_countsThoseThatWereThere() {
    server.call("SET", "a", "1");
    server.call("BF.ADD", "b", "x");
    assertThat(server.call("DEL", "a", "b", "a", "missing")).isEqualTo(":2");
    assertThat(server.call("DBSIZE")).isEqualTo(":0");
    assertThat(server.call("UNLINK", "a")).isEqualTo(":0");
  }

  @Test
  void del_thatRemoves_isJournaledAsItCameAndOneEventAKey() {
    server.call("SET", "a", "1");
    server.call("SET", "b", "1");
    server.publishEvents();
    server.call("DEL", "a", "missing", "b");
    assertThat(server.harness.effects()).containsExactly("0: del a missing b");
    assertThat(server.keyEvents()).containsExactly("0 del a", "0 del b");
  }

  @Test
  void unlink_ofNothing_leavesNoTrace() {
    server.publishEvents();
    server.call("UNLINK", "missing");
    assertThat(server.harness.effects()).isEmpty();
    assertThat(server.keyEvents()).isEmpty();
  }

  /** Keys beyond the sixteenth share one object in the context. */
  @Test
  void del_ofManyKeys_deletesEach() {
    Object[] keys = IntStream.range(0, 100).mapToObj(i -> "key:" + i).toArray();
    for (Object key : keys) {
      server.call("SET", key, "v");
    }
    Object[] command = Stream.concat(Stream.of("EXISTS"), Stream.of(keys)).toArray();
    assertThat(server.call(command)).isEqualTo(":100");
    command[0] = "DEL";
    assertThat(server.call(command)).isEqualTo(":100");
    assertThat(server.call("DBSIZE")).isEqualTo(":0");
  }

  @Test
  void del_givesAllMemoryBack() {
    long before = server.harness.pool().usedBytes();
    server.call("SET", "a", "x".repeat(1000));
    server.call("BF.RESERVE", "b", "0.01", "1000");
    server.call("DEL", "a", "b");
    assertThat(server.harness.pool().usedBytes()).isEqualTo(before);
  }

  @Test
  void exists_ofKeyNamedTwice_countsTwice() {
    server.call("SET", "a", "1");
    assertThat(server.call("EXISTS", "a", "a", "b")).isEqualTo(":2");
  }

  @Test
  void exists_andType_leaveTheAccessTime_touchSetsIt() {
    server.call("SET", "a", "1");
    server.harness.clock().advance(5_000);
    server.call("EXISTS", "a");
    server.call("TYPE", "a");
    server.call("TTL", "a");
    assertThat(server.call("OBJECT", "IDLETIME", "a")).isEqualTo(":5");
    assertThat(server.call("TOUCH", "a", "b")).isEqualTo(":1");
    assertThat(server.call("OBJECT", "IDLETIME", "a")).isEqualTo(":0");
  }

  @Test
  void touch_ofClientThatDoesNotTouch_countsOnly() {
    server.call("SET", "a", "1");
    server.harness.clock().advance(5_000);
    server.client.session().setNoTouch(true);
    assertThat(server.call("TOUCH", "a")).isEqualTo(":1");
    assertThat(server.call("OBJECT", "IDLETIME", "a")).isEqualTo(":5");
  }

  @Test
  void exists_ofMissingKey_isAMissWithItsEvent() {
    server.publishEvents();
    server.call("EXISTS", "missing");
    assertThat(server.keyEvents()).containsExactly("0 keymiss missing");
  }

  @Test
  void type_isTheNameOfTheValuesType() {
    server.call("SET", "s", "1");
    server.call("BF.ADD", "b", "x");
    assertThat(server.call("TYPE", "s")).isEqualTo("+string");
    assertThat(server.call("TYPE", "b")).isEqualTo("+MBbloom--");
    assertThat(server.call("TYPE", "missing")).isEqualTo("+none");
  }

  @Test
  void commands_onKeyPastItsTime_findNothing() {
    server.call("SET", "a", "1");
    server.call("PEXPIRE", "a", "10");
    server.harness.effects();
    server.harness.clock().advance(11);
    assertThat(server.call("TYPE", "a")).isEqualTo("+none");
    assertThat(server.call("DEL", "a")).isEqualTo(":0");
    assertThat(server.harness.effects()).containsExactly("0: DEL a");
  }
}
