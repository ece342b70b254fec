package io.porteiro.server.http.metrics;

import io.porteiro.server.command.Persistence;
import io.porteiro.server.command.Services;
import io.porteiro.server.http.survey.InfoFields;
import io.porteiro.server.metrics.DiskSyncs;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.InstantSource;
import java.util.List;

/** Saving and loading, from the same figures as INFO. */
final class PersistenceMetrics implements MetricSource {
  private static final double MILLIS_PER_SECOND = 1000;

  private static final double NANOS_PER_SECOND = 1e9;

  private final Persistence persistence;
  private final DiskSyncs syncs;
  private final InstantSource clock;

  PersistenceMetrics(Services services) {
    this.persistence = services.persistence();
    this.syncs = services.metrics().diskSyncs();
    this.clock = services.clock();
  }

  @Override
  public void addTo(Families families) {
    InfoFields info = InfoFields.of(persistence);
    families.gauge(
        "porteiro_loading",
        "1 while the data are being read from disk.",
        persistence.isLoading() ? 1 : 0);
    families.gauge(
        "porteiro_writes_refused",
        "1 while writes are refused because they could not be kept.",
        persistence.writeRefusal() == null ? 0 : 1);
    snapshots(families, info);
    log(families, info);
    families.histogram(
        "porteiro_aof_fsync_duration_seconds",
        "How long the disk took to make the log durable.",
        List.of(syncs),
        one -> Labels.EMPTY,
        one -> DurationBuckets.of(one.latency()),
        one -> one.nanos() / NANOS_PER_SECOND);
  }

  private void snapshots(Families families, InfoFields info) {
    double lastSeconds = info.number("rdb_last_save_time");
    families.gauge(
        "porteiro_rdb_last_save_timestamp_seconds",
        "Unix time of the last good snapshot, or of the start if there was none.",
        lastSeconds);
    families.gauge(
        "porteiro_rdb_last_save_age_seconds",
        "Time since then.",
        Math.max(0, clock.millis() / MILLIS_PER_SECOND - lastSeconds));
    families.gauge(
        "porteiro_rdb_changes_since_last_save",
        "Changes that no snapshot has yet.",
        info.number("rdb_changes_since_last_save"));
    families.gauge(
        "porteiro_rdb_save_in_progress",
        "1 while a snapshot is being written in the background.",
        info.number("rdb_bgsave_in_progress"));
    families.gauge(
        "porteiro_rdb_last_save_successful",
        "0 if the last snapshot in the background failed.",
        info.isOk("rdb_last_bgsave_status") ? 1 : 0);
    families.gauge(
        "porteiro_rdb_last_save_duration_seconds",
        "How long the last snapshot in the background took; -1 if there was none.",
        info.number("rdb_last_bgsave_time_sec"));
    families.counter("porteiro_rdb_saves", "Snapshots written.", info.number("rdb_saves"));
  }

  private static void log(Families families, InfoFields info) {
    families.gauge(
        "porteiro_aof_enabled",
        "1 if changes are written to the append-only log.",
        info.number("aof_enabled"));
    families.gauge(
        "porteiro_aof_size_bytes",
        "Length of the append-only log, its base included.",
        info.numberOfLog("aof_current_size"));
    families.gauge(
        "porteiro_aof_base_size_bytes",
        "Length that it had after the last rewrite or at the start.",
        info.numberOfLog("aof_base_size"));
    families.gauge(
        "porteiro_aof_pending_bytes",
        "Changes that are not written to the log yet.",
        info.numberOfLog("aof_buffer_length"));
    families.gauge(
        "porteiro_aof_last_write_successful",
        "0 while the log cannot be written.",
        info.isOk("aof_last_write_status") ? 1 : 0);
    families.gauge(
        "porteiro_aof_rewrite_in_progress",
        "1 while the log is being rewritten.",
        info.number("aof_rewrite_in_progress"));
    families.gauge(
        "porteiro_aof_last_rewrite_successful",
        "0 if the last rewrite of the log failed.",
        info.isOk("aof_last_bgrewrite_status") ? 1 : 0);
    families.gauge(
        "porteiro_aof_last_rewrite_duration_seconds",
        "How long the last rewrite of the log took; -1 if there was none.",
        info.number("aof_last_rewrite_time_sec"));
    families.counter("porteiro_aof_rewrites", "Rewrites of the log.", info.number("aof_rewrites"));
    families.counter(
        "porteiro_aof_delayed_fsyncs",
        "How often the log waited for the disk.",
        info.numberOfLog("aof_delayed_fsync"));
  }
}
