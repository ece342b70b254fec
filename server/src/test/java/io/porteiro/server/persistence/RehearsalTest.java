package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RehearsalTest {
  /** It runs in every server: whatever it kept would be kept for good. */
  @Test
  void rehearsal_ended_holdsNothing() throws Exception {
    Rehearsal rehearsal = new Rehearsal();
    rehearsal.play();
    assertThat(rehearsal.snapshots()).isEqualTo(Rehearsal.ROUNDS);
    assertThat(rehearsal.usedBytes()).isPositive();
    rehearsal.end();
    assertThat(rehearsal.usedBytes()).isZero();
  }
}
