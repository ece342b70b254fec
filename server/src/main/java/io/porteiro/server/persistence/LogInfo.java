package io.porteiro.server.persistence;

import io.porteiro.server.persistence.log.AppendOnlyLog;
import org.jspecify.annotations.Nullable;

/** INFO's lines on the log, in Redis's order. */
final class LogInfo {
  static final long NOT_RUNNING = -1;

  private final StringBuilder info;

  LogInfo(StringBuilder info) {
    this.info = info;
  }

  /**
   * The part on rewrites.
   *
   * @param startedSeconds of the one that runs, or {@link #NOT_RUNNING}
   */
  void rewrites(
      boolean enabled,
      RewriteStatus status,
      long startedSeconds,
      boolean scheduled,
      long nowSeconds) {
    boolean runs = startedSeconds != NOT_RUNNING;
    line("aof_enabled", enabled ? 1 : 0);
    line("aof_rewrite_in_progress", runs ? 1 : 0);
    line("aof_rewrite_scheduled", scheduled ? 1 : 0);
    line("aof_last_rewrite_time_sec", status.lastDurationSeconds());
    line("aof_current_rewrite_time_sec", runs ? nowSeconds - startedSeconds : NOT_RUNNING);
    line("aof_last_bgrewrite_status", status.isLastOk() ? "ok" : "err");
    line("aof_rewrites", status.rewrites());
    line("aof_rewrites_consecutive_failures", status.consecutiveFailures());
  }

  /** Whether the log can be written, and why not. */
  void writing(@Nullable String failure) {
    line("aof_last_write_status", failure == null ? "ok" : "err");
    line("aof_last_cow_size", 0);
    line("module_fork_in_progress", 0);
    line("module_fork_last_cow_size", 0);
  }

  /** How much there is. */
  void sizes(long currentBytes, long baseBytes, boolean scheduled, AppendOnlyLog log) {
    line("aof_current_size", currentBytes);
    line("aof_base_size", baseBytes);
    line("aof_pending_rewrite", scheduled ? 1 : 0);
    line("aof_buffer_length", log.bufferedBytes());
    line("aof_pending_bio_fsync", log.isSyncRunning() ? 1 : 0);
    line("aof_delayed_fsync", log.delayedSyncs());
  }

  private void line(String name, long value) {
    line(name, Long.toString(value));
  }

  private void line(String name, String value) {
    info.append(name).append(':').append(value).append("\r\n");
  }
}
