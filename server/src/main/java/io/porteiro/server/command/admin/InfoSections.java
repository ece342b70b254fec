package io.porteiro.server.command.admin;

import io.porteiro.server.command.BuiltInModule;
import io.porteiro.server.command.Channels;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Session;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.config.ServerVersion;
import io.porteiro.server.metrics.InfoText;
import io.porteiro.server.metrics.LatencyHistogram;
import io.porteiro.server.metrics.Metrics;
import io.porteiro.server.metrics.ProcessStats;
import io.porteiro.server.store.Keyspace;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * What INFO says: Redis's sections and fields, in its order. Fields about what does not exist here
 * are there and 0, because monitoring tools read them.
 *
 * @see <a href="https://redis.io/docs/latest/commands/info/">the fields</a>
 */
final class InfoSections {
  /** One section. */
  @FunctionalInterface
  interface Section {
    void write(InfoText info, CommandContext context);
  }

  private static final int LRU_CLOCK_MASK = 0xffffff;
  private static final double NANOS_PER_MICRO = 1000;
  private static final double BYTES_PER_KILOBYTE = 1024;

  private static final List<String> DEFAULTS =
      List.of(
          "server",
          "clients",
          "memory",
          "persistence",
          "stats",
          "replication",
          "cpu",
          "modules",
          "errorstats",
          "cluster",
          "keyspace");

  private final ServerIdentity identity;
  private final Map<String, Section> all = new LinkedHashMap<>();

  InfoSections(ServerIdentity identity) {
    this.identity = identity;
    all.put("server", this::server);
    all.put("clients", InfoSections::clients);
    all.put("memory", InfoSections::memory);
    all.put("persistence", InfoSections::persistence);
    all.put("stats", InfoSections::stats);
    all.put("replication", this::replication);
    all.put("cpu", InfoSections::cpu);
    all.put("modules", InfoSections::modules);
    all.put("commandstats", InfoSections::commandStats);
    all.put("errorstats", InfoSections::errorStats);
    all.put("latencystats", InfoSections::latencyStats);
    all.put("cluster", InfoSections::cluster);
    all.put("keyspace", InfoSections::keyspace);
    all.put("bloom", InfoSections::bloom);
  }

  /** All sections by name, in the order in which they are shown. */
  Map<String, Section> all() {
    return all;
  }

  List<String> defaults() {
    return DEFAULTS;
  }

  private void server(InfoText info, CommandContext context) {
    ServerConfig config = context.config();
    Path file = config.configFile();
    long uptimeSeconds = (context.nowMs() - identity.startedAtMs()) / 1000;
    info.section("Server")
        .field("redis_version", ServerVersion.REDIS)
        .field("porteiro_version", ServerVersion.PORTEIRO)
        .field("redis_git_sha1", "00000000")
        .field("redis_git_dirty", 0)
        .field("redis_build_id", Integer.toHexString(ServerVersion.PORTEIRO.hashCode()))
        .field("redis_mode", "standalone")
        .field("os", operatingSystem())
        .field("arch_bits", 64)
        .field("monotonic_clock", "System.nanoTime")
        .field("multiplexing_api", context.services().metrics().transport())
        .field("java_version", Runtime.version())
        .field("process_id", ProcessHandle.current().pid())
        .field("process_supervised", "no")
        .field("run_id", identity.runId())
        .field("tcp_port", config.port())
        .field("server_time_usec", TimeUnit.MILLISECONDS.toMicros(context.nowMs()))
        .field("uptime_in_seconds", uptimeSeconds)
        .field("uptime_in_days", TimeUnit.SECONDS.toDays(uptimeSeconds))
        .field("hz", config.hz())
        .field("configured_hz", config.hz())
        .field("lru_clock", context.nowMs() / 1000 & LRU_CLOCK_MASK)
        .field("executable", ProcessHandle.current().info().command().orElse(""))
        .field("config_file", file == null ? "" : file)
        .field("io_threads_active", config.ioThreads() > 1 ? 1 : 0);
  }

  private static String operatingSystem() {
    return System.getProperty("os.name")
        + " "
        + System.getProperty("os.version")
        + " "
        + System.getProperty("os.arch");
  }

  private static void clients(InfoText info, CommandContext context) {
    Collection<Session> sessions = context.services().clients().all();
    info.section("Clients")
        .field("connected_clients", sessions.size())
        .field("cluster_connections", 0)
        .field("maxclients", context.config().maxclients())
        .field("client_recent_max_input_buffer", max(sessions, s -> s.peer().inputBytes()))
        .field("client_recent_max_output_buffer", max(sessions, s -> s.peer().outputBytes()))
        .field("blocked_clients", sessions.stream().filter(Session::isWaiting).count())
        .field("tracking_clients", 0)
        .field("pubsub_clients", sessions.stream().filter(Session::isSubscriber).count())
        .field("watching_clients", sessions.stream().filter(s -> !s.watches().isEmpty()).count())
        .field("clients_in_timeout_table", 0)
        .field("total_watched_keys", sessions.stream().mapToInt(s -> s.watches().size()).sum())
        .field("total_blocking_keys", 0)
        .field("total_blocking_keys_on_nokey", 0);
  }

