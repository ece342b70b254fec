package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.transaction.TransactionCommands;
import org.junit.jupiter.api.Test;

class CommandHarnessTest {
  @Test
  void call_ofMulti_answersOk() {
    try (CommandHarness server = CommandHarness.of(TransactionCommands.commands())) {
      assertThat(server.client().call("MULTI")).isEqualTo("+OK");
    }
  }
}
