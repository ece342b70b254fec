package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SaveProgressTest {
  private static final long START_MS = 1_700_000_000_000L;

  /** Two keys, one of them nearly all of the data: keys alone would tell 50 % at once. */
  private final SaveProgress progress = new SaveProgress(START_MS, 2, 1_000_000 - 2 * 32);

  @Test
  void percent_goesOnWithinOneLargeEntry() {
    assertThat(progress.percent()).isZero();
    progress.keySaved(0);
    assertThat(progress.keysSaved()).isEqualTo(1);
    assertThat(progress.percent()).isCloseTo(0, within(0.01));
    progress.written(500_000);
    assertThat(progress.percent()).isCloseTo(50, within(0.01));
    progress.written(500_000);
    progress.keySaved(999_936);
    assertThat(progress.percent()).isCloseTo(100, within(0.1)).isLessThan(100);
  }

  @Test
  void etaSeconds_isWhatTheRateSoFarLeaves() {
    assertThat(progress.etaSeconds(START_MS + 5000)).isZero();
    progress.written(250_000);
    assertThat(progress.bytesPerSecond(START_MS + 5000)).isEqualTo(50_000);
    assertThat(progress.etaSeconds(START_MS + 5000)).isEqualTo(15);
  }

  @Test
  void memory_keepsThePeak() {
    progress.memory(10);
    progress.memory(30);
    progress.memory(20);
    assertThat(progress.memoryBytes()).isEqualTo(20);
    assertThat(progress.memoryPeakBytes()).isEqualTo(30);
  }

  @Test
  void emptyKeyspace_hasNoPercentAndNoEnd() {
    SaveProgress empty = new SaveProgress(START_MS, 0, 0);
    assertThat(empty.percent()).isZero();
    assertThat(empty.etaSeconds(START_MS)).isZero();
    assertThat(empty.bytesPerSecond(START_MS)).isZero();
  }
}
