package io.porteiro.server.command.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectCommandsTest {
  private final KeyspaceServer server = new KeyspaceServer();

  ObjectCommandsTest() throws ConfigException {}

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "12345, int",
    "-5, int",
    "007, embstr",
    "hello, embstr",
    "9223372036854775808, embstr"
  })
  void encoding_ofString_isHowItIsKept(String value, String encoding) {
    server.call("SET", "k", value);
    assertThat(server.call("OBJECT", "ENCODING", "k")).isEqualTo('"' + encoding + '"');
  }

  @Test
  void encoding_ofLongStringAndFilter_isRaw() {
    server.call("SET", "s", "x".repeat(45));
    server.call("BF.ADD", "b", "x");
    assertThat(server.call("OBJECT", "ENCODING", "s")).isEqualTo("\"raw\"");
    assertThat(server.call("OBJECT", "ENCODING", "b")).isEqualTo("\"raw\"");
  }

  @ParameterizedTest
  @CsvSource({"0, 2147483647", "9999, 2147483647", "10000, 1", "-1, 1", "text, 1"})
  void refcount_ofNumbersThatRedisShares_isTheLargest(String value, String count) {
    server.call("SET", "k", value);
    assertThat(server.call("OBJECT", "REFCOUNT", "k")).isEqualTo(":" + count);
  }

  @Test
  void idletime_countsSecondsSinceTheLastUse() {
    server.call("SET", "k", "v");
    server.harness.clock().advance(61_000);
    assertThat(server.call("OBJECT", "IDLETIME", "k")).isEqualTo(":61");
    assertThat(server.call("OBJECT", "IDLETIME", "k")).isEqualTo(":61");
    server.call("GET", "k");
    assertThat(server.call("OBJECT", "IDLETIME", "k")).isEqualTo(":0");
  }

  /** Another loop's clock may be ahead of ours. */
  @Test
  void idletime_ofKeyUsedInTheFuture_isZero() {
    server.call("SET", "k", "v");
    server.harness.clock().advance(-10_000);
    assertThat(server.call("OBJECT", "IDLETIME", "k")).isEqualTo(":0");
  }

  @Test
  void freq_isRefused_becauseNothingIsEvicted() {
    server.call("SET", "k", "v");
    assertThat(server.call("OBJECT", "FREQ", "k"))
        .startsWith("-ERR An LFU maxmemory policy is not selected, access frequency not tracked.");
  }

  @ParameterizedTest
  @CsvSource({"ENCODING", "REFCOUNT", "IDLETIME", "FREQ"})
  void object_ofMissingKey_isNull(String subcommand) {
    assertThat(server.call("OBJECT", subcommand, "missing")).isEqualTo("nil");
    assertThat(server.client.resp3().call("object", subcommand, "missing")).isEqualTo("_");
  }

  @Test
  void help_listsTheSubcommands() {
    assertThat(server.call("OBJECT", "HELP"))
        .startsWith("[+OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are: +ENCODING")
        .contains("+FREQ <key>", "+IDLETIME <key>", "+REFCOUNT <key>");
  }

  @Test
  void object_withWrongWords_isRefused() {
    assertThat(server.call("OBJECT", "FOO", "k"))
        .isEqualTo("-ERR unknown subcommand 'FOO'. Try OBJECT HELP.");
    assertThat(server.call("OBJECT", "ENCODING"))
        .isEqualTo("-ERR wrong number of arguments for 'object|encoding' command");
  }
}
