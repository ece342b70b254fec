package io.porteiro.server.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.CommandHarness;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.command.bloom.BloomCommands;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryUsageTest {
  private final CommandHarness server =
      CommandHarness.of(
          BloomCommands.commands(),
          List.of(
              CommandSpec.named("memory").arity(-2).subcommands(MemoryUsage.subcommand()).build()));
  private final HarnessClient client = server.client();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void usage_ofFilter_holdsItsBits() {
    client.call("BF.RESERVE", "b", "0.01", "1000000");
    long bits = 1_378_704;
    String reply = client.call("MEMORY", "USAGE", "b");
    assertThat(Long.parseLong(reply.substring(1))).isBetween(bits, bits + 500);
    assertThat(client.call("MEMORY", "USAGE", "b", "SAMPLES", "0")).isEqualTo(reply);
    assertThat(client.call("memory", "usage", "b", "samples", "5", "samples", "1"))
        .isEqualTo(reply);
  }

  @Test
  void usage_ofMissingKey_isNull() {
    assertThat(client.call("MEMORY", "USAGE", "missing")).isEqualTo("nil");
    assertThat(client.resp3().call("MEMORY", "USAGE", "missing")).isEqualTo("_");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MEMORY USAGE k SAMPLES abc|-ERR value is not an integer or out of range",
        "MEMORY USAGE k SAMPLES -1|-ERR syntax error",
        "MEMORY USAGE k SAMPLES|-ERR syntax error",
        "MEMORY USAGE k FOO 5|-ERR syntax error",
        "MEMORY USAGE k FOO|-ERR syntax error",
      })
  void usage_withWrongArguments_isRefused(String command, String error) {
    assertThat(client.batch(command)).containsExactly(error);
  }
}
