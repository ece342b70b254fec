package io.porteiro.server.config;

import static io.porteiro.server.config.Directive.Trait.HIDDEN;
import static io.porteiro.server.config.Directive.Trait.IMMUTABLE;
import static io.porteiro.server.config.Directive.Trait.PROTECTED;
import static io.porteiro.server.config.Directive.Trait.SENSITIVE;

import io.porteiro.server.config.NumberDirective.Notation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
  private final Directive<String> aclfile = fixed(text("aclfile", ""));
  private final Directive<String> aclPubsubDefault =
      choice("acl-pubsub-default", "resetchannels", "allchannels", "resetchannels");
  private final Directive<Long> acllogMaxLen = integer("acllog-max-len", 0, Long.MAX_VALUE, 128);
  private final Directive<Long> ioThreads = fixed(integer("io-threads", 1, 128, defaultLoops()));
  private final Directive<String> ioTransport =
      fixed(choice("io-transport", "auto", "auto", "io_uring", "epoll", "nio"));

  private final TlsConfig tls = new TlsConfig(directives, this::inDirectory);
  private final HttpConfig http = new HttpConfig(directives);

  // Process
  private final Directive<Long> databases = fixed(integer("databases", 1, INT_MAX, 16));
  private final Directive<String> loglevel =
      choice("loglevel", "notice", "debug", "verbose", "notice", "warning", "nothing");
  private final Directive<String> logfile = fixed(text("logfile", ""));
  private final Directive<String> pidfile = fixed(text("pidfile", ""));
  private final Directive<Long> hz = cyclesPerSecond("hz");
  private final Directive<List<String>> shutdownOnSigterm =
      words("shutdown-on-sigterm", Rules::shutdown, "default");
  private final Directive<List<String>> shutdownOnSigint =
      words("shutdown-on-sigint", Rules::shutdown, "default");
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

  // Snapshots and log
  private final Directive<String> dir =
      directives.add(new DirectoryDirective("dir")).with(PROTECTED);
  private final Directive<String> dbfilename =
      fileName("dbfilename", "filename", "dump.rdb").with(PROTECTED);
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
  private final Directive<Boolean> appendonly = yesNo("appendonly", true);
  private final Directive<String> appendfilename =
      fixed(fileName("appendfilename", "filename", "appendonly.aof"));
  private final Directive<String> appenddirname =
      fixed(fileName("appenddirname", "dirname", "appendonlydir"));
  private final Directive<String> appendfsync =
      choice("appendfsync", "everysec", "everysec", "always", "no");
  private final Directive<Boolean> noAppendfsyncOnRewrite =
      yesNo("no-appendfsync-on-rewrite", false);
  private final Directive<Long> autoAofRewritePercentage =
      integer("auto-aof-rewrite-percentage", 0, INT_MAX, 100);
  private final Directive<Long> autoAofRewriteMinSize =
      memory("auto-aof-rewrite-min-size", 0, Long.MAX_VALUE, 64 * MIB);
  private final Directive<Boolean> aofLoadTruncated = yesNo("aof-load-truncated", true);
  private final Directive<Long> aofLoadCorruptTailMaxSize =
      memory("aof-load-corrupt-tail-max-size", 0, Long.MAX_VALUE, 0);
  private final Directive<Boolean> aofRewriteIncrementalFsync =
      yesNo("aof-rewrite-incremental-fsync", true);
  private final Directive<Boolean> aofUseRdbPreamble = yesNo("aof-use-rdb-preamble", true);
  private final Directive<Boolean> aofTimestampEnabled = yesNo("aof-timestamp-enabled", false);

  // Commands
  private final Directive<String> notifyKeyspaceEvents =
      directives.add(new EventClassesDirective());
  private final Directive<Long> slowlogLogSlowerThan =
      integer("slowlog-log-slower-than", -1, Long.MAX_VALUE, 10_000);
  private final Directive<Long> slowlogMaxLen = integer("slowlog-max-len", 0, Long.MAX_VALUE, 128);
  private final Directive<Long> latencyMonitorThreshold =
      integer("latency-monitor-threshold", 0, Long.MAX_VALUE, 0);
  private final Directive<Long> trackingTableMaxKeys =
      integer("tracking-table-max-keys", 0, Long.MAX_VALUE, 1_000_000);
  private final Directive<Boolean> latencyTracking = yesNo("latency-tracking", true);
  private final Directive<List<String>> latencyTrackingInfoPercentiles =
      words("latency-tracking-info-percentiles", Rules::percentiles, "50", "99", "99.9");

  // Structures
  private final Directive<Long> hllSparseMaxBytes =
      memory("hll-sparse-max-bytes", 0, Long.MAX_VALUE, 3000);
  private final Directive<Double> bfErrorRate =
      directives.add(new RateDirective("bf-error-rate", 0.01)).alias("bf.bf-error-rate");
  private final Directive<Long> bfInitialSize =
      integer("bf-initial-size", 1, 1L << 30, 100).alias("bf.bf-initial-size");
  private final Directive<Long> bfExpansionFactor =
      integer("bf-expansion-factor", 0, 32768, 2).alias("bf.bf-expansion-factor");
  // Tools that ask for bf-* expect those of the Bloom module
  private final Directive<Long> bfMaxCapacity =
      integer("bf-max-capacity", 1, 1L << 40, 1L << 30).with(HIDDEN);
  private final Directive<Boolean> bfHugePages = yesNo("bf-huge-pages", true).with(HIDDEN);

  private final Map<String, String> renamedCommands = new LinkedHashMap<>();
  private final List<UserLine> userLines = new ArrayList<>();
  private Supplier<List<String>> usersNow = List::of;
  private final ConfigChange change = new ConfigChange(directives);
  private @Nullable Path configFile;

  /** Redis's stock settings. */
  public ServerConfig() {
    refuseWhatIsNotThere();
    InertDirectives.addTo(directives);
    directives.index();
  }

  private void refuseWhatIsNotThere() {
    fixed(yesNo("cluster-enabled", false))
        .refusing(yes -> yes, "cluster mode is not supported yet");
    fixed(words("replicaof", Rules::replicaof)).alias("slaveof");
  }

  /**
   * Settings for tests and tools: pairs of names and values, as on a command line.
   *
   * @throws IllegalArgumentException where the command line would be refused
   */
  public static ServerConfig of(String... namesAndValues) {
    ServerConfig config = new ServerConfig();
    try {
      for (int i = 0; i < namesAndValues.length; i += 2) {
        new ConfigLoader(config).read(namesAndValues[i], List.of(namesAndValues[i + 1]));
      }
    } catch (ConfigException e) {
      throw new IllegalArgumentException(e);
    }
    return config;
  }

  Directives directives() {
    return directives;
  }

  /**
   * CONFIG GET: each pattern with a glob character stands for all names that match it, each other
   * one for a name in any case. The keys are the names as the caller spelled them; texts are byte
   * strings.
   */
  public Map<String, String> get(List<String> patterns) {
    return ConfigSearch.find(directives, patterns);
  }

  /**
   * CONFIG SET of several directives, all or none.
   *
   * @param namesAndValues byte strings, an even number
   * @param unprotected whether protected directives may be set by this caller
   * @throws ConfigException with Redis's whole error text, without {@code ERR}
   */
  public void set(List<String> namesAndValues, boolean unprotected) throws ConfigException {
    change.set(namesAndValues, unprotected);
  }

  /** Whether a directive's value must be kept out of logs. */
  public boolean isSensitive(String name) {
    Directive<?> directive = directives.find(name);
    return directive != null && directive.is(SENSITIVE);
  }

  /**
   * CONFIG REWRITE: writes the settings into the file they came from; keeps its comments and order.
   *
   * @throws ConfigException with Redis's error text, without {@code ERR}
   */
  public void rewrite() throws ConfigException {
    if (configFile == null) {
      throw new ConfigException("The server is running without a config file");
    }
    ConfigRewrite.rewrite(configFile, directives, usersNow.get());
  }

  /**
   * Calls a listener after CONFIG SET has changed a directive. Where it throws, the change is taken
   * back, and listeners are called once more.
   *
   * @param name the directive's name, not an alias
   */
  public void onChange(String name, ChangeListener listener) {
    change.listen(name, listener);
  }

  /** The file given at start, or null. */
  public @Nullable Path configFile() {
    return configFile;
  }

  void setConfigFile(Path file) {
    this.configFile = file;
  }

  /** {@code rename-command}: new names by old names; an empty new name removes the command. */
  public Map<String, String> renamedCommands() {
    return Collections.unmodifiableMap(renamedCommands);
  }

  void renameCommand(String name, String newName) {
    renamedCommands.put(name, newName);
  }

  /** The {@code user} lines, in their order. */
  public List<UserLine> userLines() {
    return Collections.unmodifiableList(userLines);
  }

  void addUserLine(UserLine line) {
    userLines.add(line);
  }

  /**
   * Tells who knows the users.
   *
   * @param lines the {@code user} lines that CONFIG REWRITE is to write, each as its words; asked
   *     each time
   */
  public void setUsersNow(Supplier<List<List<String>>> lines) {
    usersNow = () -> lines.get().stream().map(ConfigText::line).toList();
  }

  /** What whoever starts the server should know about these settings; mostly nothing. */
  public List<String> warnings() {
    return ConfigWarnings.of(directives);
  }

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

  /** From 1 to 500, whatever is written. */
  private Directive<Long> cyclesPerSecond(String name) {
    return directives.add(
        new NumberDirective(name, Notation.INTEGER, 0, INT_MAX, 10).clampedTo(1, 500));
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

  private Directive<String> fileName(String name, String kind, String defaultValue) {
    return directives.add(new FileNameDirective(name, kind, defaultValue));
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

  /** Redis changes its working directory to {@code dir}; relative paths start from there. */
  private String inDirectory(Directive<String> path) {
    String text = ByteText.toText(path.get());
    return text.isEmpty() || dir.isDefault() ? text : Path.of(dir()).resolve(text).toString();
  }

  /** Addresses to listen on; one that starts with {@code -} may be unavailable; none is none. */
  public List<String> bind() {
    return bind.get();
  }

  /** TCP port; 0 is none. */
  public int port() {
    return Math.toIntExact(port.get());
  }

  public TlsConfig tls() {
    return tls;
  }

  /** The settings of the HTTP port. */
  public HttpConfig http() {
    return http;
  }

  public int tcpBacklog() {
    return Math.toIntExact(tcpBacklog.get());
  }

  /** Path of the Unix socket; empty is none. */
  public String unixsocket() {
    return inDirectory(unixsocket);
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

  /** Path of the file of users as it was given, each character one byte; empty is none. */
  public String aclfile() {
    return aclfile.get();
  }

  /** Where the file of users is; only if there is one. */
  public Path aclfilePath() {
    return Path.of(inDirectory(aclfile));
  }

  /** Whether new users may use all channels. */
  public boolean aclPubsubDefaultAll() {
    return aclPubsubDefault.get().equals("allchannels");
  }

  /** Most entries of the access log. */
  public long acllogMaxLen() {
    return acllogMaxLen.get();
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
    return inDirectory(logfile);
  }

  /** Path of the file with the process's number; empty is none. */
  public String pidfile() {
    return inDirectory(pidfile);
  }

  /** Background cycles a second, 1 to 500 whatever was set. */
  public int hz() {
    return Math.toIntExact(hz.get());
  }

  /** Words out of default, save, nosave, now, force. */
  public List<String> shutdownOnSigterm() {
    return shutdownOnSigterm.get();
  }

  /** Words out of default, save, nosave, now, force. */
  public List<String> shutdownOnSigint() {
    return shutdownOnSigint.get();
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

  /** What {@code maxmemory} is where nobody sets it. */
  void setDefaultMaxmemory(long bytes) {
    maxmemory.setDefault(bytes);
  }

  /** Most bytes in use before growing commands are refused; 0 is no limit. */
  public long maxmemory() {
    return maxmemory.get();
  }

  /** One of Redis's names; nothing is ever evicted. */
  public String maxmemoryPolicy() {
    return maxmemoryPolicy.get();
  }

  /** The directory that relative paths of files start from: an absolute path. */
  public String dir() {
    return ByteText.toText(dir.get());
  }

  /** Name of the snapshot file in {@link #dir}. */
  public String dbfilename() {
    return ByteText.toText(dbfilename.get());
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

  /** First part of the names of the log's files. */
  public String appendfilename() {
    return ByteText.toText(appendfilename.get());
  }

  /** Name of the log's directory in {@link #dir}. */
  public String appenddirname() {
    return ByteText.toText(appenddirname.get());
  }

  /** One of everysec, always, no. */
  public String appendfsync() {
    return appendfsync.get();
  }

  public boolean noAppendfsyncOnRewrite() {
    return noAppendfsyncOnRewrite.get();
  }

  /** Percent of growth at which the log is rewritten; 0 is never. */
  public int autoAofRewritePercentage() {
    return Math.toIntExact(autoAofRewritePercentage.get());
  }

  /** Bytes below which the log is not rewritten by itself. */
  public long autoAofRewriteMinSize() {
    return autoAofRewriteMinSize.get();
  }

  public boolean aofLoadTruncated() {
    return aofLoadTruncated.get();
  }

  /** Most damaged bytes at the end of the log that may be cut off. */
  public long aofLoadCorruptTailMaxSize() {
    return aofLoadCorruptTailMaxSize.get();
  }

  public boolean aofRewriteIncrementalFsync() {
    return aofRewriteIncrementalFsync.get();
  }

  public boolean aofUseRdbPreamble() {
    return aofUseRdbPreamble.get();
  }

  public boolean aofTimestampEnabled() {
    return aofTimestampEnabled.get();
  }

  /** Letters of event classes, in order; {@code A} stands for all but m and n; empty is none. */
  public String notifyKeyspaceEvents() {
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

  /** How many keys are remembered for the caches of clients; 0 for no limit. */
  public long trackingTableMaxKeys() {
    return trackingTableMaxKeys.get();
  }

  public boolean latencyTracking() {
    return latencyTracking.get();
  }

  /** Percentiles that INFO latencystats shows, 0 to 100 each, as they were written. */
  public List<String> latencyTrackingInfoPercentiles() {
    return latencyTrackingInfoPercentiles.get();
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
