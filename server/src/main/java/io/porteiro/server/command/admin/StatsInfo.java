package io.porteiro.server.command.admin;

import io.porteiro.server.access.AccessLog;
import io.porteiro.server.access.Denial;
import io.porteiro.server.command.Channels;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.Persistence;
import io.porteiro.server.command.Tracking;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.metrics.ClientLosses;
import io.porteiro.server.metrics.ExpiryFigures;
import io.porteiro.server.metrics.InfoText;
import io.porteiro.server.metrics.Metrics;
import io.porteiro.server.metrics.OverLimit;

/** INFO's counters: what CONFIG RESETSTAT sets to zero. */
final class StatsInfo {
  private static final double BYTES_PER_KILOBYTE = 1024;

  private StatsInfo() {}

  static void write(InfoText info, CommandContext context) {
    Metrics metrics = context.services().metrics();
    info.section("Stats");
    traffic(info, metrics);
    expiry(info, metrics.expiry());
    eviction(info, metrics.clientLosses(), metrics.overLimit());
    lookUps(info, metrics);
    channels(info, context.services().channels());
    snapshots(info, context.services().persistence());
    whatIsNotThere(info);
    tracking(info, context.services().tracking());
    errors(info, metrics);
    system(info, metrics, context.config());
    denials(info, context.services().accessLog());
  }

  private static void traffic(InfoText info, Metrics metrics) {
    info.field("total_connections_received", metrics.connectionsReceived())
        .field("total_commands_processed", metrics.commandsProcessed())
        .field("instantaneous_ops_per_sec", metrics.operationsPerSecond())
        .field("total_net_input_bytes", metrics.bytesIn())
        .field("total_net_output_bytes", metrics.bytesOut())
        .field("total_net_repl_input_bytes", 0)
        .field("total_net_repl_output_bytes", 0)
        .decimal("instantaneous_input_kbps", 2, metrics.inputBytesPerSecond() / BYTES_PER_KILOBYTE)
        .decimal(
            "instantaneous_output_kbps", 2, metrics.outputBytesPerSecond() / BYTES_PER_KILOBYTE)
        .decimal("instantaneous_input_repl_kbps", 2, 0)
        .decimal("instantaneous_output_repl_kbps", 2, 0)
        .field("rejected_connections", metrics.connectionsRejected())
        .field("sync_full", 0)
        .field("sync_partial_ok", 0)
        .field("sync_partial_err", 0)
        .field("expired_keys", metrics.expiredKeys());
  }

  private static void expiry(InfoText info, ExpiryFigures expiry) {
    info.decimal("expired_stale_perc", 2, expiry.stalePercent())
        .field("expired_time_cap_reached_count", expiry.cutShort())
        .field("expire_cycle_cpu_milliseconds", expiry.milliseconds());
  }

  /** No key is ever evicted, but connections are. */
  private static void eviction(InfoText info, ClientLosses clients, OverLimit overLimit) {
    info.field("evicted_keys", 0)
        .field("evicted_clients", clients.evicted())
        .field("evicted_scripts", 0)
        .field("total_eviction_exceeded_time", overLimit.totalMilliseconds())
        .field("current_eviction_exceeded_time", overLimit.currentMilliseconds());
  }

  private static void lookUps(InfoText info, Metrics metrics) {
    info.field("keyspace_hits", metrics.keyspaceHits())
        .field("keyspace_misses", metrics.keyspaceMisses());
  }

  private static void channels(InfoText info, Channels channels) {
    info.field("pubsub_channels", channels.active(Channels.Kind.CHANNEL, "*").size())
        .field("pubsub_patterns", channels.patterns())
        .field("pubsubshard_channels", channels.active(Channels.Kind.SHARD, "*").size());
  }

  /** In place of forks. */
  private static void snapshots(InfoText info, Persistence persistence) {
    info.field("latest_fork_usec", persistence.lastCutMicros())
        .field("total_forks", persistence.snapshots());
  }

  /** Replicas, defragmentation. */
  private static void whatIsNotThere(InfoText info) {
    info.field("migrate_cached_sockets", 0)
        .field("slave_expires_tracked_keys", 0)
        .field("active_defrag_hits", 0)
        .field("active_defrag_misses", 0)
        .field("active_defrag_key_hits", 0)
        .field("active_defrag_key_misses", 0)
        .field("total_active_defrag_time", 0)
        .field("current_active_defrag_time", 0);
  }

  /** What is remembered for the caches of clients. */
  private static void tracking(InfoText info, Tracking tracking) {
    info.field("tracking_total_keys", tracking.keys())
        .field("tracking_total_items", tracking.items())
        .field("tracking_total_prefixes", tracking.prefixes());
  }

  private static void errors(InfoText info, Metrics metrics) {
    info.field("unexpected_error_replies", 0)
        .field("total_error_replies", metrics.errorReplies())
        .field("dump_payload_sanitizations", 0);
  }

  private static void system(InfoText info, Metrics metrics, ServerConfig config) {
    boolean threads = config.ioThreads() > 1;
    info.field("total_reads_processed", metrics.reads())
        .field("total_writes_processed", metrics.writes())
        .field("io_threaded_reads_processed", threads ? metrics.reads() : 0)
        .field("io_threaded_writes_processed", threads ? metrics.writes() : 0)
        .field("client_query_buffer_limit_disconnections", metrics.clientLosses().inputLimit())
        .field("client_output_buffer_limit_disconnections", metrics.clientLosses().outputLimit())
        .field("reply_buffer_shrinks", 0)
        .field("reply_buffer_expands", 0);
  }

  private static void denials(InfoText info, AccessLog log) {
    info.field("acl_access_denied_auth", log.count(Denial.AUTH))
        .field("acl_access_denied_cmd", log.count(Denial.COMMAND))
        .field("acl_access_denied_key", log.count(Denial.KEY))
        .field("acl_access_denied_channel", log.count(Denial.CHANNEL));
  }
}
