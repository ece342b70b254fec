package io.porteiro.server.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.Future;
import io.porteiro.protocol.BulkMemory;
import io.porteiro.protocol.RequestLimits;
import io.porteiro.server.access.User;
import io.porteiro.server.command.Services;
import io.porteiro.server.config.ChangeListener;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.metrics.Metrics;
import io.porteiro.server.net.tls.TlsContexts;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The network side of the server: event loops, listening sockets, connections. */
public final class NetworkServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NetworkServer.class);

  /**
   * A connection with so much unread output is not read from until the peer has taken three
   * quarters of it. Generous, because simple clients write a whole pipeline before they read its
   * first reply: stopped too early, both sides would wait for ever.
   */
  static final int MAX_OUTPUT_BYTES = 64 << 20;

  private static final String CANNOT_LISTEN = "Unable to listen on this port. Check server logs.";

  private static final long TICK_MS = 1000;
  private static final long CLOSE_TIMEOUT_MS = 2000;
  private static final int LAST_REPLIES_MS = 100;

  private final Services services;
  private final ClientRegistry clients;
  private final BulkMemory.Source argumentMemory;
  private final LongConsumer memoryCount;
  private final RequestLimits limits;
  private final TlsContexts tls;
  private final HandshakeLog handshakeLog;
  private final FastThreadLocal<@Nullable ConnectionLoop> loops = new FastThreadLocal<>();

  private @Nullable EventLoopGroup acceptors;
  private @Nullable EventLoopGroup group;
  private @Nullable Listeners listeners;

  /**
   * @param clients the same that {@code services} has
   * @param argumentMemory where large arguments are received
   * @param memoryCount takes what connections use more (or less) than before, in bytes
   */
  public NetworkServer(
      Services services,
      ClientRegistry clients,
      BulkMemory.Source argumentMemory,
      LongConsumer memoryCount) {
    this.services = services;
    this.clients = clients;
    this.argumentMemory = argumentMemory;
    this.memoryCount = memoryCount;
    this.limits = new ConfiguredLimits(services.config());
    this.tls = new TlsContexts(config().tls(), config().ioThreads());
    this.handshakeLog = new HandshakeLog(services.clock());
  }

  /** The settings, asked each time. */
  private record ConfiguredLimits(ServerConfig config) implements RequestLimits {
    @Override
    public long protoMaxBulkLen() {
      return config.protoMaxBulkLen();
    }

    @Override
    public long clientQueryBufferLimit() {
      return config.clientQueryBufferLimit();
    }
  }

  /**
   * Opens the sockets and serves.
   *
   * @throws IOException with the reason for people, if a transport, an address or a certificate
   *     cannot be used
   */
  public void start() throws IOException {
    if (config().tls().isUsed()) {
      tls.load();
    }
    Transport transport = Transport.choose(config().ioTransport());
    services.metrics().setTransport(transport.configName());
    EventLoopGroup accepting = loops(1, "accept", transport);
    EventLoopGroup serving = loops(config().ioThreads(), "loop", transport);
    acceptors = accepting;
    group = serving;
    listeners = new Listeners(this, transport, accepting, serving);
    try {
      listeners.open();
    } catch (IOException e) {
      close();
      throw e;
    }
    serving.forEach(this::scheduleTick);
    every(accepting.next(), new ClientEviction(clients, config(), metrics().clientLosses()));
    followConfig(listeners);
  }

  private void followConfig(Listeners open) {
    config()
        .onChange("bind", () -> rebind(open::reopenTcp, "Failed to bind to specified addresses."));
    config().onChange("port", () -> rebind(open::reopenPlain, CANNOT_LISTEN));
    config()
        .onChange(
            "tls-port",
            () -> {
              reloadTls();
              rebind(open::reopenEncrypted, CANNOT_LISTEN);
            });
    ChangeListener reload = this::reloadTls;
    config().tls().contextDirectives().forEach(name -> config().onChange(name, reload));
  }

  private void reloadTls() throws ConfigException {
    if (!config().tls().isUsed()) {
      return;
    }
    try {
      tls.load();
    } catch (IOException e) {
      log.warn("TLS goes on as before: {}", e.getMessage());
      throw new ConfigException("Unable to update TLS configuration. Check server logs.");
    }
  }

  private static EventLoopGroup loops(int count, String name, Transport transport) {
    return new MultiThreadIoEventLoopGroup(
        count, new DefaultThreadFactory(name), transport.handlers());
  }

  /** Whose rights connections have that did not log in. */
  User defaultUser() {
    return services.users().defaultUser();
  }

  private void scheduleTick(EventExecutor loop) {
    every(loop, () -> loop(loop).tick(nowMs()));
  }

  private static void every(EventExecutor loop, Runnable task) {
    var _ = loop.scheduleWithFixedDelay(task, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
  }

  private interface Rebinding {
    void run() throws IOException;
  }

  /** CONFIG SET waits for this on its event loop, which is why accepting has a loop of its own. */
  private static void rebind(Rebinding rebinding, String failure) throws ConfigException {
    try {
      rebinding.run();
    } catch (IOException e) {
      log.warn("{}", e.getMessage());
      throw new ConfigException(failure);
    }
  }

  /**
   * Waits until every event loop has finished what it was at. With all clients paused, nothing is
   * executed after this.
   */
  public void awaitQuiet() {
    List<Future<?>> turns = new ArrayList<>();
    if (group != null) {
      group.forEach(loop -> turns.add(loop.submit(() -> {})));
    }
    turns.forEach(Future::awaitUninterruptibly);
  }

  /** Stops listening, sends what is written, closes all connections. */
  @Override
  public void close() {
    if (listeners != null) {
      listeners.close();
      listeners = null;
    }
    if (group != null) {
      onEveryLoop(ConnectionLoop::closeAll);
      awaitLastReplies();
      onEveryLoop(ConnectionLoop::abandonAll);
      shutDown(group);
      group = null;
    }
    if (acceptors != null) {
      shutDown(acceptors);
      acceptors = null;
    }
  }

  /** They are with the kernel soon, but for clients that do not read. */
  private void awaitLastReplies() {
    for (int i = 0; i < LAST_REPLIES_MS && clients.count() > 0; i++) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void onEveryLoop(Consumer<ConnectionLoop> action) {
    if (group != null) {
      group.forEach(loop -> loop.execute(() -> action.accept(loop(loop))));
      awaitQuiet();
    }
  }

  private static void shutDown(EventLoopGroup group) {
    group
        .shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(CLOSE_TIMEOUT_MS);
  }

  /** The event loops that serve connections; none before the start. */
  public Iterable<? extends Executor> loops() {
    EventLoopGroup serving = group;
    return serving == null ? List.of() : serving;
  }

  /** What belongs to the calling event loop. */
  ConnectionLoop loop(EventExecutor caller) {
    ConnectionLoop loop = loops.get();
    if (loop == null) {
      loop = new ConnectionLoop(services, caller);
      loops.set(loop);
    }
    return loop;
  }

  /** Encrypts connections to other servers. Needs settings of TLS in force. */
  public SSLSocketFactory clientSockets() {
    return tls.clientSockets();
  }

  TlsContexts tls() {
    return tls;
  }

  HandshakeLog handshakeLog() {
    return handshakeLog;
  }

  ClientRegistry clients() {
    return clients;
  }

  ServerConfig config() {
    return services.config();
  }

  Metrics metrics() {
    return services.metrics();
  }

  RequestLimits limits() {
    return limits;
  }

  BulkMemory.Source argumentMemory() {
    return argumentMemory;
  }

  InstantSource clock() {
    return services.clock();
  }

  long nowMs() {
    return services.clock().millis();
  }

  void countMemory(long bytes) {
    if (bytes != 0) {
      memoryCount.accept(bytes);
    }
  }
}
