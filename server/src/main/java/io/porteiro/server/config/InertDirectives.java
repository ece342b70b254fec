package io.porteiro.server.config;

import static io.porteiro.server.config.Directive.Trait.IMMUTABLE;
import static io.porteiro.server.config.Directive.Trait.INERT;
import static io.porteiro.server.config.Directive.Trait.SENSITIVE;

import io.porteiro.server.config.NumberDirective.Notation;

/**
 * The directives of Redis 7 and 8 that are about something that does not exist here: other data
 * types, eviction, forked children, scripts, replicas, clusters. They are checked, kept and shown,
 * so that stock files and tools work, and do nothing.
 */
final class InertDirectives {
  private static final long INT_MAX = Integer.MAX_VALUE;
  private static final long MAX = Long.MAX_VALUE;

  private final Directives directives;

  private InertDirectives(Directives directives) {
    this.directives = directives;
  }

  static void addTo(Directives directives) {
    InertDirectives inert = new InertDirectives(directives);
    inert.otherTypes();
    inert.eviction();
    inert.process();
    inert.logging();
    inert.files();
    inert.scripts();
    inert.replication();
    inert.cluster();
    inert.tls();
  }

  private void otherTypes() {
    memory("hash-max-listpack-value", 0, 64).alias("hash-max-ziplist-value");
    count("hash-max-listpack-entries", 512).alias("hash-max-ziplist-entries");
    integer("list-max-listpack-size", Integer.MIN_VALUE, INT_MAX, -2)
        .alias("list-max-ziplist-size");
    integer("list-compress-depth", 0, INT_MAX, 0);
    count("set-max-intset-entries", 512);
    count("set-max-listpack-entries", 128);
    count("set-max-listpack-value", 64);
    count("zset-max-listpack-entries", 128).alias("zset-max-ziplist-entries");
    memory("zset-max-listpack-value", 0, 64).alias("zset-max-ziplist-value");
    memory("stream-node-max-bytes", 0, 4096);
    count("stream-node-max-entries", 100);
    integer("stream-idmp-duration", 1, 86_400, 100);
    integer("stream-idmp-maxsize", 1, 10_000, 100);
    integer("cf-bucket-size", 1, 255, 2);
    integer("cf-initial-size", 2, 1L << 50, 1024);
    integer("cf-max-iterations", 1, 65_535, 20);
    integer("cf-expansion-factor", 0, 32_768, 1);
    integer("cf-max-expansions", 1, 65_535, 32);
  }

  private void eviction() {
    integer("maxmemory-samples", 1, 64, 5);
    integer("maxmemory-eviction-tenacity", 0, 100, 10);
    lazyFreeing();
    integer("lfu-log-factor", 0, INT_MAX, 10);
    integer("lfu-decay-time", 0, INT_MAX, 1);
    yesNo("activedefrag", false);
    memory("active-defrag-ignore-bytes", 1, 100L << 20);
    integer("active-defrag-threshold-lower", 0, 1000, 10);
    integer("active-defrag-threshold-upper", 0, 1000, 100);
    integer("active-defrag-cycle-min", 1, 99, 1);
    integer("active-defrag-cycle-max", 1, 99, 25);
    integer("active-defrag-max-scan-fields", 1, MAX, 1000);
    yesNo("jemalloc-bg-thread", true);
    yesNo("activerehashing", true);
  }

  /** Memory is always freed in the background, and who needs it waits for it. */
  private void lazyFreeing() {
    for (String occasion :
        new String[] {"eviction", "expire", "server-del", "user-del", "user-flush"}) {
      yesNo("lazyfree-lazy-" + occasion, false);
    }
  }

  private void process() {
    yesNo("daemonize", false).with(IMMUTABLE);
    choice("supervised", "no", "upstart", "systemd", "auto", "no").with(IMMUTABLE);
    yesNo("always-show-logo", false).with(IMMUTABLE);
    yesNo("set-proc-title", true).with(IMMUTABLE);
    text("proc-title-template", "{title} {listen-addr} {server-mode}");
    yesNo("dynamic-hz", true);
    integer("active-expire-effort", 1, 10, 1);
    integer("shutdown-timeout", 0, INT_MAX, 10);
    yesNo("disable-thp", true).with(IMMUTABLE);
    choice("oom-score-adj", "no", "no", "yes", "relative", "absolute");
    words("oom-score-adj-values", Rules::oomScores, "0", "200", "800");
    for (String name : new String[] {"server", "bio", "aof-rewrite", "bgsave"}) {
      text(name + "-cpulist", "").alias(name.replace('-', '_') + "_cpulist").with(IMMUTABLE);
    }
    text("ignore-warnings", "");
    text("bind-source-addr", "");
    integer("socket-mark-id", 0, (1L << 32) - 1, 0).with(IMMUTABLE);
    yesNo("io-threads-do-reads", false).with(IMMUTABLE);
    integer("max-new-connections-per-cycle", 1, 1000, 10);
    integer("watchdog-period", 0, INT_MAX, 0);
    text("locale-collate", "");
  }

  private void logging() {
    yesNo("syslog-enabled", false).with(IMMUTABLE);
    text("syslog-ident", "redis").with(IMMUTABLE);
    choice(
            "syslog-facility",
            "local0",
            "user",
            "local0",
            "local1",
            "local2",
            "local3",
            "local4",
            "local5",
            "local6",
            "local7")
        .with(IMMUTABLE);
    yesNo("crash-log-enabled", true);
    yesNo("crash-memcheck-enabled", true);
    yesNo("hide-user-data-from-log", false);
    yesNo("enable-debug-assert", false).with(IMMUTABLE);
  }

