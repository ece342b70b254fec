package io.porteiro.server.command.admin;

import io.porteiro.server.command.BuiltInModule;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.config.ServerVersion;
import io.porteiro.server.metrics.InfoText;
import io.porteiro.server.metrics.ProcessStats;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** INFO on the process and its place among others: server, replication, CPU, modules, cluster. */
final class ServerInfo {
  private static final int LRU_CLOCK_MASK = 0xffffff;

  /** Event loops' threads are called so. */
  private static final String SERVING_THREADS = "loop-";

  private final ServerIdentity identity;

  ServerInfo(ServerIdentity identity) {
    this.identity = identity;
  }

  void server(InfoText info, CommandContext context) {
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
        .field("tcp_port", port(context.config()));
    time(info, context);
    origin(info, context.config());
    listeners(info, context.config());
  }

  private static String operatingSystem() {
    return System.getProperty("os.name")
        + " "
        + System.getProperty("os.version")
        + " "
        + System.getProperty("os.arch");
  }

  private void time(InfoText info, CommandContext context) {
    long uptimeSeconds = (context.nowMs() - identity.startedAtMs()) / 1000;
    info.field("server_time_usec", TimeUnit.MILLISECONDS.toMicros(context.nowMs()))
        .field("uptime_in_seconds", uptimeSeconds)
        .field("uptime_in_days", TimeUnit.SECONDS.toDays(uptimeSeconds))
        .field("hz", context.config().hz())
        .field("configured_hz", context.config().hz())
        .field("lru_clock", context.nowMs() / 1000 & LRU_CLOCK_MASK);
  }

  private static void origin(InfoText info, ServerConfig config) {
    Path file = config.configFile();
    info.field("executable", ProcessHandle.current().info().command().orElse(""))
        .field("config_file", file == null ? "" : file)
        .field("io_threads_active", config.ioThreads() > 1 ? 1 : 0);
  }

  /** As Redis numbers them: TCP is 0, the Unix socket 1. */
  private static void listeners(InfoText info, ServerConfig config) {
    if (config.port() > 0) {
      String addresses =
          config.bind().stream().map(address -> ",bind=" + address).collect(Collectors.joining());
      info.field("listener0", "name=tcp" + addresses + ",port=" + config.port());
    }
    if (!config.unixsocket().isEmpty()) {
      info.field("listener1", "name=unix,bind=" + config.unixsocket());
    }
  }

  void replication(InfoText info, CommandContext context) {
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

  /** The event loops are what Redis's main thread is. */
  static void cpu(InfoText info, CommandContext context) {
    info.section("CPU")
        .decimal("used_cpu_sys", 6, ProcessStats.systemSeconds())
        .decimal("used_cpu_user", 6, ProcessStats.userSeconds())
        .decimal("used_cpu_sys_children", 6, ProcessStats.childrenSystemSeconds())
        .decimal("used_cpu_user_children", 6, ProcessStats.childrenUserSeconds())
        .decimal("used_cpu_sys_main_thread", 6, ProcessStats.systemSecondsOf(SERVING_THREADS))
        .decimal("used_cpu_user_main_thread", 6, ProcessStats.userSecondsOf(SERVING_THREADS));
  }

  static void modules(InfoText info, CommandContext context) {
    info.section("Modules")
        .field(
            "module",
            "name="
                + BuiltInModule.NAME
                + ",ver="
                + ServerVersion.BLOOM_MODULE
                + ",api=1,filters=0,usedby=[],using=[],options=[]");
  }

  static void cluster(InfoText info, CommandContext context) {
    info.section("Cluster").field("cluster_enabled", 0);
  }

  /** Where there is only an encrypted port, that one. */
  private static int port(ServerConfig config) {
    return config.port() != 0 ? config.port() : config.tls().port();
  }
}
