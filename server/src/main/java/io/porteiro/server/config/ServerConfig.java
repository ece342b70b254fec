package io.porteiro.server.config;

import static io.porteiro.server.config.Directive.Trait.IMMUTABLE;
import static io.porteiro.server.config.Directive.Trait.PROTECTED;
import static io.porteiro.server.config.Directive.Trait.SENSITIVE;

import io.porteiro.server.config.NumberDirective.Notation;
import java.util.List;

/**
 * The settings, under the names and with the rules of redis.conf.
 *
 * <p>Each accessor reads one volatile field and is cheap enough for every request; what it answers
 * may change at any time by CONFIG SET. Texts are byte strings: each character is one byte.
 */
public final class ServerConfig {
  private static final long INT_MAX = Integer.MAX_VALUE;
  private static final long UINT_MAX = (1L << 32) - 1;
  private static final long MIB = 1L << 20;

  private final Directives directives = new Directives();

  // Connections
  private final Directive<List<String>> bind = words("bind", Rules::bind, "*", "-::*");
  private final Directive<Long> port = integer("port", 0, 65535, 6379);
  private final Directive<Long> tcpBacklog = fixed(integer("tcp-backlog", 0, INT_MAX, 511));
  private final Directive<String> unixsocket = fixed(text("unixsocket", ""));
  private final Directive<Long> unixsocketperm =
      fixed(number("unixsocketperm", Notation.OCTAL, 0, 0777, 0));
  private final Directive<Boolean> protectedMode = yesNo("protected-mode", true);
  private final Directive<Long> maxclients = integer("maxclients", 1, UINT_MAX, 10_000);
  private final Directive<Long> timeout = integer("timeout", 0, INT_MAX, 0);
  private final Directive<Long> tcpKeepalive = integer("tcp-keepalive", 0, INT_MAX, 300);
  private final Directive<Long> protoMaxBulkLen =
      memory("proto-max-bulk-len", MIB, Long.MAX_VALUE, 512 * MIB);
  private final Directive<Long> clientQueryBufferLimit =
      memory("client-query-buffer-limit", MIB, Long.MAX_VALUE, 1024 * MIB);
  private final Directive<OutputBufferLimits> clientOutputBufferLimit =
      directives.add(new OutputBufferLimitDirective());
  private final Directive<Long> maxmemoryClients =
      number("maxmemory-clients", Notation.MEMORY_OR_PERCENT, -100, Long.MAX_VALUE, 0);
  private final Directive<String> requirepass = text("requirepass", "").with(SENSITIVE);
  private final Directive<Long> ioThreads = fixed(integer("io-threads", 1, 128, defaultLoops()));
  private final Directive<String> ioTransport =
      fixed(choice("io-transport", "auto", "auto", "io_uring", "epoll", "nio"));

  // Process
  private final Directive<Long> databases = fixed(integer("databases", 1, INT_MAX, 16));
  private final Directive<String> loglevel =
      choice("loglevel", "notice", "debug", "verbose", "notice", "warning", "nothing");
  private final Directive<String> logfile = fixed(text("logfile", ""));
  private final Directive<String> pidfile = fixed(text("pidfile", ""));
  private final Directive<Long> hz = integer("hz", 0, INT_MAX, 10);
  private final Directive<Long> activeExpireEffort = integer("active-expire-effort", 1, 10, 1);
  private final Directive<List<String>> shutdownOnSigterm =
      words("shutdown-on-sigterm", Rules::shutdown, "default");
  private final Directive<List<String>> shutdownOnSigint =
      words("shutdown-on-sigint", Rules::shutdown, "default");
  private final Directive<Long> shutdownTimeout = integer("shutdown-timeout", 0, INT_MAX, 10);
  private final Directive<String> enableDebugCommand = fixed(permission("enable-debug-command"));
  private final Directive<String> enableProtectedConfigs =
      fixed(permission("enable-protected-configs"));
  private final Directive<String> enableModuleCommand = fixed(permission("enable-module-command"));

  // Memory
  private final Directive<Long> maxmemory = memory("maxmemory", 0, Long.MAX_VALUE, 0);
  private final Directive<String> maxmemoryPolicy =
      choice(
          "maxmemory-policy",
          "noeviction",
          "volatile-lru",
          "volatile-lfu",
          "volatile-random",
          "volatile-ttl",
          "allkeys-lru",
          "allkeys-lfu",
          "allkeys-random",
          "noeviction");
  private final Directive<Boolean> lazyfreeLazyExpire = yesNo("lazyfree-lazy-expire", false);
  private final Directive<Boolean> lazyfreeLazyServerDel = yesNo("lazyfree-lazy-server-del", false);
  private final Directive<Boolean> lazyfreeLazyUserDel = yesNo("lazyfree-lazy-user-del", false);
  private final Directive<Boolean> lazyfreeLazyUserFlush = yesNo("lazyfree-lazy-user-flush", false);

