package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PersistenceInfoTest {
  /** The names are Redis's; the status page looks for them, too. */
  @Test
  void loading_whileItRuns_tellsHowFarItIs() {
    StringBuilder info = new StringBuilder();
    LoadProgress progress = new LoadProgress(5000, 1000);
    progress.setLoadedBytes(200);
    new PersistenceInfo(info).loading(true, progress, 7000);
    assertThat(info.toString().lines())
        .containsExactly(
            "loading:1",
            "async_loading:0",
            "loading_start_time:5",
            "loading_total_bytes:1000",
            "loading_loaded_bytes:200",
            "loading_loaded_perc:20.00",
            "loading_eta_seconds:8",
            "loading_bytes_per_second:100");
  }
}
