package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  private final Requests requests = new Requests();
  private final Arguments arguments = new Arguments();

  @AfterEach
  void close() {
    requests.close();
  }

  private void read(String... words) {
    arguments.reset(requests.of(words), 1);
  }

  @Test
  void cursor_goesOverTheArgumentsOnce() {
    read("SET", "k", "\u00ff\0", "17");

    assertThat(arguments.count()).isEqualTo(4);
    assertThat(arguments.skip()).isEqualTo(1);
    assertThat(arguments.index()).isEqualTo(2);
    assertThat(arguments.nextText()).isEqualTo("\u00ff\0");
    assertThat(arguments.remaining()).isEqualTo(1);
    assertThat(arguments.nextLong()).isEqualTo(17);
    assertThat(arguments.hasNext()).isFalse();
  }

  @Test
  void argument_thatIsMissing_isASyntaxError() {
    read("SET");

    assertThatThrownBy(arguments::skip).hasMessage("ERR syntax error");
    assertThatThrownBy(arguments::nextText).hasMessage("ERR syntax error");
    assertThatThrownBy(arguments::nextBytes).hasMessage("ERR syntax error");
    assertThatThrownBy(arguments::nextLong).hasMessage("ERR syntax error");
    assertThat(arguments.accept("NX")).isFalse();
  }

  @Test
  void word_isAcceptedInAnyCaseAndOnlyAsAWhole() {
    read("SET", "nX", "EXX", "E", "\u00c5");

    assertThat(arguments.accept("XX")).isFalse();
    assertThat(arguments.accept("NX")).isTrue();
    assertThat(arguments.accept("EX")).isFalse();
    assertThat(arguments.accept("exx")).isTrue();
    assertThat(arguments.accept("EX")).isFalse();
    assertThat(arguments.isWord(4, "\u00e5")).as("only ASCII has cases").isFalse();
  }

  @Test
  void word_differingOnlyInBitFive_isAnotherWord() {
    read("SET", "[", "@");

    assertThat(arguments.isWord(1, "{")).isFalse();
    assertThat(arguments.isWord(2, "`")).isFalse();
  }

  @Test
  void integers_areCanonicalDecimals() {
    String[] good = {"0", "-1", "9223372036854775807", "-9223372036854775808"};
    for (String text : good) {
      read("X", text);
      assertThat(arguments.nextLong()).isEqualTo(Long.parseLong(text));
    }
    String[] bad = {"", "+1", "01", "-0", " 1", "1 ", "0x1", "1.0", "9223372036854775808", "-"};
    for (String text : bad) {
      read("X", text);
      assertThatThrownBy(arguments::nextLong)
          .as(text)
          .hasMessage("ERR value is not an integer or out of range");
      read("X", text);
      assertThatThrownBy(() -> arguments.nextLong("ERR mine")).as(text).hasMessage("ERR mine");
    }
  }
}
