package io.porteiro.server.net.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DerTest {
  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  @Test
  void sequence_entered_givesItsMembersInOrder() {
    Der members = Der.of(hex("30 08 02 01 05 04 03 61 62 63")).enter(Der.SEQUENCE);
    assertThat(members.number()).isEqualTo(5);
    assertThat(members.peek()).isEqualTo(Der.OCTET_STRING);
    assertThat(members.next(Der.OCTET_STRING)).isEqualTo("abc".getBytes(UTF_8));
    assertThat(members.hasNext()).isFalse();
    assertThat(members.peek()).isEqualTo(-1);
  }

  @Test
  void element_ofAnyLength_isReadBack() {
    for (int length : new int[] {0, 1, 127, 128, 255, 256, 70_000}) {
      byte[] content = new byte[length];
      byte[] encoded = Der.element(Der.OCTET_STRING, content);
      assertThat(Der.of(encoded).next(Der.OCTET_STRING)).isEqualTo(content);
      assertThat(Der.of(encoded).nextWhole()).isEqualTo(encoded);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "30", "30 05 02", "30 82", "30 82 ff", "30 84 7f ff ff ff", "30 80"})
  void malformedElement_isRefused(String encoded) {
    assertThatThrownBy(() -> Der.of(hex(encoded)).enter(Der.SEQUENCE).skip())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anotherTag_isRefused() {
    assertThatThrownBy(() -> Der.of(hex("02 01 05")).next(Der.OCTET_STRING))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
