package io.porteiro.server.command.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelocationCommandsTest {
  private static final String SAME = "-ERR source and destination objects are the same";

  private final KeyspaceServer server = new KeyspaceServer();

  RelocationCommandsTest() throws ConfigException {}

  @AfterEach
  void close() {
    server.close();
  }

  // ---- RENAME

  @Test
  void rename_toFreeKey_takesValueAndExpiry() {
    server.call("SET", "a", "v");
    server.call("EXPIRE", "a", "100");
    server.harness.effects();
    server.publishEvents();
    assertThat(server.call("RENAME", "a", "b")).isEqualTo("+OK");
    assertThat(server.call("GET", "b")).isEqualTo("\"v\"");
    assertThat(server.call("TTL", "b")).isEqualTo(":100");
    assertThat(server.call("EXISTS", "a")).isEqualTo(":0");
    assertThat(server.harness.effects()).containsExactly("0: rename a b");
    assertThat(server.keyEvents()).startsWith("0 new b", "0 rename_from a", "0 rename_to b");
    assertThat(server.harness.keyspace().expiringSize(0)).isEqualTo(1);
  }

  @Test
  void rename_overOther_replacesItsValueTypeAndExpiry() {
    server.call("BF.ADD", "a", "x");
    server.call("SET", "b", "v");
    server.call("EXPIRE", "b", "100");
    server.publishEvents();
    assertThat(server.call("RENAME", "a", "b")).isEqualTo("+OK");
    assertThat(server.call("BF.EXISTS", "b", "x")).isEqualTo(":1");
    assertThat(server.call("TTL", "b")).isEqualTo(":-1");
    assertThat(server.call("DBSIZE")).isEqualTo(":1");
    assertThat(server.keyEvents()).startsWith("0 new b", "0 rename_from a", "0 rename_to b");
    assertThat(server.harness.keyspace().expiringSize(0)).isZero();
  }

  @Test
  void rename_ofMissingKey_isRefused() {
    assertThat(server.call("RENAME", "missing", "b")).isEqualTo("-ERR no such key");
    assertThat(server.call("RENAME", "missing", "missing")).isEqualTo("-ERR no such key");
    assertThat(server.call("RENAMENX", "missing", "b")).isEqualTo("-ERR no such key");
  }

  @Test
  void rename_toItself_changesNothing() {
    server.call("SET", "a", "v");
    assertThat(server.call("RENAME", "a", "a")).isEqualTo("+OK");
    assertThat(server.call("RENAMENX", "a", "a")).isEqualTo(":0");
    assertThat(server.call("GET", "a")).isEqualTo("\"v\"");
    assertThat(server.harness.effects()).isEmpty();
  }

  @Test
  void renamenx_renamesToFreeKeysOnly() {
    server.call("SET", "a", "v");
    server.call("SET", "b", "w");
    assertThat(server.call("RENAMENX", "a", "b")).isEqualTo(":0");
    assertThat(server.call("GET", "b")).isEqualTo("\"w\"");
    assertThat(server.harness.effects()).isEmpty();
    assertThat(server.call("RENAMENX", "a", "c")).isEqualTo(":1");
    assertThat(server.call("GET", "c")).isEqualTo("\"v\"");
    assertThat(server.harness.effects()).containsExactly("0: renamenx a c");
  }

  /**
   * The new entry is made before the old one goes: were it the other way, the key would be lost.
   */
  @Test
  void rename_whereNoKeyCanBeAdded_isRefusedAndChangesNothing() {
    server.call("SET", "a", "v");
    server.harness.keyspace().setHeapLimitBytes(server.harness.keyspace().heapBytes());
    assertThat(server.call("RENAME", "a", "b")).startsWith("-OOM");
    assertThat(server.call("MOVE", "a", "1")).startsWith("-OOM");
    assertThat(server.call("GET", "a")).isEqualTo("\"v\"");
    assertThat(server.call("DBSIZE")).isEqualTo(":1");
  }

  @Test
  void relocations_keepTheMemoryCount() {
    long before = server.harness.pool().usedBytes();
    server.call("SET", "a", "x".repeat(500));
    server.call("BF.ADD", "b", "x");
    server.call("RENAME", "a", "b");
    server.call("MOVE", "b", "1");
    server.call("COPY", "b", "c");
    server.call("SET", "b", "y");
    server.call("COPY", "b", "b", "DB", "1", "REPLACE");
    server.call("FLUSHALL");
    awaitUsed(before);
    assertThat(server.harness.pool().usedBytes()).isEqualTo(before);
  }

  private void awaitUsed(long bytes) {
    long deadline = System.nanoTime() + 5_000_000_000L;
    while (server.harness.pool().usedBytes() != bytes && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }

  // ---- MOVE

  @Test
  void move_takesValueAndExpiryToTheOtherDatabase() {
    server.call("SET", "a", "v");
    server.call("EXPIRE", "a", "100");
    server.harness.effects();
    server.publishEvents();
    HarnessClient other = server.clientOf(1);
    assertThat(server.call("MOVE", "a", "1")).isEqualTo(":1");
    assertThat(server.call("EXISTS", "a")).isEqualTo(":0");
    assertThat(other.call("GET", "a")).isEqualTo("\"v\"");
    assertThat(other.call("TTL", "a")).isEqualTo(":100");
    assertThat(server.harness.effects()).containsExactly("0: move a 1");
    assertThat(server.keyEvents()).startsWith("1 new a", "0 move_from a", "1 move_to a");
  }

  @Test
  void move_ofMissingKeyOrToOccupiedOne_changesNothing() {
    server.call("SET", "a", "v");
    server.clientOf(1).call("SET", "a", "w");
    assertThat(server.call("MOVE", "a", "1")).isEqualTo(":0");
    assertThat(server.call("MOVE", "missing", "1")).isEqualTo(":0");
    assertThat(server.call("GET", "a")).isEqualTo("\"v\"");
    assertThat(server.clientOf(1).call("GET", "a")).isEqualTo("\"w\"");
  }

  /** What is past its time in the other database is no obstacle. */
  @Test
  void move_toKeyPastItsTime_moves() {
    HarnessClient other = server.clientOf(1);
    other.call("SET", "a", "w");
    other.call("PEXPIRE", "a", "10");
    server.call("SET", "a", "v");
    server.harness.clock().advance(11);
    assertThat(server.call("MOVE", "a", "1")).isEqualTo(":1");
    assertThat(other.call("GET", "a")).isEqualTo("\"v\"");
    assertThat(other.call("TTL", "a")).isEqualTo(":-1");
  }

  @ParameterizedTest
  @CsvSource({
    "abc, -ERR value is not an integer or out of range",
    "16, -ERR DB index is out of range",
    "-1, -ERR DB index is out of range",
    "0, -ERR source and destination objects are the same",
  })
  void move_toWrongDatabase_isRefused(String database, String error) {
    assertThat(server.call("MOVE", "missing", database)).isEqualTo(error);
  }

  @Test
  void database_beyond32Bits_isRefusedInOtherWords() {
    String error = "-ERR value is out of range, value must between -2147483648 and 2147483647";
    assertThat(server.call("MOVE", "a", "2147483648")).isEqualTo(error);
    assertThat(server.call("COPY", "a", "b", "DB", "-2147483649")).isEqualTo(error);
  }

  // ---- COPY

  @Test
  void copy_ofString_isIndependent() {
    server.call("SET", "a", "v");
    server.call("EXPIRE", "a", "100");
    server.harness.effects();
    server.publishEvents();
    assertThat(server.call("COPY", "a", "b")).isEqualTo(":1");
    server.call("SET", "a", "w");
    assertThat(server.call("GET", "b")).isEqualTo("\"v\"");
    assertThat(server.call("TTL", "b")).isEqualTo(":100");
    assertThat(server.harness.effects()).containsExactly("0: copy a b");
    assertThat(server.keyEvents()).startsWith("0 new b", "0 copy_to b");
  }

  @Test
  void copy_ofFilter_isIndependent() {
    server.call("BF.ADD", "a", "x");
    assertThat(server.call("COPY", "a", "a", "DB", "3")).isEqualTo(":1");
    HarnessClient other = server.clientOf(3);
    other.call("BF.ADD", "a", "y");
    assertThat(other.call("BF.MEXISTS", "a", "x", "y")).isEqualTo("[:1 :1]");
    assertThat(server.call("BF.MEXISTS", "a", "x", "y")).isEqualTo("[:1 :0]");
  }

  @Test
  void copy_toOccupiedKey_needsReplace() {
    server.call("SET", "a", "v");
    server.call("BF.ADD", "b", "x");
    server.call("EXPIRE", "b", "100");
    assertThat(server.call("COPY", "a", "b")).isEqualTo(":0");
    assertThat(server.call("TYPE", "b")).isEqualTo("+MBbloom--");
    assertThat(server.call("COPY", "a", "b", "replace")).isEqualTo(":1");
    assertThat(server.call("GET", "b")).isEqualTo("\"v\"");
    assertThat(server.call("TTL", "b")).isEqualTo(":-1");
  }

  @Test
  void copy_ofMissingKey_changesNothing() {
    server.call("SET", "b", "w");
    assertThat(server.call("COPY", "missing", "b", "REPLACE")).isEqualTo(":0");
    assertThat(server.call("GET", "b")).isEqualTo("\"w\"");
    assertThat(server.harness.effects()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "COPY a a|-ERR source and destination objects are the same",
        "COPY a a DB 0|-ERR source and destination objects are the same",
        "COPY a b DB|-ERR syntax error",
        "COPY a b REPLACE DB|-ERR syntax error",
        "COPY a b FOO|-ERR syntax error",
        "COPY a b DB abc|-ERR value is not an integer or out of range",
        "COPY a b DB 16|-ERR DB index is out of range",
        "COPY a b DB 99 FOO|-ERR DB index is out of range",
      })
  void copy_withWrongArguments_isRefused(String command, String error) {
    assertThat(server.client.batch(command)).containsExactly(error);
  }

  @Test
  void copy_whereMemoryIsShort_isRefusedAndChangesNothing() {
    server.call("BF.RESERVE", "a", "0.01", "100000");
    server.harness.effects();
    server.harness.pool().setLimitBytes(server.harness.pool().usedBytes() + 1000);
    assertThat(server.call("COPY", "a", "b")).startsWith("-OOM");
    assertThat(server.call("DBSIZE")).isEqualTo(":1");
    assertThat(server.harness.effects()).isEmpty();
  }

  @Test
  void sameObject_isToldBeforeTheKeyIsLookedAt() {
    assertThat(server.call("COPY", "missing", "missing")).isEqualTo(SAME);
  }

  @Test
  void relocations_areSeenByWatches() {
    server.call("SET", "a", "v");
    HarnessClient watching = server.harness.client();
    for (String command : new String[] {"RENAME a b", "COPY b a", "MOVE b 1"}) {
      watching.batch("WATCH b", "MULTI", "EXISTS b");
      server.client.batch(command);
      String expected = command.startsWith("COPY") ? "[:1]" : "nil-array";
      assertThat(watching.call("EXEC")).as(command).isEqualTo(expected);
    }
  }
}
