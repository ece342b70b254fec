package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import org.junit.jupiter.api.Test;

class RehearsalTest {
  /** It runs in every server: whatever it kept would be kept for good. */
  @Test
  void rehearsal_ended_holdsNothing() throws Exception {
    try (MemoryPool pool = new MemoryPool(64 << 20)) {
      assertThat(Rehearsal.perform(pool)).isEqualTo(Rehearsal.ROUNDS);
      assertThat(pool.usedBytes()).isZero();
    }
  }

  /** The filter takes 120 KB; what was made before it is given back. */
  @Test
  void rehearsal_withoutRoomForItsFilter_failsAndHoldsNothing() {
    try (MemoryPool pool = new MemoryPool(100_000)) {
      assertThatThrownBy(() -> Rehearsal.perform(pool)).isInstanceOf(MemoryLimitException.class);
      assertThat(pool.usedBytes()).isZero();
    }
  }
}
