package io.porteiro.protocol;

import static io.porteiro.protocol.DecoderFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class RequestTest {
  @Test
  void copyTo_memory_outlivesTheBatch() {
    try (DecoderFixture fixture = new DecoderFixture();
        Arena arena = Arena.ofConfined()) {
      String large = "x".repeat(70_000);
      fixture.feed(request("SET", "", large));
      assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
      Request original = fixture.batch.get(0);
      assertThat(original.byteCount()).isEqualTo(3 + 70_000 + 3 * 16);
      Request copy = original.copyTo(arena.allocate(original.byteCount()).address());
      fixture.decode(request("OTHER", "request"));
      assertThat(DecoderFixture.text(copy)).isEqualTo("<SET><><" + large + ">");
      assertThat(copy.isTakeable(2)).isFalse();
      assertThat(copy.lacksMemory()).isFalse();
    }
  }

  @Test
  void request_withoutArguments_isEmpty() {
    assertThat(new Request().count()).isZero();
    assertThat(new Request().byteCount()).isZero();
  }

  /** Of every length, and different in every place. */
  @Test
  void hasSameName_isEqualityOfTheBytes() {
    String name = "abcdefghijklmnopqrstuvwxyz";
    for (int length = 1; length <= name.length(); length++) {
      String same = name.substring(0, length);
      assertThat(areNamedAlike(same, same)).isTrue();
      assertThat(areNamedAlike(same, same + "x")).isFalse();
      for (int i = 0; i < length; i++) {
        String other = same.substring(0, i) + "!" + same.substring(i + 1);
        assertThat(areNamedAlike(same, other)).as("%s and %s", same, other).isFalse();
      }
    }
  }

  private static boolean areNamedAlike(String one, String other) {
    try (DecoderFixture fixture = new DecoderFixture()) {
      fixture.feed(request(one, "a") + request(other));
      assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
      return fixture.batch.get(0).hasSameName(fixture.batch.get(1));
    }
  }
}
