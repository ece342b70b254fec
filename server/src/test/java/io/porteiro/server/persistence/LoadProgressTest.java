package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadProgressTest {
  private static final long START_MS = 1_700_000_000_500L;

  @Test
  void progress_tellsPercentRateAndEstimate() {
    LoadProgress progress = new LoadProgress(START_MS, 1000);
    assertThat(progress.startedSeconds()).isEqualTo(1_700_000_000);
    assertThat(progress.etaSeconds(START_MS + 4000)).isEqualTo(1);
    progress.setLoadedBytes(200);
    assertThat(progress.percent()).isEqualTo(20);
    assertThat(progress.bytesPerSecond(START_MS + 4000)).isEqualTo(50);
    assertThat(progress.etaSeconds(START_MS + 4000)).isEqualTo(16);
    assertThat(progress.etaSeconds(START_MS + 10)).isEqualTo(1);
  }

  @Test
  void progress_ofAnEmptyFile_isComplete() {
    assertThat(new LoadProgress(START_MS, 0).percent()).isEqualTo(100);
  }
}
