package io.porteiro.server.persistence;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** INFO's section on persistence, in Redis's order. */
final class PersistenceInfo {
  private static final long NOT_RUNNING = -1;

  private final StringBuilder info;

  PersistenceInfo(StringBuilder info) {
    this.info = info;
  }

  /**
   * The part on loading.
   *
   * @param progress of the last or current loading; null if there was none
   */
  void loading(boolean loading, @Nullable LoadProgress progress, long nowMs) {
    line("loading", loading ? 1 : 0);
    line("async_loading", 0);
    if (loading && progress != null) {
      line("loading_start_time", progress.startedSeconds());
      line("loading_total_bytes", progress.totalBytes());
      line("loading_loaded_bytes", progress.loadedBytes());
      line("loading_loaded_perc", decimal(progress.percent()));
      line("loading_eta_seconds", progress.etaSeconds(nowMs));
      line("loading_bytes_per_second", progress.bytesPerSecond(nowMs));
    }
  }

  /**
   * The part on the snapshot that is being written, whatever for. Where Redis tells what its fork
   * copied, this is what the snapshot takes besides the data.
   *
   * @param running null if there is none
   */
  void progress(@Nullable SaveProgress running, long nowMs) {
    line("current_cow_peak", running == null ? 0 : running.memoryPeakBytes());
    line("current_cow_size", running == null ? 0 : running.memoryBytes());
    line("current_cow_size_age", 0);
    line("current_fork_perc", running == null ? "0.00" : decimal(running.percent()));
    line("current_save_keys_processed", running == null ? 0 : running.keysSaved());
    line("current_save_keys_total", running == null ? 0 : running.keysTotal());
    if (running != null) {
      line("current_save_bytes_per_second", running.bytesPerSecond(nowMs));
      line("current_save_eta_seconds", running.etaSeconds(nowMs));
    }
  }

  private static String decimal(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }

  /**
   * The part on saves.
   *
   * @param running the background save that runs, or null
   * @param memoryPeakBytes what the last one took at most besides the data
   */
  void saves(
      SaveStatus status,
      @Nullable SaveProgress running,
      long memoryPeakBytes,
      long changes,
      long nowSeconds) {
    line("rdb_changes_since_last_save", changes);
    line("rdb_bgsave_in_progress", running == null ? 0 : 1);
    line("rdb_last_save_time", status.lastSaveSeconds());
    line("rdb_last_bgsave_status", status.isLastBackgroundOk() ? "ok" : "err");
    line("rdb_last_bgsave_time_sec", status.lastBackgroundDurationSeconds());
    line(
        "rdb_current_bgsave_time_sec",
        running == null ? NOT_RUNNING : nowSeconds - running.startedSeconds());
    line("rdb_saves", status.saves());
    line("rdb_last_cow_size", memoryPeakBytes);
  }

  /** What the last loading brought. */
  void loaded(@Nullable LoadReport report) {
    line("rdb_last_load_keys_expired", report == null ? 0 : report.expiredKeys());
    line("rdb_last_load_keys_loaded", report == null ? 0 : report.loadedKeys());
  }

  private void line(String name, long value) {
    line(name, Long.toString(value));
  }

  private void line(String name, String value) {
    info.append(name).append(':').append(value).append("\r\n");
  }
}
