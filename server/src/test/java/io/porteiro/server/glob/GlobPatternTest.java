package io.porteiro.server.glob;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobPatternTest {
  private static final String ALPHABET = "ab^-]*?[\\\u00ff";

  private static boolean matches(String pattern, String text) {
    return GlobPattern.of(latin(pattern)).matches(latin(text));
  }

  /** As access rules look at a key where it lies in the request. */
  @Test
  void text_outsideTheHeap_isMatchedAsOneOnIt() {
    byte[] text = latin("--a\u00ffbc--");
    try (MemoryPool pool = new MemoryPool(1 << 20)) {
      Block block = pool.allocateUnlimited(text.length);
      OffHeap.copyFrom(text, 0, block.address(), text.length);
      GlobPattern pattern = GlobPattern.of(latin("a?[a-c]*"));
      assertThat(pattern.matches(block.address() + 2, 4)).isTrue();
      assertThat(pattern.matches(block.address() + 1, 4)).isFalse();
      assertThat(pattern.matches(block.address() + 2, 2)).isFalse();
      assertThat(GlobPattern.of(block.address() + 2, 1).matches(latin("a"))).isTrue();
      block.release();
    }
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '\'',
      value = {
        "* x",
        "** x",
        "x* x",
        "*x x",
        "a*c abbbc",
        "a*b*c a-b-b-c",
        "*aab aaab",
        "?? ab",
        "h?llo hello",
        "[abc] b",
        "[a-c]x bx",
        "[c-a]x bx",
        "[^a] b",
        "[^a-c] d",
        "[a-]x ^",
        "\\* *",
        "a\\bc abc",
        "\\ \\",
        "[\\]] ]",
        "[\\ \\",
        "[a-z&&] &",
        "[ab a",
        "x[^ xy",
        "[^] q",
        "[^]* anything",
        "a] a]",
        "'' ''",
        "*** abc",
        "a?*** abc",
      })
  void pattern_thatFits_matches(String pattern, String text) {
    assertThat(matches(pattern, text)).as("%s matches %s", pattern, text).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '\'',
      value = {
        "'' x",
        "x ''",
        "* ''",
        "** ''",
        "x xx",
        "xx x",
        "x* y",
        "*x xy",
        "?? abc",
        "? ''",
        "A a",
        "[abc] d",
        "[a-c] d",
        "[^a] a",
        "[^a-c] b",
        "[ [",
        "[] x",
        "[]] ]",
        "[]a] a",
        "[a-] -",
        "\\* x",
        "\\ x",
        "a*b*c abbb",
        "a[ a",
        "[^a a",
        "*[b] ab]",
      })
  void pattern_thatDoesNotFit_doesNotMatch(String pattern, String text) {
    assertThat(matches(pattern, text)).as("%s matches %s", pattern, text).isFalse();
  }

  /** A range over the sign bit holds what lies between its ends as signed bytes: 0xff to a. */
  @Test
  void range_overTheSignBit_comparesSigned() {
    assertThat(matches("[a-\u00ff]", "0")).isTrue();
    assertThat(matches("[a-\u00ff]", "z")).isFalse();
    assertThat(matches("[a-\u00ff]", "\u00fe")).isFalse();
  }

  @Test
  void zeroBytesAndLineEnds_areBytesLikeOthers() {
    assertThat(matches("a?b", "a\nb")).isTrue();
    assertThat(matches("\0*", "\0\0x")).isTrue();
  }

  @Test
  void star_alone_isTold() {
    assertThat(GlobPattern.of(latin("*")).isStar()).isTrue();
    assertThat(GlobPattern.of(latin("**")).isStar()).isFalse();
    assertThat(GlobPattern.of(latin("")).isStar()).isFalse();
  }

  /** Trying every star again at every mismatch would take longer than the universe has. */
  @Test
  @Timeout(10)
  void manyStars_thatDoNotFit_takeNoExponentialTime() {
    String pattern = "*a".repeat(60) + "b";
    long start = System.nanoTime();
    assertThat(matches(pattern, "a".repeat(2000))).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void randomPatterns_matchAsTheirElementsSay() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 200_000; i++) {
      String pattern = word(random, 8);
      String text = word(random, 6);
      assertThat(matches(pattern, text))
          .as("pattern %s, text %s, seed %d", pattern, text, seed)
          .isEqualTo(Elements.parse(pattern).match(text));
    }
  }

  private static String word(Random random, int maxLength) {
    StringBuilder word = new StringBuilder();
    for (int i = random.nextInt(maxLength + 1); i > 0; i--) {
      word.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return word.toString();
  }

  /** The pattern as a list of byte sets, empty standing for a star; all ways are gone at once. */
  private record Elements(List<Optional<BitSet>> elements) {
    static Elements parse(String pattern) {
      List<Optional<BitSet>> elements = new ArrayList<>();
      StringBuilder rest = new StringBuilder(pattern);
      while (!rest.isEmpty()) {
        elements.add(takeElement(rest));
      }
      return new Elements(elements);
    }

    private static char take(StringBuilder rest) {
      char c = rest.charAt(0);
      rest.deleteCharAt(0);
      return c;
    }

    private static Optional<BitSet> takeElement(StringBuilder rest) {
      char c = take(rest);
      return switch (c) {
        case '*' -> Optional.empty();
        case '?' -> Optional.of(all());
        case '[' -> Optional.of(takeClass(rest));
        case '\\' -> Optional.of(single(rest.isEmpty() ? c : take(rest)));
        default -> Optional.of(single(c));
      };
    }

    private static BitSet all() {
      BitSet all = new BitSet();
      all.set(0, 256);
      return all;
    }

    private static BitSet single(char c) {
      BitSet set = new BitSet();
      set.set(c);
      return set;
    }

    private static BitSet takeClass(StringBuilder rest) {
      boolean negated = !rest.isEmpty() && rest.charAt(0) == '^';
      if (negated) {
        take(rest);
      }
      BitSet set = new BitSet();
      while (!rest.isEmpty()) {
        char c = take(rest);
        if (c == ']') {
          break;
        }
        addMember(set, c, rest);
      }
      if (negated) {
        set.flip(0, 256);
      }
      return set;
    }

    private static void addMember(BitSet set, char c, StringBuilder rest) {
      if (c == '\\' && !rest.isEmpty()) {
        set.set(take(rest));
      } else if (rest.length() >= 2 && rest.charAt(0) == '-') {
        take(rest);
        byte one = (byte) c;
        byte other = (byte) take(rest);
        for (int b = Math.min(one, other); b <= Math.max(one, other); b++) {
          set.set(b & 0xff);
        }
      } else {
        set.set(c);
      }
    }

    boolean match(String text) {
      if (text.isEmpty()) {
        return elements.isEmpty();
      }
      BitSet reached = new BitSet();
      reached.set(0);
      passStars(reached);
      for (int i = 0; i < text.length(); i++) {
        reached = step(reached, text.charAt(i));
      }
      return reached.get(elements.size());
    }

    private BitSet step(BitSet reached, char c) {
      BitSet next = new BitSet();
      for (int i = 0; i < elements.size(); i++) {
        if (reached.get(i) && elements.get(i).isEmpty()) {
          next.set(i);
        } else if (reached.get(i) && elements.get(i).orElseThrow().get(c)) {
          next.set(i + 1);
        }
      }
      passStars(next);
      return next;
    }

    private void passStars(BitSet reached) {
      for (int i = 0; i < elements.size(); i++) {
        if (reached.get(i) && elements.get(i).isEmpty()) {
          reached.set(i + 1);
        }
      }
    }
  }
}
