package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The harness must show what it would hide at its peril. */
class HarnessClientTest {
  @Test
  void replies_ofAllTypes_areReadBack() {
    String bytes =
        String.join(
            "\r\n", "+OK", "-ERR x", ":5", "$-1", "*-1", "$3", "a\r\n", "*2", ":1", "*0", "_", "#t",
            ",1.5", "(99", "=5", "txt:a", "!3", "E x", "%1", "+k", ":2", "~1", ":1", ">1", "+p",
            "");

    assertThat(ReplyText.parse(bytes.getBytes(StandardCharsets.ISO_8859_1)))
        .containsExactly(
            "+OK",
            "-ERR x",
            ":5",
            "nil",
            "nil-array",
            "\"a\\r\\n\"",
            "[:1 []]",
            "_",
            "#t",
            ",1.5",
            "(99",
            "=txt:\"a\"",
            "!\"E x\"",
            "{+k :2}",
            "~[:1]",
            ">[+p]");
  }

  @Test
  void reply_cutShort_isNoReply() {
    assertThatThrownBy(() -> ReplyText.parse("$5\r\nab\r\n".getBytes(StandardCharsets.ISO_8859_1)))
        .isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> ReplyText.parse("?\r\n".getBytes(StandardCharsets.ISO_8859_1)))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void protocolError_isAnsweredBehindTheCommandsBeforeIt() {
    try (CommandHarness server = CommandHarness.of(CommandHarness.testCommands())) {
      HarnessClient client = server.client();

      assertThat(client.sendRaw("*1\r\n$4\r\nping\r\n*1\r\n!\r\n"))
          .containsExactly("+PONG", "-ERR Protocol error: expected '$', got '!'");
      assertThat(client.isClosed()).isTrue();
    }
  }
}