  // Snapshots and log
  private final Directive<String> dir = text("dir", ".").with(PROTECTED);
  private final Directive<String> dbfilename = text("dbfilename", "dump.rdb").with(PROTECTED);
  private final Directive<List<SavePoint>> save =
      directives.add(
          new SaveDirective(
              new SavePoint(3600, 1), new SavePoint(300, 100), new SavePoint(60, 10_000)));
  private final Directive<Boolean> rdbcompression = yesNo("rdbcompression", true);
  private final Directive<Boolean> rdbchecksum = fixed(yesNo("rdbchecksum", true));
  private final Directive<Boolean> stopWritesOnBgsaveError =
      yesNo("stop-writes-on-bgsave-error", true);
  private final Directive<String> rdbLoadUnsupportedTypes =
      choice("rdb-load-unsupported-types", "refuse", "refuse", "skip");
  private final Directive<Boolean> appendonly = yesNo("appendonly", false);

  // Commands
  private final Directive<Integer> notifyKeyspaceEvents =
      directives.add(new EventClassesDirective());
  private final Directive<Long> slowlogLogSlowerThan =
      integer("slowlog-log-slower-than", -1, Long.MAX_VALUE, 10_000);
  private final Directive<Long> slowlogMaxLen = integer("slowlog-max-len", 0, Long.MAX_VALUE, 128);
  private final Directive<Long> latencyMonitorThreshold =
      integer("latency-monitor-threshold", 0, Long.MAX_VALUE, 0);
  private final Directive<Boolean> latencyTracking = yesNo("latency-tracking", true);

  // Structures
  private final Directive<Long> hllSparseMaxBytes =
      memory("hll-sparse-max-bytes", 0, Long.MAX_VALUE, 3000);
  private final Directive<Double> bfErrorRate =
      directives.add(new RateDirective("bf-error-rate", 0.01));
  private final Directive<Long> bfInitialSize = integer("bf-initial-size", 1, 1L << 30, 100);
  private final Directive<Long> bfExpansionFactor = integer("bf-expansion-factor", 0, 32768, 2);
  private final Directive<Long> bfMaxCapacity = integer("bf-max-capacity", 1, 1L << 40, 1L << 30);
  private final Directive<Boolean> bfHugePages = yesNo("bf-huge-pages", true);

  /** Redis's stock settings. */
  public ServerConfig() {}

  /**
   * Half the cores: the load, the kernel's network work and the background threads need the rest.
   */
  private static int defaultLoops() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  private Directive<Boolean> yesNo(String name, boolean defaultValue) {
    return directives.add(new YesNoDirective(name, defaultValue));
  }

  private Directive<Long> integer(String name, long min, long max, long defaultValue) {
    return number(name, Notation.INTEGER, min, max, defaultValue);
  }

  private Directive<Long> memory(String name, long min, long max, long defaultValue) {
    return number(name, Notation.MEMORY, min, max, defaultValue);
  }

  private Directive<Long> number(
      String name, Notation notation, long min, long max, long defaultValue) {
    return directives.add(new NumberDirective(name, notation, min, max, defaultValue));
  }

  private Directive<String> text(String name, String defaultValue) {
    return directives.add(new TextDirective(name, defaultValue));
  }

  private Directive<String> choice(String name, String defaultValue, String... choices) {
    return directives.add(new ChoiceDirective(name, defaultValue, choices));
  }

  private Directive<String> permission(String name) {
    return choice(name, "no", "no", "yes", "local");
  }

  private Directive<List<String>> words(
      String name, WordsDirective.Rule rule, String... defaultValue) {
    return directives.add(new WordsDirective(name, rule, defaultValue));
  }

  private static <T> Directive<T> fixed(Directive<T> directive) {
    return directive.with(IMMUTABLE);
  }

  /** Addresses to listen on; one that starts with {@code -} may be unavailable; none is none. */
  public List<String> bind() {
    return bind.get();
  }

  /** TCP port; 0 is none. */
  public int port() {
    return Math.toIntExact(port.get());
  }

  public int tcpBacklog() {
    return Math.toIntExact(tcpBacklog.get());
  }

  /** Path of the Unix socket; empty is none. */
  public String unixsocket() {
    return unixsocket.get();
  }

  /** Permission bits of the Unix socket; 0 leaves what the umask gives. */
  public int unixsocketperm() {
    return Math.toIntExact(unixsocketperm.get());
  }

  public boolean protectedMode() {
    return protectedMode.get();
  }

  public long maxclients() {
    return maxclients.get();
  }

  /** Seconds after which an idle client is closed; 0 is never. */
  public int timeout() {
    return Math.toIntExact(timeout.get());
  }

  /** Seconds between TCP keepalive probes; 0 is none. */
  public int tcpKeepalive() {
    return Math.toIntExact(tcpKeepalive.get());
  }

  /** Most bytes of one argument; at least 1 MiB. */
  public long protoMaxBulkLen() {
    return protoMaxBulkLen.get();
  }

  /** Most bytes of unprocessed input of one client; at least 1 MiB. */
  public long clientQueryBufferLimit() {
    return clientQueryBufferLimit.get();
  }

  public OutputBufferLimits clientOutputBufferLimit() {
    return clientOutputBufferLimit.get();
  }

