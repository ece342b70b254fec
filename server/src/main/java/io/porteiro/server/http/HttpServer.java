package io.porteiro.server.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.porteiro.server.command.Services;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.config.HttpConfig;
import io.porteiro.server.http.health.Heartbeats;
import io.porteiro.server.http.health.Readiness;
import io.porteiro.server.http.metrics.MetricsReport;
import io.porteiro.server.http.page.OperationsHistory;
import io.porteiro.server.http.page.StatusReport;
import io.porteiro.server.http.survey.Surveyor;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP port. It has an event loop and threads of its own: whoever asks, however slowly, never
 * holds a loop that serves. Where {@code http-port} is 0, none of them exists.
 */
public final class HttpServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpServer.class);
  private static final int MAX_CONNECTIONS = 64;
  private static final int MAX_WAITING_REPORTS = 16;
  private static final long TICK_MS = 1000;

  private final Services services;
  private final Supplier<Iterable<? extends Executor>> loops;
  private final BooleanSupplier ending;
  private @Nullable Running running;

  /**
   * @param loops those that serve, there once the server has started
   * @param ending whether the server is about to end
   */
  public HttpServer(
      Services services, Supplier<Iterable<? extends Executor>> loops, BooleanSupplier ending) {
    this.services = services;
    this.loops = loops;
    this.ending = ending;
  }

  private HttpConfig config() {
    return services.config().http();
  }

  /**
   * Opens the port, if one is configured, now or later.
   *
   * @throws IOException with the reason for people, if it cannot be opened
   */
  public void start() throws IOException {
    reopen();
    services.config().onChange("http-port", this::reconfigure);
    services.config().onChange("http-bind", this::reconfigure);
  }

  private void reconfigure() throws ConfigException {
    try {
      reopen();
    } catch (IOException e) {
      log.warn("{}", e.getMessage());
      throw new ConfigException("Unable to listen for HTTP. Check server logs.");
    }
  }

  private synchronized void reopen() throws IOException {
    if (config().port() == 0) {
      close();
      return;
    }
    if (running == null) {
      running = new Running();
    }
    try {
      running.listeners.reopen(config().bind(), config().port());
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  @Override
  public synchronized void close() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  /** What exists while the port is open. */
  private final class Running {
    private final EventLoopGroup group =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("http", true), NioIoHandler.newFactory());
    private final ThreadPoolExecutor reports =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING_REPORTS),
            Thread.ofPlatform().daemon().name("reports").factory());
    private final Surveyor surveyor = new Surveyor(services.keyspace(), services.clock());
    private final Heartbeats heartbeats = new Heartbeats(loops.get());
    private final OperationsHistory history = new OperationsHistory();
    private final Connections connections = new Connections(MAX_CONNECTIONS);
    private final HttpListeners listeners;

    Running() {
      Readiness readiness = new Readiness(services.persistence(), ending);
      Routes routes =
          new Routes(
              heartbeats,
              readiness,
              new MetricsReport(services, surveyor, readiness, heartbeats),
              new StatusReport(services, surveyor, readiness, history));
      listeners = new HttpListeners(group, new HttpPipeline(routes, reports, connections));
      var _ = group.scheduleAtFixedRate(this::tick, 0, TICK_MS, TimeUnit.MILLISECONDS);
    }

    private void tick() {
      heartbeats.ask();
      history.add(services.metrics().operationsPerSecond());
    }

    void close() {
      listeners.close();
      group.next().submit(connections::closeAll).awaitUninterruptibly();
      group.shutdownGracefully(0, TICK_MS, TimeUnit.MILLISECONDS);
      reports.shutdownNow();
      surveyor.close();
    }
  }
}
