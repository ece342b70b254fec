package io.porteiro.server;

import io.porteiro.server.access.AccessLog;
import io.porteiro.server.access.Users;
import io.porteiro.server.command.ArgumentMemory;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.CommandTable;
import io.porteiro.server.command.ExpiryTask;
import io.porteiro.server.command.KeyspaceNotifications;
import io.porteiro.server.command.Replay;
import io.porteiro.server.command.Services;
import io.porteiro.server.command.Tracking;
import io.porteiro.server.command.admin.Observation;
import io.porteiro.server.command.admin.ServerIdentity;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.config.FatalConfigException;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.config.ServerVersion;
import io.porteiro.server.hash.SystemRandom;
import io.porteiro.server.http.HttpServer;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.QuietTrim;
import io.porteiro.server.metrics.MachineMemory;
import io.porteiro.server.metrics.Metrics;
import io.porteiro.server.net.ChannelRegistry;
import io.porteiro.server.net.ClientRegistry;
import io.porteiro.server.net.NetworkServer;
import io.porteiro.server.persistence.LoadException;
import io.porteiro.server.persistence.LogPersistence;
import io.porteiro.server.persistence.Rehearsal;
import io.porteiro.server.persistence.log.Disk;
import io.porteiro.server.store.Keyspace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The object graph, and the order in which its parts start and stop.
 *
 * <p>Start: bind (so that clients get -LOADING instead of a refused connection), load, begin to
 * save, expire and serve. Stop: hold all clients, save, close.
 */
final class Server {
  private static final Logger log = LoggerFactory.getLogger(Server.class);

  /** Keys may fill this part of the heap; the rest is for connections and the collector. */
  private static final double KEYS_PART_OF_HEAP = 0.8;

  private static final long EXPIRY_INTERVAL_MS = 100;
  private static final long TRIM_INTERVAL_MS = 100;
  private static final long SAMPLE_INTERVAL_MS = 100;

  private final ServerConfig config;
  private final MachineMemory memory = MachineMemory.ofThisProcess();
  private final MemoryPool pool;
  private final Keyspace keyspace;
  private final LogPersistence persistence;
  private final NetworkServer network;
  private final HttpServer http;
  private final Metrics metrics;
  private final Shutdown shutdown;
  private final ExpiryTask expiry;
  private final Tracking tracking;
  private final Services services;

  /** All commands under their own names, which is how a log has them. */
  private final CommandTable originals;