  /** Most bytes of all clients together; negative: percent of maxmemory; 0: no limit. */
  public long maxmemoryClients() {
    return maxmemoryClients.get();
  }

  /** The password, each character one byte; empty is none. */
  public String requirepass() {
    return requirepass.get();
  }

  /** Number of event loops. */
  public int ioThreads() {
    return Math.toIntExact(ioThreads.get());
  }

  /** One of auto, io_uring, epoll, nio. */
  public String ioTransport() {
    return ioTransport.get();
  }

  public int databases() {
    return Math.toIntExact(databases.get());
  }

  /** One of debug, verbose, notice, warning, nothing. */
  public String loglevel() {
    return loglevel.get();
  }

  /** Path of the log; empty is standard output. */
  public String logfile() {
    return logfile.get();
  }

  /** Path of the file with the process's number; empty is none. */
  public String pidfile() {
    return pidfile.get();
  }

  /** Background cycles a second, 1 to 500 whatever was set. */
  public int hz() {
    return Math.clamp(hz.get(), 1, 500);
  }

  /** 1 to 10: how hard the background looks for expired keys. */
  public int activeExpireEffort() {
    return Math.toIntExact(activeExpireEffort.get());
  }

  /** Words out of default, save, nosave, now, force. */
  public List<String> shutdownOnSigterm() {
    return shutdownOnSigterm.get();
  }

  /** Words out of default, save, nosave, now, force. */
  public List<String> shutdownOnSigint() {
    return shutdownOnSigint.get();
  }

  /** Seconds that a shutdown waits for replicas. */
  public int shutdownTimeout() {
    return Math.toIntExact(shutdownTimeout.get());
  }

  /** no, yes, or local: only on loopback and Unix sockets. */
  public String enableDebugCommand() {
    return enableDebugCommand.get();
  }

  /** no, yes, or local: only on loopback and Unix sockets. */
  public String enableProtectedConfigs() {
    return enableProtectedConfigs.get();
  }

  /** no, yes, or local: only on loopback and Unix sockets. */
  public String enableModuleCommand() {
    return enableModuleCommand.get();
  }

  /** Most bytes in use before growing commands are refused; 0 is no limit. */
  public long maxmemory() {
    return maxmemory.get();
  }

  /** One of Redis's names; nothing is ever evicted. */
  public String maxmemoryPolicy() {
    return maxmemoryPolicy.get();
  }

  public boolean lazyfreeLazyExpire() {
    return lazyfreeLazyExpire.get();
  }

  public boolean lazyfreeLazyServerDel() {
    return lazyfreeLazyServerDel.get();
  }

  public boolean lazyfreeLazyUserDel() {
    return lazyfreeLazyUserDel.get();
  }

  public boolean lazyfreeLazyUserFlush() {
    return lazyfreeLazyUserFlush.get();
  }

  /** The directory that relative paths of files start from, as it was given. */
  public String dir() {
    return dir.get();
  }

  /** Name of the snapshot file in {@link #dir}. */
  public String dbfilename() {
    return dbfilename.get();
  }

  /** When to save by itself; none is never. */
  public List<SavePoint> save() {
    return save.get();
  }

  public boolean rdbcompression() {
    return rdbcompression.get();
  }

  public boolean rdbchecksum() {
    return rdbchecksum.get();
  }

  public boolean stopWritesOnBgsaveError() {
    return stopWritesOnBgsaveError.get();
  }

  /** refuse, or skip: what becomes of a file with values that are no strings or filters. */
  public String rdbLoadUnsupportedTypes() {
    return rdbLoadUnsupportedTypes.get();
  }

  public boolean appendonly() {
    return appendonly.get();
  }

  /** The bits of {@link EventClasses}. */
  public int notifyKeyspaceEvents() {
    return notifyKeyspaceEvents.get();
  }

  /** Microseconds from which a command is slow; negative is never. */
  public long slowlogLogSlowerThan() {
    return slowlogLogSlowerThan.get();
  }

  /** Most entries of the slow log. */
  public long slowlogMaxLen() {
    return slowlogMaxLen.get();
  }

  /** Milliseconds from which a latency is sampled; 0 is never. */
  public long latencyMonitorThreshold() {
    return latencyMonitorThreshold.get();
  }

  public boolean latencyTracking() {
    return latencyTracking.get();
  }

  /** Bytes, header included, above which a sparse HyperLogLog turns dense. */
  public long hllSparseMaxBytes() {
    return hllSparseMaxBytes.get();
  }

  /** Above 0, at most 0.25. */
  public double bfErrorRate() {
    return bfErrorRate.get();
  }

  /** Capacity of a filter that BF.ADD creates; at least 1. */
  public long bfInitialSize() {
    return bfInitialSize.get();
  }

  /** 0 to 32768; 0 makes filters that do not scale. */
  public int bfExpansionFactor() {
    return Math.toIntExact(bfExpansionFactor.get());
  }

  /** Largest capacity that a filter may be created with; 1 to 2^40. */
  public long bfMaxCapacity() {
    return bfMaxCapacity.get();
  }

  /** Whether large filters are advised for huge pages. */
  public boolean bfHugePages() {
    return bfHugePages.get();
  }
}