  private static long max(Collection<Session> sessions, ToLongFunction<Session> figure) {
    return sessions.stream().mapToLong(figure).max().orElse(0);
  }

  private static void memory(InfoText info, CommandContext context) {
    MemoryFigures memory = MemoryFigures.of(context);
    info.section("Memory")
        .bytes("used_memory", memory.used())
        .bytes("used_memory_rss", memory.resident())
        .bytes("used_memory_peak", memory.peak())
        .field("used_memory_peak_perc", percent(memory.used(), memory.peak()))
        .field("used_memory_overhead", memory.overhead())
        .field("used_memory_startup", 0)
        .field("used_memory_dataset", memory.dataset())
        .field("used_memory_dataset_perc", percent(memory.dataset(), memory.used()))
        .field("allocator_allocated", memory.used())
        .field("allocator_active", memory.resident())
        .field("allocator_resident", memory.resident())
        .bytes("total_system_memory", ProcessStats.totalMemoryBytes());
    memoryOfJava(info);
    memoryLimit(info, context.config(), memory);
    memoryElsewhere(info, memory);
  }

  private static void memoryOfJava(InfoText info) {
    info.bytes("java_heap_used", ProcessStats.heapBytes())
        .bytes("java_heap_max", Runtime.getRuntime().maxMemory())
        .bytes("used_memory_lua", 0)
        .bytes("used_memory_scripts", 0)
        .field("number_of_cached_scripts", 0)
        .field("number_of_functions", 0)
        .field("number_of_libraries", 0);
  }

  private static void memoryLimit(InfoText info, ServerConfig config, MemoryFigures memory) {
    info.bytes("maxmemory", config.maxmemory())
        .field("maxmemory_policy", config.maxmemoryPolicy())
        .decimal("mem_fragmentation_ratio", 2, memory.fragmentation())
        .field("mem_fragmentation_bytes", memory.resident() - memory.used());
  }

  private static void memoryElsewhere(InfoText info, MemoryFigures memory) {
    info.field("mem_not_counted_for_evict", 0)
        .field("mem_replication_backlog", 0)
        .field("mem_total_replication_buffers", 0)
        .field("mem_clients_slaves", 0)
        .field("mem_clients_normal", memory.clients())
        .field("mem_cluster_links", 0)
        .field("mem_aof_buffer", 0)
        .field("mem_allocator", "libc")
        .field("active_defrag_running", 0)
        .field("lazyfree_pending_objects", 0)
        .field("lazyfreed_objects", 0);
  }

