package io.porteiro.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClientRegistryTest {
  private final ClientRegistry clients = new ClientRegistry();

  @Test
  void tryEnter_asManyAsMayBe_isRefusedUntilOneLeaves() {
    assertThat(clients.tryEnter(2)).isTrue();
    assertThat(clients.tryEnter(2)).isTrue();
    assertThat(clients.tryEnter(2)).isFalse();
    assertThat(clients.count()).isEqualTo(2);
    clients.leave();
    assertThat(clients.tryEnter(2)).isTrue();
  }

  @Test
  void nextId_isNeverTheSame() {
    assertThat(clients.nextId()).isEqualTo(1);
    assertThat(clients.nextId()).isEqualTo(2);
  }

  @Test
  void pause_ofWrites_letsReadsPass() {
    clients.pause(1000, true);
    assertThat(clients.isPaused(true, 999)).isTrue();
    assertThat(clients.isPaused(false, 999)).isFalse();
    assertThat(clients.isPaused(true, 1000)).isFalse();
  }

  @Test
  void pause_aSecondOne_canOnlyExtendAndWiden() {
    clients.pause(1000, true);
    clients.pause(500, false);
    assertThat(clients.isPaused(false, 999)).as("wider").isTrue();
    clients.pause(2000, true);
    assertThat(clients.isPaused(false, 1999)).as("longer, not narrower").isTrue();
  }

  @Test
  void pause_afterOneThatEnded_startsAfresh() {
    clients.pause(1000, false);
    assertThat(clients.isPaused(true, 1001)).isFalse();
    clients.pause(2000, true);
    assertThat(clients.isPaused(false, 1500)).isFalse();
    assertThat(clients.isPaused(true, 1500)).isTrue();
  }

  @Test
  void unpause_endsItAtOnce() {
    clients.pause(Long.MAX_VALUE, false);
    assertThat(clients.isPaused(false, Long.MAX_VALUE - 1)).isTrue();
    clients.unpause();
    assertThat(clients.isPaused(true, 0)).isFalse();
  }
}