  private void files() {
    yesNo("rdb-del-sync-files", false);
    yesNo("rdb-save-incremental-fsync", true);
    yesNo("aof-disable-auto-gc", false);
    choice("sanitize-dump-payload", "no", "no", "yes", "clients");
    choice("propagation-error-behavior", "ignore", "ignore", "panic", "panic-on-replicas");
  }

  private void scripts() {
    integer("busy-reply-threshold", 0, MAX, 5000).alias("lua-time-limit");
    yesNo("lua-enable-deprecated-api", false);
  }

  private void replication() {
    text("masterauth", "").with(SENSITIVE);
    text("masteruser", "");
    yesNo("replica-serve-stale-data", true).alias("slave-serve-stale-data");
    yesNo("replica-read-only", true).alias("slave-read-only");
    yesNo("replica-ignore-maxmemory", true).alias("slave-ignore-maxmemory");
    yesNo("replica-lazy-flush", false).alias("slave-lazy-flush");
    yesNo("replica-announced", true);
    yesNo("replica-ignore-disk-write-errors", false);
    text("replica-announce-ip", "").alias("slave-announce-ip");
    port("replica-announce-port").alias("slave-announce-port");
    integer("replica-priority", 0, INT_MAX, 100).alias("slave-priority");
    memory("replica-full-sync-buffer-limit", 0, 0);
    yesNo("repl-rdb-channel", false);
    yesNo("repl-disable-tcp-nodelay", false);
    yesNo("repl-diskless-sync", true);
    integer("repl-diskless-sync-delay", 0, INT_MAX, 5);
    integer("repl-diskless-sync-max-replicas", 0, INT_MAX, 0);
    choice("repl-diskless-load", "disabled", "disabled", "on-empty-db", "swapdb");
    integer("repl-ping-replica-period", 1, INT_MAX, 10).alias("repl-ping-slave-period");
    integer("repl-timeout", 1, INT_MAX, 60);
    memory("repl-backlog-size", 1, 1L << 20);
    integer("repl-backlog-ttl", 0, MAX, 3600);
    integer("min-replicas-to-write", 0, INT_MAX, 0).alias("min-slaves-to-write");
    integer("min-replicas-max-lag", 0, INT_MAX, 10).alias("min-slaves-max-lag");
  }

  private void cluster() {
    text("cluster-config-file", "nodes.conf").with(IMMUTABLE);
    integer("cluster-node-timeout", 0, MAX, 15_000);
    port("cluster-port").with(IMMUTABLE);
    text("cluster-announce-ip", "");
    port("cluster-announce-port");
    port("cluster-announce-bus-port");
    port("cluster-announce-tls-port");
    text("cluster-announce-hostname", "");
    text("cluster-announce-human-nodename", "");
    choice("cluster-preferred-endpoint-type", "ip", "ip", "hostname", "unknown-endpoint");
    integer("cluster-migration-barrier", 0, INT_MAX, 1);
    integer("cluster-replica-validity-factor", 0, INT_MAX, 10)
        .alias("cluster-slave-validity-factor");
    yesNo("cluster-replica-no-failover", false).alias("cluster-slave-no-failover");
    yesNo("cluster-require-full-coverage", true);
    yesNo("cluster-allow-reads-when-down", false);
    yesNo("cluster-allow-pubsubshard-when-down", true);
    yesNo("cluster-allow-replica-migration", true);
    memory("cluster-link-sendbuf-limit", 0, 0);
    integer("cluster-compatibility-sample-ratio", 0, 100, 0);
    yesNo("cluster-slot-stats-enabled", false);
    memory("cluster-slot-migration-handoff-max-lag-bytes", 0, 1L << 20);
    integer("cluster-slot-migration-write-pause-timeout", 0, MAX, 10_000);
    integer("cluster-slot-migration-sync-buffer-drain-timeout", 0, MAX, 60_000);
  }

  private void tls() {
    text("tls-dh-params-file", "");
    text("tls-auth-clients-user", "");
    integer("max-new-tls-connections-per-cycle", 1, 1000, 1);
  }

  private Directive<Boolean> yesNo(String name, boolean defaultValue) {
    return add(new YesNoDirective(name, defaultValue));
  }

  private Directive<Long> integer(String name, long min, long max, long defaultValue) {
    return add(new NumberDirective(name, Notation.INTEGER, min, max, defaultValue));
  }

  private Directive<Long> count(String name, long defaultValue) {
    return integer(name, 0, MAX, defaultValue);
  }

  private Directive<Long> port(String name) {
    return integer(name, 0, 65_535, 0);
  }

  private Directive<Long> memory(String name, long min, long defaultValue) {
    return add(new NumberDirective(name, Notation.MEMORY, min, MAX, defaultValue));
  }

  private Directive<String> text(String name, String defaultValue) {
    return add(new TextDirective(name, defaultValue));
  }

  private Directive<String> choice(String name, String defaultValue, String... choices) {
    return add(new ChoiceDirective(name, defaultValue, choices));
  }

  private void words(String name, WordsDirective.Rule rule, String... defaultValue) {
    add(new WordsDirective(name, rule, defaultValue));
  }

  private <T> Directive<T> add(Directive<T> directive) {
    return directives.add(directive).with(INERT);
  }
}
