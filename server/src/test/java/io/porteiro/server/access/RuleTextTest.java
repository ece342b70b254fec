package io.porteiro.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RuleTextTest {
  @Test
  void selectors_areMergedFromTheirParenthesisToTheNextThatCloses() throws Exception {
    assertThat(RuleText.mergeSelectors(List.of("on", "(+get", "~a", "&b)", "(+set)", "off")))
        .containsExactly("on", "(+get ~a &b)", "(+set)", "off");
    assertThat(RuleText.mergeSelectors(List.of("(", "+get", ")"))).containsExactly("( +get )");
    assertThat(RuleText.mergeSelectors(List.of(")", "()"))).containsExactly(")", "()");
    assertThat(RuleText.mergeSelectors(List.of())).isEmpty();
  }

  @Test
  void selector_notClosed_isTold() {
    assertThatThrownBy(() -> RuleText.mergeSelectors(List.of("(+get)", "(+set", "~a")))
        .isInstanceOfSatisfying(
            OpenSelectorException.class, e -> assertThat(e.start()).isEqualTo("(+set"));
  }

  @Test
  void spaces_areThoseOfC() {
    for (String text : List.of("a b", "\t", "\n", "\u000b", "\f", "\r", "a\0")) {
      assertThat(RuleText.hasSpaces(text)).as(text).isTrue();
    }
    assertThat(RuleText.hasSpaces("a\u00a0\u0085b")).isFalse();
    assertThat(RuleText.hasSpaces("")).isFalse();
  }
}
