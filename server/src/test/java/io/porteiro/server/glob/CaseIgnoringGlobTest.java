package io.porteiro.server.glob;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns that ignore case, as CONFIG GET takes them. */
class CaseIgnoringGlobTest {
  private static boolean matches(String pattern, String text) {
    return GlobPattern.ignoringCase(pattern.getBytes(ISO_8859_1))
        .matches(text.getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @CsvSource({
    "*, anything",
    "max*, maxmemory",
    "MAX*, maxmemory",
    "max*, MAXMEMORY",
    "MAX[L-N]emory, maxmemory",
    "max[l-n]emory, MAXMEMORY",
    "*memory, maxmemory",
    "m*m*y, maxmemory",
    "maxm?mory, maxmemory",
    "max[lm]emory, maxmemory",
    "max[a-z]emory, maxmemory",
    "max[^a-d]emory, maxmemory",
    "max\\*, max*",
    "[\\]]x, ]x",
    "ab[c, abc",
    "hz, hz",
  })
  void matches_patternThatFits_isTrue(String pattern, String text) {
    assertThat(matches(pattern, text)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "max, maxmemory",
    "*x, maxmemory",
    "maxm?emory, maxmemory",
    "max[a-c]emory, maxmemory",
    "max[^m]emory, maxmemory",
    "max\\*, maxm",
    "'', a",
    "a?, a",
  })
  void matches_patternThatDoesNotFit_isFalse(String pattern, String text) {
    assertThat(matches(pattern, text)).isFalse();
  }

  /** A matcher that tries every split at every star would take years here. */
  @Test
  void matches_manyStars_takesBoundedTime() {
    String pattern = "*a".repeat(1000) + "b";
    String text = "a".repeat(10_000);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(5), () -> assertThat(matches(pattern, text)).isFalse());
  }
}
