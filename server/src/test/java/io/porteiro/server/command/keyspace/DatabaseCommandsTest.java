package io.porteiro.server.command.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.config.ConfigException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseCommandsTest {
  private final KeyspaceServer server = new KeyspaceServer();

  DatabaseCommandsTest() throws ConfigException {}

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void flushdb_emptiesTheSelectedDatabaseOnly() {
    server.call("SET", "a", "1");
    HarnessClient other = server.clientOf(1);
    other.call("SET", "a", "1");
    assertThat(other.call("FLUSHDB")).isEqualTo("+OK");
    assertThat(other.call("DBSIZE")).isEqualTo(":0");
    assertThat(server.call("DBSIZE")).isEqualTo(":1");
    assertThat(server.harness.effects()).containsExactly("1: flushdb");
  }

  @Test
  void flushall_emptiesEveryDatabase() {
    server.call("SET", "a", "1");
    HarnessClient other = server.clientOf(15);
    other.call("BF.RESERVE", "b", "0.01", "1000000");
    other.call("EXPIRE", "b", "100");
    server.harness.effects();
    assertThat(server.call("FLUSHALL", "ASYNC")).isEqualTo("+OK");
    assertThat(other.call("DBSIZE")).isEqualTo(":0");
    assertThat(server.call("KEYS", "*")).isEqualTo("[]");
    assertThat(server.harness.effects()).containsExactly("0: flushall ASYNC");
  }

  @ParameterizedTest
  @CsvSource({"FLUSHDB FOO", "FLUSHALL FOO", "FLUSHDB ASYNC SYNC", "FLUSHALL SYNC ASYNC"})
  void flush_withOtherWords_isRefused(String command) {
    server.call("SET", "a", "1");
    assertThat(server.client.batch(command)).containsExactly("-ERR syntax error");
    assertThat(server.call("DBSIZE")).isEqualTo(":1");
  }

  @Test
  void flush_isSeenByWatchesOfKeysThatWereThere() {
    server.call("SET", "a", "1");
    HarnessClient ofKey = server.harness.client();
    HarnessClient ofNone = server.harness.client();
    ofKey.batch("WATCH a", "MULTI");
    ofNone.batch("WATCH missing", "MULTI");
    server.call("FLUSHDB");
    assertThat(ofKey.call("EXEC")).isEqualTo("nil-array");
    assertThat(ofNone.call("EXEC")).isEqualTo("[]");
  }

  /** Or a restart would bring back what was flushed. */
  @Test
  void flushall_withSavePoints_savesBeforeItReplies() throws ConfigException {
    server.harness.configure("save", "3600 1");
    assertThat(server.call("FLUSHALL")).isEqualTo("+OK");
    assertThat(server.harness.persistence().take()).containsExactly("save");
    assertThat(server.call("FLUSHDB")).isEqualTo("+OK");
    assertThat(server.harness.persistence().take()).isEmpty();
  }

  @Test
  void flushall_duringASave_hasAnotherScheduled() throws ConfigException {
    server.harness.configure("save", "3600 1");
    server.harness.persistence().setSaving(true);
    assertThat(server.call("FLUSHALL")).isEqualTo("+OK");
    assertThat(server.harness.persistence().take()).containsExactly("schedule");
  }

  @Test
  void flushall_inTransaction_savesInTheBackground() throws ConfigException {
    server.harness.configure("save", "3600 1");
    List<String> replies = server.client.batch("MULTI", "FLUSHALL", "SET a 1", "EXEC");
    assertThat(replies).endsWith("[+OK +OK]");
    assertThat(server.harness.persistence().take()).containsExactly("schedule");
    assertThat(server.call("DBSIZE")).isEqualTo(":1");
  }

  @Test
  void swapdb_exchangesContents() {
    server.call("SET", "a", "zero");
    HarnessClient other = server.clientOf(1);
    other.call("SET", "a", "one");
    other.call("SET", "b", "one");
    assertThat(server.call("SWAPDB", "0", "1")).isEqualTo("+OK");
    assertThat(server.call("GET", "a")).isEqualTo("\"one\"");
    assertThat(server.call("DBSIZE")).isEqualTo(":2");
    assertThat(other.call("GET", "a")).isEqualTo("\"zero\"");
    assertThat(server.harness.effects()).containsExactly("0: swapdb 0 1");
  }

  @Test
  void swapdb_withItself_changesNothing() {
    server.call("SET", "a", "zero");
    assertThat(server.call("SWAPDB", "0", "0")).isEqualTo("+OK");
    assertThat(server.call("GET", "a")).isEqualTo("\"zero\"");
  }

  @ParameterizedTest
  @CsvSource({
    "x, 1, -ERR invalid first DB index", "0, x, -ERR invalid second DB index",
    "x, x, -ERR invalid first DB index", "2147483648, 1, -ERR invalid first DB index",
    "99, x, -ERR invalid second DB index", "16, 0, -ERR DB index is out of range",
    "0, -1, -ERR DB index is out of range",
  })
  void swapdb_ofWrongDatabases_isRefused(String first, String second, String error) {
    assertThat(server.call("SWAPDB", first, second)).isEqualTo(error);
  }
}