  private static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.2f%%", whole == 0 ? 0 : 100.0 * part / whole);
  }

  private static void persistence(InfoText info, CommandContext context) {
    info.section("Persistence");
    context.services().persistence().appendInfo(info.lines());
  }

  private static void stats(InfoText info, CommandContext context) {
    Metrics metrics = context.services().metrics();
    info.section("Stats");
    traffic(info, metrics);
    keyStatistics(info, metrics);
    channelStatistics(info, context.services().channels());
    whatIsNotThere(info);
    info.field("total_error_replies", metrics.errorReplies());
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
        .field("sync_partial_err", 0);
  }

  private static void keyStatistics(InfoText info, Metrics metrics) {
    info.field("expired_keys", metrics.expiredKeys())
        .field("evicted_keys", 0)
        .field("evicted_clients", 0)
        .field("evicted_scripts", 0)
        .field("keyspace_hits", metrics.keyspaceHits())
        .field("keyspace_misses", metrics.keyspaceMisses());
  }

  private static void channelStatistics(InfoText info, Channels channels) {
    info.field("pubsub_channels", channels.active(Channels.Kind.CHANNEL, "*").size())
        .field("pubsub_patterns", channels.patterns())
        .field("pubsubshard_channels", channels.active(Channels.Kind.SHARD, "*").size());
  }

  /** Redis's figures on forks, replicas and caches of clients. */
  private static void whatIsNotThere(InfoText info) {
    info.field("latest_fork_usec", 0)
        .field("total_forks", 0)
        .field("migrate_cached_sockets", 0)
        .field("slave_expires_tracked_keys", 0)
        .field("tracking_total_keys", 0)
        .field("tracking_total_items", 0)
        .field("tracking_total_prefixes", 0)
        .field("unexpected_error_replies", 0);
  }

  private void replication(InfoText info, CommandContext context) {
    info.section("Replication")
        .field("role", "master")
        .field("connected_slaves", 0)
        .field("master_failover_state", "no-failover")
        .field("master_replid", identity.replicationId())
        .field("master_replid2", "0".repeat(identity.replicationId().length()))
        .field("master_repl_offset", 0)
        .field("second_repl_offset", -1)
        .field("repl_backlog_active", 0)
        .field("repl_backlog_size", setting(context, "repl-backlog-size"))
        .field("repl_backlog_first_byte_offset", 0)
        .field("repl_backlog_histlen", 0);
  }

  private static Object setting(CommandContext context, String name) {
    return context.config().get(List.of(name)).getOrDefault(name, "");
  }

  private static void cpu(InfoText info, CommandContext context) {
    info.section("CPU")
        .decimal("used_cpu_sys", 6, ProcessStats.systemSeconds())
        .decimal("used_cpu_user", 6, ProcessStats.userSeconds())
        .decimal("used_cpu_sys_children", 6, 0)
        .decimal("used_cpu_user_children", 6, 0);
  }

  private static void modules(InfoText info, CommandContext context) {
    info.section("Modules")
        .field(
            "module",
            "name="
                + BuiltInModule.NAME
                + ",ver="
                + ServerVersion.BLOOM_MODULE
                + ",api=1,filters=0,usedby=[],using=[],options=[]");
  }

  private static void commandStats(InfoText info, CommandContext context) {
    Metrics metrics = context.services().metrics();
    info.section("Commandstats");
    for (CommandSpec spec : context.services().table().byId()) {
      long calls = metrics.calls(spec.id());
      long rejected = metrics.rejectedCalls(spec.id());
      if (calls + rejected > 0) {
        info.field("cmdstat_" + spec.fullName(), commandStat(metrics, spec.id(), calls, rejected));
      }
    }
  }

  private static String commandStat(Metrics metrics, int command, long calls, long rejected) {
    double micros = metrics.nanos(command) / NANOS_PER_MICRO;
    return String.format(
        Locale.ROOT,
        "calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d",
        calls,
        Math.round(micros),
        calls == 0 ? 0 : micros / calls,
        rejected,
        metrics.failedCalls(command));
  }

  private static void errorStats(InfoText info, CommandContext context) {
    info.section("Errorstats");
    context
        .services()
        .metrics()
        .errorsByKind()
        .forEach((kind, count) -> info.field("errorstat_" + kind, "count=" + count));
  }

  private static void latencyStats(InfoText info, CommandContext context) {
    info.section("Latencystats");
    if (!context.config().latencyTracking()) {
      return;
    }
    Metrics metrics = context.services().metrics();
    List<String> percentiles = context.config().latencyTrackingInfoPercentiles();
    for (CommandSpec spec : context.services().table().byId()) {
      if (metrics.calls(spec.id()) > 0 && !percentiles.isEmpty()) {
        info.field(
            "latency_percentiles_usec_" + spec.fullName(),
            latencies(metrics.latencyBuckets(spec.id()), percentiles));
      }
    }
  }

  private static String latencies(long[] buckets, List<String> percentiles) {
    return percentiles.stream()
        .map(percentile -> "p" + percentile + "=" + latency(buckets, percentile))
        .collect(Collectors.joining(","));
  }

  private static String latency(long[] buckets, String percentile) {
    long nanos = LatencyHistogram.percentileNanos(buckets, Double.parseDouble(percentile));
    return String.format(Locale.ROOT, "%.3f", nanos / NANOS_PER_MICRO);
  }

  private static void cluster(InfoText info, CommandContext context) {
    info.section("Cluster").field("cluster_enabled", 0);
  }

  private static void keyspace(InfoText info, CommandContext context) {
    Keyspace keyspace = context.keyspace();
    info.section("Keyspace");
    for (int database = 0; database < keyspace.databases(); database++) {
      long keys = keyspace.size(database);
      if (keys > 0) {
        long expiring = keyspace.expiringSize(database);
        info.field(
            "db" + database,
            "keys="
                + keys
                + ",expires="
                + expiring
                + ",avg_ttl="
                + AverageTtl.milliseconds(context, database, expiring)
                + ",subexpiry=0");
      }
    }
  }

  private static void bloom(InfoText info, CommandContext context) {
    ServerConfig config = context.config();
    info.section("Bloom")
        .field("bf_error_rate", config.bfErrorRate())
        .field("bf_initial_size", config.bfInitialSize())
        .field("bf_expansion_factor", config.bfExpansionFactor())
        .field("bf_max_capacity", config.bfMaxCapacity())
        .field("bf_add_calls", calls(context, "bf.add", "bf.madd", "bf.insert"))
        .field("bf_exists_calls", calls(context, "bf.exists", "bf.mexists"));
  }

  private static long calls(CommandContext context, String... names) {
    long calls = 0;
    for (String name : names) {
      CommandSpec spec = context.services().table().find(name);
      calls += spec == null ? 0 : context.services().metrics().calls(spec.id());
    }
    return calls;
  }
}
