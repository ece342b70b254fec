package io.porteiro.server.command.admin;

import io.porteiro.protocol.Request;
import io.porteiro.server.command.CommandFlag;
import io.porteiro.server.command.CommandObserver;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Session;
import io.porteiro.server.command.Transaction;
import io.porteiro.server.config.ServerConfig;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** Watches commands for SLOWLOG, LATENCY and MONITOR, as the settings of the first two ask. */
public final class Observation implements CommandObserver {
  private final ServerConfig config;
  private final InstantSource clock;
  private final SlowLog slowLog = new SlowLog();
  private final LatencyMonitor latencyMonitor = new LatencyMonitor();
  private final Monitors monitors;
  private volatile long slowLogNanos;
  private volatile long latencyNanos;

  public Observation(ServerConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    this.monitors = new Monitors(config);
    config.onChange("slowlog-log-slower-than", this::takeSettings);
    config.onChange("latency-monitor-threshold", this::takeSettings);
    takeSettings();
  }

  private void takeSettings() {
    long micros = config.slowlogLogSlowerThan();
    long milliseconds = config.latencyMonitorThreshold();
    slowLogNanos = micros < 0 ? Long.MAX_VALUE : TimeUnit.MICROSECONDS.toNanos(micros);
    latencyNanos = milliseconds == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(milliseconds);
  }

  SlowLog slowLog() {
    return slowLog;
  }

  LatencyMonitor latencyMonitor() {
    return latencyMonitor;
  }

  Monitors monitors() {
    return monitors;
  }

  @Override
  public long slowNanos() {
    return Math.min(slowLogNanos, latencyNanos);
  }

  @Override
  public void slow(Session session, CommandSpec spec, Request request, long durationNanos) {
    long nowSeconds = clock.millis() / 1000;
    if (durationNanos >= latencyNanos) {
      String event = spec.has(CommandFlag.FAST) ? "fast-command" : "command";
      latencyMonitor.add(event, nowSeconds, TimeUnit.NANOSECONDS.toMillis(durationNanos));
    }
    if (durationNanos >= slowLogNanos && !spec.has(CommandFlag.SKIP_SLOWLOG)) {
      slowLog.add(
          nowSeconds,
          TimeUnit.NANOSECONDS.toMicros(durationNanos),
          ShownArguments.of(spec, request, config),
          session.peer().address(),
          session.name(),
          config.slowlogMaxLen());
    }
  }

  /** Something besides commands took so long: an event of LATENCY, where it is slow. Any thread. */
  public void took(String event, long durationNanos) {
    if (durationNanos >= latencyNanos) {
      long nowSeconds = clock.millis() / 1000;
      latencyMonitor.add(event, nowSeconds, TimeUnit.NANOSECONDS.toMillis(durationNanos));
    }
  }

  @Override
  public boolean isMonitoring() {
    return !monitors.isEmpty();
  }

  /**
   * What administrators do may hold secrets and is not shown. An EXEC that has commands to execute
   * is shown behind them.
   */
  @Override
  public void monitor(Session session, CommandSpec spec, Request request, long nowMs) {
    if (!spec.has(CommandFlag.ADMIN) && !isBeforeItsCommands(session, spec)) {
      monitors.show(session, spec, request, nowMs);
    }
  }

  private static boolean isBeforeItsCommands(Session session, CommandSpec spec) {
    Transaction transaction = session.transaction();
    return transaction != null && !transaction.isFailed() && spec.name().equals("exec");
  }
}
