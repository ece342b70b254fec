package io.porteiro.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ConfigTextTest {
  @Test
  void split_blanksBetweenWords_areDropped() {
    assertThat(ConfigText.split("  save\t3600  1 ")).containsExactly("save", "3600", "1");
  }

  @Test
  void split_doubleQuotes_keepBlanksAndUnescape() {
    assertThat(ConfigText.split("requirepass \"a b\\x00\\n\\\"c\\q\""))
        .containsExactly("requirepass", "a b\0\n\"cq");
  }

  @Test
  void split_singleQuotes_escapeOnlyTheQuote() {
    assertThat(ConfigText.split("a 'it\\'s \\n'")).containsExactly("a", "it's \\n");
  }

  @Test
  void split_quoteWithinAWord_endsItWhereTheQuoteCloses() {
    assertThat(ConfigText.split("ab\"c d\" e")).containsExactly("abc d", "e");
  }

  @Test
  void split_emptyQuotes_areAnEmptyWord() {
    assertThat(ConfigText.split("save \"\"")).containsExactly("save", "");
  }

  @Test
  void split_unbalancedQuotes_isNull() {
    assertThat(ConfigText.split("a \"b")).isNull();
    assertThat(ConfigText.split("a 'b")).isNull();
    assertThat(ConfigText.split("a \"b\"c")).isNull();
    assertThat(ConfigText.split("a \"b\\")).isNull();
  }

  /** Passwords of any bytes must come back from a rewritten file. */
  @Test
  void quote_anyBytes_splitBackToTheSame() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 1000; round++) {
      StringBuilder word = new StringBuilder();
      random.ints(random.nextInt(20), 0, 256).forEach(b -> word.append((char) b));
      assertThat(ConfigText.split(ConfigText.quote(word.toString())))
          .as("seed %d", seed)
          .containsExactly(word.toString());
    }
  }
}
