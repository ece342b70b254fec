package io.porteiro.it.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.it.resp.Reply;
import io.porteiro.it.resp.Reply.Aggregate;
import io.porteiro.it.resp.Reply.Mapping;
import io.porteiro.it.resp.Reply.Special;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A runner that takes wrong answers for right ones would let every defect through. */
class ExpectationTest {
  private static final Reply ONE = new Reply.Int(1);
  private static final Reply TWO = new Reply.Int(2);
  private static final Reply WORD = new Reply.Bulk("word");

  private static boolean fits(Reply reply, String... lines) {
    return ExpectationParser.parse(List.of(lines)).matches(reply, Map.of("S", ONE));
  }

  @Test
  void scalars_fitTheirNotationAndNoOther() {
    List<Reply> replies =
        List.of(
            ONE,
            WORD,
            new Reply.Simple("word"),
            new Reply.Failure("word"),
            new Reply.Bool(true),
            new Reply.Bool(false),
            new Reply.Dbl("1.5"),
            new Reply.BigNumber(BigInteger.TEN),
            new Reply.Verbatim("txt", "word"),
            new Reply.BulkFailure("word"),
            Special.NULL,
            Special.NULL_BULK,
            Special.NULL_ARRAY,
            Special.CLOSED);
    for (Reply noted : replies) {
      for (Reply reply : replies) {
        assertThat(fits(reply, Notation.scalar(noted)))
            .as("%s noted as %s", reply, Notation.scalar(noted))
            .isEqualTo(reply.equals(noted));
      }
    }
  }

  @Test
  void wildcards_fitTheirTypeOnly() {
    assertThat(fits(ONE, "*")).isTrue();
    assertThat(fits(Special.CLOSED, "*")).isFalse();
    assertThat(fits(ONE, ":*")).isTrue();
    assertThat(fits(WORD, ":*")).isFalse();
    assertThat(fits(WORD, "\"*\"")).isTrue();
    assertThat(fits(new Reply.Failure("x"), "+*")).isFalse();
  }

  @Test
  void patternsAndTolerances_fitWithinTheirBounds() {
    assertThat(fits(WORD, "/\"w.*d\"/")).isTrue();
    assertThat(fits(WORD, "/w.*d/")).isFalse();
    assertThat(fits(new Reply.Int(104), "~100±5")).isTrue();
    assertThat(fits(new Reply.Int(106), "~100±5%")).isFalse();
    assertThat(fits(new Reply.Bulk("0.1"), "~0.1+-0.001")).isTrue();
    assertThat(fits(WORD, "~1±5")).isFalse();
    assertThat(fits(WORD, "has \"or\" \"d\"")).isTrue();
    assertThat(fits(WORD, "has \"or\" \"x\"")).isFalse();
    assertThat(fits(ONE, "${S}")).isTrue();
    assertThat(fits(TWO, "${S}")).isFalse();
  }

  @Test
  void arrays_fitInOrderUnlessSaidOtherwise() {
    Reply pair = Reply.array(ONE, TWO);
    assertThat(fits(pair, "[", ":1", ":2", "]")).isTrue();
    assertThat(fits(pair, "[", ":2", ":1", "]")).isFalse();
    assertThat(fits(pair, "[", ":1", "]")).isFalse();
    assertThat(fits(pair, "[", ":1", "...", "]")).isTrue();
    assertThat(fits(pair, "unordered[", ":2", ":1", "]")).isTrue();
    assertThat(fits(pair, "unordered[", ":1", ":1", "]")).isFalse();
    assertThat(fits(pair, "superset[", ":2", "]")).isTrue();
    assertThat(fits(pair, "~[", ":1", ":2", "]")).isFalse();
    assertThat(fits(Reply.array(), "[]")).isTrue();
    assertThat(fits(pair, "[]")).isFalse();
  }

  @Test
  void setsAndMaps_fitInAnyOrder() {
    Reply set = new Aggregate(Aggregate.Kind.SET, List.of(ONE, TWO));
    assertThat(fits(set, "~[", ":2", ":1", "]")).isTrue();
    Reply map = new Mapping(false, List.of(Map.entry(ONE, WORD), Map.entry(TWO, WORD)));
    assertThat(fits(map, "{", ":2", "\"word\"", ":1", "*", "}")).isTrue();
    assertThat(fits(map, "{", ":2", "\"word\"", "}")).isFalse();
    assertThat(fits(map, "superset{", ":2", "\"word\"", "}")).isTrue();
    assertThat(fits(map, "superset{", ":3", "\"word\"", "}")).isFalse();
  }

  @Test
  void lines_thatAreNoExpectation_areRefused() {
    assertThatThrownBy(() -> fits(ONE, "gibberish")).hasMessageContaining("not an expectation");
    assertThatThrownBy(() -> fits(ONE, "[", ":1")).hasMessageContaining("unfinished");
    assertThatThrownBy(() -> fits(ONE, ":1", ":2")).hasMessageContaining("more than one");
  }

  static Stream<String> files() {
    return Corpus.FILES.stream();
  }

  /** A case that nobody can read would be a case that never fails. */
  @ParameterizedTest
  @MethodSource("files")
  void corpus_everyExpectation_canBeRead(String file) {
    List<ConformanceCase> cases = Corpus.cases(file);
    assertThat(cases).isNotEmpty();
    for (ConformanceCase one : cases) {
      for (ConformanceCase.Step step : one.steps()) {
        if (step.op() != ConformanceCase.Op.RAW_READ && !step.expected().isEmpty()) {
          assertThat(ExpectationParser.parse(step.expected()))
              .as("line %d", step.line())
              .isNotNull();
        }
        if (step.op() == ConformanceCase.Op.SEND) {
          assertThat(step.expected()).as("line %d", step.line()).isNotEmpty();
        }
      }
    }
  }
}
