package io.porteiro.server.command.keyspace;

import static io.porteiro.server.command.ManualClock.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.config.ConfigException;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpiryCommandsTest {
  private final KeyspaceServer server = new KeyspaceServer();

  ExpiryCommandsTest() throws ConfigException {}

  @BeforeEach
  void setKey() {
    server.call("SET", "k", "v");
  }

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "EXPIRE, 100, 1700000100000",
    "PEXPIRE, 100, 1700000000100",
    "EXPIREAT, 4000000000, 4000000000000",
    "PEXPIREAT, 4000000000123, 4000000000123",
    "PEXPIREAT, 9223372036854775807, 9223372036854775807",
    "EXPIREAT, 9223372036854775, 9223372036854775000",
  })
  void expiry_inItsUnit_isKeptAndJournaledAbsolute(String command, String time, long atMs) {
    assertThat(server.call(command, "k", time)).isEqualTo(":1");
    assertThat(server.call("PEXPIRETIME", "k")).isEqualTo(":" + atMs);
    assertThat(server.harness.effects()).containsExactly("0: PEXPIREAT k " + atMs);
  }

  @ParameterizedTest
  @CsvSource({
    "EXPIRE, -1",
    "EXPIRE, 0",
    "PEXPIRE, 0",
    "EXPIREAT, 1",
    "PEXPIREAT, 1700000000000",
    "PEXPIREAT, -9223372036854775808"
  })
  void expiry_inThePast_deletesAndIsJournaledSo(String command, String time) {
    server.publishEvents();
    assertThat(server.call(command, "k", time)).isEqualTo(":1");
    assertThat(server.call("DBSIZE")).isEqualTo(":0");
    assertThat(server.harness.effects()).containsExactly("0: DEL k");
    assertThat(server.keyEvents()).containsExactly("0 del k");
  }

  /** A log in loading may give the key more time further on. */
  @ParameterizedTest
  @CsvSource({"1", "-5", "-9223372036854775808"})
  void expiry_inThePastWhileLoading_isSetOnly(String time) {
    server.harness.keyspace().setExpiring(false);
    assertThat(server.call("PEXPIREAT", "k", time)).isEqualTo(":1");
    assertThat(server.call("EXISTS", "k")).isEqualTo(":1");
    server.harness.keyspace().setExpiring(true);
    assertThat(server.call("EXISTS", "k")).isEqualTo(":0");
  }

  @ParameterizedTest
  @CsvSource({
    "EXPIRE, 9223372036854775807",
    "EXPIRE, 9223372036854776",
    "EXPIRE, -9223372036854776",
    "EXPIRE, 9223372036854775",
    "PEXPIRE, 9223372036854775807",
    "PEXPIRE, 9223370336854775808",
    "EXPIREAT, 9223372036854776",
    "EXPIREAT, -9223372036854776",
  })
  void expiry_beyond64Bits_isRefused(String command, String time) {
    assertThat(server.call(command, "k", time))
        .isEqualTo(
            "-ERR invalid expire time in '" + command.toLowerCase(Locale.ROOT) + "' command");
    assertThat(server.call("TTL", "k")).isEqualTo(":-1");
    assertThat(server.harness.effects()).isEmpty();
  }

  @Test
  void pexpire_ofTheLastMillisecond_isTaken() {
    assertThat(server.call("PEXPIRE", "k", Long.MAX_VALUE - START_MS)).isEqualTo(":1");
    assertThat(server.call("PEXPIRETIME", "k")).isEqualTo(":9223372036854775807");
    assertThat(server.call("EXPIRETIME", "k")).isEqualTo(":9223372036854776");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "abc| |-ERR value is not an integer or out of range",
        "1.5| |-ERR value is not an integer or out of range",
        "100|FOO|-ERR Unsupported option FOO",
        "abc|FOO|-ERR Unsupported option FOO",
        "100|NX XX|-ERR NX and XX, GT or LT options at the same time are not compatible",
        "100|GT nx|-ERR NX and XX, GT or LT options at the same time are not compatible",
        "100|LT GT|-ERR GT and LT options at the same time are not compatible",
        "100|LT GT FOO|-ERR Unsupported option FOO",
      })
  void expire_withWrongArguments_isRefused(String time, String options, String error) {
    String command = "EXPIRE k " + time + (options == null ? "" : " " + options);
    assertThat(server.client.batch(command)).containsExactly(error);
  }

  @Test
  void expire_withGiantOption_isRefusedWithAShortError() {
    String reply = server.call("EXPIRE", "k", "1", "x".repeat(1 << 20));
    assertThat(reply).startsWith("-ERR Unsupported option xxx").hasSizeLessThan(2000);
  }

  /** Conditions against a key without expiry, and one with 100 seconds left. */
  @ParameterizedTest
  @CsvSource({
    "NX, 50, 1, 0", "XX, 50, 0, 1", "GT, 50, 0, 0", "GT, 100, 0, 0", "GT, 200, 0, 1",
    "LT, 50, 1, 1", "LT, 100, 1, 0", "LT, 200, 1, 0", "XX GT, 200, 0, 1", "XX LT, 50, 0, 1",
    "XX LT, 200, 0, 0", "nx nx, 50, 1, 0",
  })
  void condition_againstNoneAndSomeExpiry(String options, int time, int onNone, int onSome) {
    String command = "EXPIRE k " + time + " " + options;
    assertThat(server.client.batch(command)).containsExactly(":" + onNone);
    server.call("EXPIRE", "k", "100");
    server.harness.effects();
    assertThat(server.client.batch(command)).containsExactly(":" + onSome);
    assertThat(server.call("TTL", "k")).isEqualTo(":" + (onSome == 1 ? time : 100));
    assertThat(server.harness.effects()).hasSize(onSome);
  }

  @Test
  void expire_ofMissingKey_changesNothing() {
    server.publishEvents();
    assertThat(server.call("EXPIRE", "missing", "100")).isEqualTo(":0");
    assertThat(server.harness.effects()).isEmpty();
    assertThat(server.keyEvents()).isEmpty();
  }

  @Test
  void ttl_roundsToTheNearestSecond() {
    server.call("PEXPIRE", "k", "1500");
    assertThat(server.call("TTL", "k")).isEqualTo(":2");
    server.harness.clock().advance(1);
    assertThat(server.call("TTL", "k")).isEqualTo(":1");
    assertThat(server.call("PTTL", "k")).isEqualTo(":1499");
    server.harness.clock().advance(1_499);
    assertThat(server.call("PTTL", "k")).isEqualTo(":0");
    server.harness.clock().advance(1);
    assertThat(server.call("PTTL", "k")).isEqualTo(":-2");
  }

  @ParameterizedTest
  @CsvSource({"TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME"})
  void times_ofKeyWithoutExpiryAndOfNoKey(String command) {
    assertThat(server.call(command, "k")).isEqualTo(":-1");
    assertThat(server.call(command, "missing")).isEqualTo(":-2");
  }

  @Test
  void persist_removesTheExpiryOnce() {
    server.call("EXPIRE", "k", "100");
    server.harness.effects();
    server.publishEvents();
    assertThat(server.call("PERSIST", "k")).isEqualTo(":1");
    assertThat(server.call("PERSIST", "k")).isEqualTo(":0");
    assertThat(server.call("PERSIST", "missing")).isEqualTo(":0");
    assertThat(server.call("TTL", "k")).isEqualTo(":-1");
    assertThat(server.harness.effects()).containsExactly("0: persist k");
    assertThat(server.keyEvents()).containsExactly("0 persist k");
    assertThat(server.harness.keyspace().expiringSize(0)).isZero();
  }

  @Test
  void expireAndPersist_ofKeyPastItsTime_doNotReviveIt() {
    server.call("PEXPIRE", "k", "10");
    server.harness.clock().advance(11);
    assertThat(server.call("EXPIRE", "k", "100")).isEqualTo(":0");
    assertThat(server.call("PERSIST", "k")).isEqualTo(":0");
    assertThat(server.call("TTL", "k")).isEqualTo(":-2");
  }
}