  private final ScheduledExecutorService background =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("background").factory());

  /**
   * Makes all parts; nothing runs yet.
   *
   * @throws ConfigException if a command is renamed that does not exist
   * @throws FatalConfigException if the rules of a user are wrong
   */
  Server(ServerConfig config) throws ConfigException, FatalConfigException {
    this.config = config;
    pool = new MemoryPool(memory.limitWhileLoading());
    keyspace = new Keyspace(pool, config.databases(), seed());
    InstantSource clock = InstantSource.system();
    Observation observation = new Observation(config, clock);
    ClientRegistry clients = new ClientRegistry();
    ChannelRegistry channels = new ChannelRegistry();
    tracking = new Tracking(clients, keyspace);
    KeyspaceNotifications notifications = new KeyspaceNotifications(channels);
    ServerIdentity identity = ServerIdentity.create(clock.millis());
    List<CommandSpec> commands =
        Commands.all(observation, identity, this::setActiveExpiry, this::encryptionToOthers);
    originals = new CommandTable(commands);
    CommandTable table = CommandTable.of(commands, config.renamedCommands()); // numbers them anew
    metrics = new Metrics(table.byId().size());
    LogTimes times = new LogTimes(observation, metrics.diskSyncs());
    persistence = new LogPersistence(keyspace, config, clock, times, Disk.SYSTEM);
    shutdown = new Shutdown(config, persistence, clients);
    Users users = new Users(table.catalog(), config::aclPubsubDefaultAll);
    ConfiguredUsers.apply(config, users);
    services =
        new Services(
            table,
            keyspace,
            config,
            metrics,
            persistence.journal(),
            persistence,
            clients,
            channels,
            shutdown,
            users,
            new AccessLog(config::acllogMaxLen),
            notifications,
            tracking,
            observation,
            clock);
    expiry = new ExpiryTask(services);
    network = new NetworkServer(services, clients, ArgumentMemory.from(pool), pool::count);
    http = new HttpServer(services, network::loops, shutdown::isRunning);
    shutdown.setNetwork(network);
    follow(notifications);
  }

  /** For the hashes of keys: who could guess it could fill one place of a table. */
  private static long seed() {
    return ByteBuffer.wrap(SystemRandom.bytes(Long.BYTES)).getLong();
  }

  private @Nullable SSLSocketFactory encryptionToOthers() {
    return config.tls().cluster() ? network.clientSockets() : null;
  }

  private void setActiveExpiry(boolean enabled) {
    expiry.setEnabled(enabled);
  }

  /** Settings that others need to be told of, now and whenever they change. */
  private void follow(KeyspaceNotifications notifications) {
    notifications.setClasses(config.notifyKeyspaceEvents());
    config.onChange(
        "notify-keyspace-events", () -> notifications.setClasses(config.notifyKeyspaceEvents()));
    tracking.setMaxKeys(config.trackingTableMaxKeys());
    config.onChange(
        "tracking-table-max-keys", () -> tracking.setMaxKeys(config.trackingTableMaxKeys()));
    pool.setHugePages(config.bfHugePages());
    config.onChange("bf-huge-pages", () -> pool.setHugePages(config.bfHugePages()));
    config.onChange("maxmemory", this::applyMemoryLimit);
    config.onChange("loglevel", () -> Logging.setLevel(config.loglevel()));
  }

  private void applyMemoryLimit() {
    if (!persistence.isLoading()) {
      pool.setLimitBytes(config.maxmemory() > 0 ? config.maxmemory() : memory.totalBytes());
    }
    tellOfContainer();
  }

  /** Past a container's limit the kernel ends the process; whoever has set more should know. */
  private void tellOfContainer() {
    long heap = Runtime.getRuntime().maxMemory();
    long fits = memory.limitBesideHeap(heap);
    long maxmemory = config.maxmemory();
    if (fits == 0) {
      return;
    }
    log.info(
        "A container of {} MB: heap up to {} MB, maxmemory {} MB",
        memory.totalBytes() >> 20,
        heap >> 20,
        maxmemory >> 20);
    if (maxmemory == 0 || maxmemory > fits) {
      log.warn(
          "The container leaves {} MB beside the heap. Data that take more, as maxmemory permits, may"
              + " get the process killed",
          fits >> 20);
    }
  }

  /**
   * Binds, then loads on a thread of its own.
   *
   * @return false if nothing could be bound; the log says why
   */
  boolean start() {
    log.info(
        "Porteiro {} starts, pid {}, Java {}",
        ServerVersion.PORTEIRO,
        ProcessHandle.current().pid(),
        Runtime.version());
    config.warnings().forEach(log::warn);
    try {
      network.start();
      http.start();
    } catch (IOException e) {
      log.error("Cannot listen: {}", e.getMessage());
      return false;
    }
    PidFile.write(config);
    shutdown.onSignals();
    Thread.ofPlatform().name("loader").start(this::loadAndServe);
    return true;
  }

  private void loadAndServe() {
    try {
      persistence.load(() -> new Replay(services, originals));
    } catch (LoadException e) {
      log.error("Cannot start, and nothing on disk was changed: {}", e.getMessage());
      Runtime.getRuntime().halt(1);
    } catch (RuntimeException e) {
      log.error("Cannot start, and nothing on disk was changed: loading failed", e);
      Runtime.getRuntime().halt(1);
    }
    applyMemoryLimit();
    keyspace.setHeapLimitBytes((long) (Runtime.getRuntime().maxMemory() * KEYS_PART_OF_HEAP));
    persistence.start();
    var _ =
        background.scheduleWithFixedDelay(
            this::expire, EXPIRY_INTERVAL_MS, EXPIRY_INTERVAL_MS, TimeUnit.MILLISECONDS);
    var _ =
        background.scheduleWithFixedDelay(
            tracking::trim, TRIM_INTERVAL_MS, TRIM_INTERVAL_MS, TimeUnit.MILLISECONDS);
    var _ =
        background.scheduleAtFixedRate(
            () -> metrics.sample(System.nanoTime(), pool.usedBytes(), config.maxmemory()),
            SAMPLE_INTERVAL_MS,
            SAMPLE_INTERVAL_MS,
            TimeUnit.MILLISECONDS);
    var _ =
        background.scheduleWithFixedDelay(
            new QuietTrim(metrics::commandsProcessed, pool::usedBytes, MemoryPool::trim),
            QuietTrim.INTERVAL_SECONDS,
            QuietTrim.INTERVAL_SECONDS,
            TimeUnit.SECONDS);
    log.info("Ready to accept connections");
    Rehearsal.begin();
  }

  /** A fault in the middle of removing a key is as one in the middle of a command. */
  private void expire() {
    try {
      expiry.run();
    } catch (RuntimeException e) {
      shutdown.halt("the removal of expired keys failed", e);
    }
  }
}
