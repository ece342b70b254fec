package io.porteiro.server.persistence.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.persistence.log.ManifestEntry.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestTest {
  private static final ManifestEntry BASE = new ManifestEntry("a.2.base.rdb", 2, Kind.BASE);
  private static final ManifestEntry FOURTH =
      new ManifestEntry("a.4.incr.aof", 4, Kind.INCREMENTAL);
  private static final ManifestEntry FIFTH = new ManifestEntry("a.5.incr.aof", 5, Kind.INCREMENTAL);

  @Test
  void parse_whatTextWrote_isTheSame() throws ManifestException {
    ManifestEntry old = new ManifestEntry("odd \"name\".rdb", 1, Kind.HISTORY);
    Manifest manifest = new Manifest(BASE, List.of(old), List.of(FOURTH, FIFTH));
    assertThat(Manifest.parse(manifest.text())).isEqualTo(manifest);
  }

  /** A last line that Redis takes for a comment. */
  @Test
  void text_isRedisFormat_withAChecksum() {
    assertThat(new Manifest(BASE, List.of(), List.of(FOURTH)).text().lines())
        .startsWith("file a.2.base.rdb seq 2 type b", "file a.4.incr.aof seq 4 type i")
        .hasSize(3)
        .last()
        .asString()
        .startsWith("# ");
  }

  @Test
  void parse_anyBitFlipped_isRefusedOrTheSame() {
    Manifest manifest = new Manifest(BASE, List.of(), List.of(FOURTH, FIFTH));
    String text = manifest.text();
    for (int bit = 0; bit < text.length() * 8; bit++) {
      char[] chars = text.toCharArray();
      chars[bit / 8] ^= (char) (1 << bit % 8);
      assertRefusedOrSame(new String(chars), manifest);
    }
  }

  private static void assertRefusedOrSame(String text, Manifest manifest) {
    try {
      assertThat(Manifest.parse(text)).as(text).isEqualTo(manifest);
    } catch (ManifestException _) {
      // refused
    }
  }

  @Test
  void parse_changedByHand_isTakenWithoutTheChecksum() throws ManifestException {
    String text = new Manifest(BASE, List.of(), List.of(FOURTH, FIFTH)).text();
    String changed = text.replace("file a.5.incr.aof seq 5 type i\n", "");
    assertThatThrownBy(() -> Manifest.parse(changed))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("by hand");
    assertThat(Manifest.parse(changed.substring(0, changed.indexOf('#'))).loaded())
        .containsExactly(BASE, FOURTH);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# a remark\nfile a.2.base.rdb seq 2 type b\n",
        "FILE a.2.base.rdb TYPE base SEQ 2\n",
        "seq 2 startoffset 7 type b file \"a.2.base.rdb\" endoffset 9\n"
      })
  void parse_otherSpellings_areUnderstood(String text) throws ManifestException {
    assertThat(Manifest.parse(text).base()).isEqualTo(BASE);
  }

  /** Each of these would have the wrong set of files loaded, or none. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# only a remark\n",
        "\n",
        "file a seq 1 type b",
        "file a seq 1 type b\nfile b seq 2 type b\n",
        "file a seq 1 type i\nfile b seq 1 type i\n",
        "file a seq 0 type i\n",
        "file a seq one type i\n",
        "file a seq 1 type q\n",
        "file dir/a seq 1 type i\n",
        "file a seq 1\n",
        "file a seq 1 type i more\n",
        "file \"a seq 1 type i\n",
        "file a seq 1 type i\n\nfile b seq 2 type i\n"
      })
  void parse_anythingElse_isRefused(String text) {
    assertThatThrownBy(() -> Manifest.parse(text)).isInstanceOf(ManifestException.class);
  }

  @Test
  void parse_lineOfOneKilobyte_isRefused() {
    String name = "x".repeat(1024 - "file  seq 1 type i".length());
    assertThatThrownBy(() -> Manifest.parse("file " + name + " seq 1 type i\n"))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("line 1");
  }

  @Test
  void rebased_keepsTheNewFileOnly_andNamesTheOthersAsHistory() {
    ManifestEntry base = new ManifestEntry("a.3.base.rdb", 3, Kind.BASE);
    Manifest rebased = new Manifest(BASE, List.of(), List.of(FOURTH, FIFTH)).rebased(base, FIFTH);
    assertThat(rebased.loaded()).containsExactly(base, FIFTH);
    assertThat(rebased.history())
        .extracting(ManifestEntry::name)
        .containsExactly("a.2.base.rdb", "a.4.incr.aof");
  }

  @Test
  void nextSequences_countSeparately() {
    Manifest manifest = new Manifest(BASE, List.of(), List.of(FOURTH, FIFTH));
    assertThat(manifest.nextBaseSequence()).isEqualTo(3);
    assertThat(manifest.nextIncrementalSequence()).isEqualTo(6);
  }
}
