package io.porteiro.server.hash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SystemRandomTest {
  @Test
  void bytes_askedTwice_differ() {
    assertThat(SystemRandom.bytes(20)).hasSize(20).isNotEqualTo(SystemRandom.bytes(20));
  }

  @Test
  void bytes_ofNone_areNone() {
    assertThat(SystemRandom.bytes(0)).isEmpty();
  }
}
