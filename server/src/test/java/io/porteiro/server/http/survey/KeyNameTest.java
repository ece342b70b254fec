package io.porteiro.server.http.survey;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyNameTest {
  private static String name(String key) {
    return KeyName.of(key.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource({
    "plain, plain",
    "señor:門番, señor:門番",
    "<script>, <script>",
    "a\\b, a\\\\b",
    "a\\xff, a\\\\xff"
  })
  void name_ofText_isTheTextWithBackslashesDoubled(String key, String name) {
    assertThat(name(key)).isEqualTo(name);
  }

  /** A key that turns the writing direction could make another key's row look like its own. */
  @Test
  void name_invisibleCharacters_areShownAsBytes() {
    assertThat(name("a\nb\u0000")).isEqualTo("a\\x0ab\\x00");
    assertThat(name("\u202egnp.exe")).isEqualTo("\\xe2\\x80\\xaegnp.exe");
  }

  @Test
  void name_ofBytesThatAreNoText_showsTheBytes() {
    byte[] key = {(byte) 0xff, '<', 'b', '>', (byte) 0xc3};
    assertThat(KeyName.of(key)).isEqualTo("\\xff<b>\\xc3");
  }

  @Test
  void name_ofALongKey_isCutBetweenCharactersAndStillItsOwn() {
    String begin = "é".repeat(KeyName.MAX_BYTES);
    assertThat(name(begin + "a")).startsWith("é".repeat(KeyName.MAX_BYTES / 2) + "\\...");
    assertThat(name(begin + "a"))
        .hasSizeLessThan(KeyName.MAX_BYTES)
        .isNotEqualTo(name(begin + "b"));
    assertThat(name("x" + begin)).doesNotContain("\\xc3");
  }

  /** Two series of one name would make Prometheus refuse the whole scrape. */
  @Test
  void names_ofRandomKeys_areAllDifferent() {
    SplittableRandom random = new SplittableRandom(6);
    byte[] letters = {'\\', 'x', 'f', '\n', (byte) 0xc3, (byte) 0xa9, (byte) 0xff, '.'};
    Map<String, byte[]> seen = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      byte[] key = new byte[random.nextInt(7)];
      for (int at = 0; at < key.length; at++) {
        key[at] = letters[random.nextInt(letters.length)];
      }
      byte[] other = seen.put(KeyName.of(key), key);
      assertThat(other == null || Arrays.equals(other, key)).as(KeyName.of(key)).isTrue();
    }
  }
}
