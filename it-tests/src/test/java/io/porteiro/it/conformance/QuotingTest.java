package io.porteiro.it.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class QuotingTest {
  @Test
  void words_quotedRepeatedAndJoined_areTheBytesTheyStandFor() {
    assertThat(Quoting.words("SET  k \"a\\x00\\n\" 'it\\'s' \"x\"*3+\"y\" é"))
        .containsExactly("SET", "k", "a\0\n", "it's", "xxxy", "\u00c3\u00a9");
  }

  @Test
  void words_withSavedValues_haveTheirBytes() {
    assertThat(Quoting.words("${A} \"<${A}>\" x", name -> name + "!"))
        .containsExactly("A!", "<A!>", "x");
  }

  @Test
  void words_badlyQuoted_areRefused() {
    assertThatThrownBy(() -> Quoting.words("\"open")).hasMessageContaining("unbalanced");
    assertThatThrownBy(() -> Quoting.words("\"a\"b")).hasMessageContaining("after a closing quote");
    assertThatThrownBy(() -> Quoting.words("\"a\"+b")).hasMessageContaining("a quote is missing");
  }

  @Test
  void quote_ofEveryByte_isReadBackTheSame() {
    StringBuilder bytes = new StringBuilder();
    for (char c = 0; c < 256; c++) {
      bytes.append(c);
    }
    assertThat(Quoting.words(Quoting.quote(bytes.toString()))).containsExactly(bytes.toString());
  }

  @Test
  void line_withOuterBlanks_showsThem() {
    assertThat(Quoting.line(" a \"b\" ")).isEqualTo("\\x20a \"b\"\\x20");
  }
}
