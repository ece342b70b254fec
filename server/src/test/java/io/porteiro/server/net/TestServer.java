package io.porteiro.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.porteiro.protocol.BulkMemory;
import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.access.AccessLog;
import io.porteiro.server.access.Users;
import io.porteiro.server.command.Channels;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandFlag;
import io.porteiro.server.command.CommandObserver;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.CommandTable;
import io.porteiro.server.command.DeferredReply;
import io.porteiro.server.command.KeyspaceNotifications;
import io.porteiro.server.command.Lifecycle;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.Persistence;
import io.porteiro.server.command.Services;
import io.porteiro.server.command.Session;
import io.porteiro.server.command.Tracking;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.metrics.Metrics;
import io.porteiro.server.store.Keyspace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The network side with a handful of commands that need no data: PING, ECHO text, BIG bytes, LATER
 * (waits in {@link #awaitLater}), QUIT, SILENT (CLIENT REPLY OFF), LOGIN, WRITE, SPARE (CLIENT
 * NO-EVICT ON), RECONFIGURE name value, SEE position.
 */
final class TestServer implements AutoCloseable {
  private final BlockingQueue<DeferredReply> later = new LinkedBlockingQueue<>();
  final Metrics metrics;
  final AtomicLong countedBytes = new AtomicLong();
  final ClientRegistry clients = new ClientRegistry();
  final HeldJournal journal = new HeldJournal();
  final int port;
  final ServerConfig config;
  private final MemoryPool pool = new MemoryPool(Long.MAX_VALUE);
  private final NetworkServer network;

  TestServer(String... settings) throws IOException {
    this(freePort(), settings);
  }

  TestServer(int port, String... settings) throws IOException {
    this.port = port;
    this.config = config(port, settings);
    CommandTable table = new CommandTable(commands());
    Keyspace keyspace = new Keyspace(pool, 1, 1);
    metrics = new Metrics(table.byId().size());
    Services services =
        new Services(
            table,
            keyspace,
            config,
            metrics,
            journal,
            new NoPersistence(),
            clients,
            new NoChannels(),
            new NoLifecycle(),
            users(config, table),
            new AccessLog(config::acllogMaxLen),
            new KeyspaceNotifications(new NoChannels()),
            new Tracking(clients, keyspace),
            CommandObserver.NONE,
            InstantSource.system());
    network = new NetworkServer(services, clients, HeapFreeMemory::new, countedBytes::addAndGet);
    network.start();
  }

  private static Users users(ServerConfig config, CommandTable table) {
    Users users = new Users(table.catalog(), config::aclPubsubDefaultAll);
    if (!config.requirepass().isEmpty()) {
      users.setDefaultPassword(config.requirepass());
    }
    return users;
  }

  private static ServerConfig config(int port, String... settings) {
    List<String> all = new ArrayList<>(List.of("port", Integer.toString(port)));
    all.addAll(List.of("bind", "127.0.0.1", "io-threads", "2"));
    all.addAll(List.of(settings));
    return ServerConfig.of(all.toArray(String[]::new));
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  TestClient connect() throws IOException {
    return new TestClient("127.0.0.1", port);
  }

  /** The reply that a LATER command owes. */
  DeferredReply awaitLater() throws InterruptedException {
    return Objects.requireNonNull(later.poll(10, TimeUnit.SECONDS), "nobody sent LATER");
  }

  /** The only client's session, once it is there. */
  Session session() throws InterruptedException {
    for (int i = 0; i < 1000 && clients.all().isEmpty(); i++) {
      Thread.sleep(5);
    }
    return clients.all().iterator().next();
  }

  private List<CommandSpec> commands() {
    return List.of(
        command("ping", 1, (context, reply) -> reply.simpleString("PONG")),
        command("echo", 2, (context, reply) -> reply.bulk(context.request().bytes(1))),
        command("big", 2, TestServer::big),
        command("reconfigure", 3, TestServer::reconfigure),
        command("spare", 1, TestServer::spare),
        command("see", 2, TestServer::see),
        command("later", 1, this::answerLater),
        command("quit", 1, TestServer::quit),
        command("silent", 1, (context, reply) -> reply.setDiscarding(true)),
        command("login", 1, TestServer::login, CommandFlag.NO_AUTH),
        command("write", 1, (context, reply) -> reply.ok(), CommandFlag.WRITE));
  }

  private static CommandSpec command(
      String name, int arity, Operation operation, CommandFlag... flags) {
    return CommandSpec.named(name).arity(arity).flags(flags).parser(context -> operation).build();
  }

  private static void big(CommandContext context, ReplyWriter reply) {
    reply.bulk("x".repeat(Integer.parseInt(context.request().text(1))));
  }

  /** Answers as one who has seen a position of the journal. */
  private static void see(CommandContext context, ReplyWriter reply) {
    context.session().sawPosition(Long.parseLong(context.request().text(1)));
    reply.ok();
  }

  private static void spare(CommandContext context, ReplyWriter reply) {
    context.session().setNoEvict(true);
    reply.ok();
  }

  private static void reconfigure(CommandContext context, ReplyWriter reply) {
    try {
      List<String> setting = List.of(context.request().text(1), context.request().text(2));
      context.config().set(setting, true);
      reply.ok();
    } catch (ConfigException e) {
      reply.error("ERR " + e.getMessage());
    }
  }

  private void answerLater(CommandContext context, ReplyWriter reply) {
    later.add(context.answerLater());
  }

  private static void quit(CommandContext context, ReplyWriter reply) {
    reply.ok();
    context.session().peer().closeAfterReply();
  }

  private static void login(CommandContext context, ReplyWriter reply) {
    context.session().setAuthenticated(true);
    reply.ok();
  }

  @Override
  public void close() {
    network.close();
    pool.close();
  }

  private static final class HeapFreeMemory implements BulkMemory {
    private ByteBuf buffer;

    HeapFreeMemory(long capacity) {
      buffer = Unpooled.directBuffer((int) capacity, Integer.MAX_VALUE);
    }

    @Override
    public long address() {
      return buffer.memoryAddress();
    }

    @Override
    public long capacity() {
      return buffer.capacity();
    }

    @Override
    public boolean grow(long capacity) {
      buffer.setIndex(0, buffer.capacity());
      buffer.capacity((int) capacity);
      return true;
    }

    @Override
    public void release() {
      buffer.release();
    }
  }

  private static final class NoPersistence implements Persistence {
    @Override
    public boolean isLoading() {
      return false;
    }

    @Override
    public boolean save(Consumer<@Nullable String> done) {
      return false;
    }

    @Override
    public BackgroundSave backgroundSave(boolean schedule) {
      return BackgroundSave.ALREADY_RUNNING;
    }

    @Override
    public LogRewriteStart rewriteLog(boolean postponed) {
      return LogRewriteStart.FAILED;
    }

    @Override
    public void reloadLog(Consumer<@Nullable String> done) {}

    @Override
    public long lastSaveSeconds() {
      return 0;
    }

    @Override
    public @Nullable String writeRefusal() {
      return null;
    }

    @Override
    public long snapshots() {
      return 0;
    }

    @Override
    public long lastCutMicros() {
      return 0;
    }

    @Override
    public void appendInfo(StringBuilder info) {}

    @Override
    public void reload(Consumer<@Nullable String> done) {}
  }

  private static final class NoChannels implements Channels {
    @Override
    public boolean subscribe(Session session, Kind kind, String name) {
      return false;
    }

    @Override
    public boolean unsubscribe(Session session, Kind kind, String name) {
      return false;
    }

    @Override
    public List<String> subscriptions(Session session, Kind kind) {
      return List.of();
    }

    @Override
    public int count(Session session, Kind kind) {
      return 0;
    }

    @Override
    public void unsubscribeAll(Session session) {}

    @Override
    public long publish(Kind kind, byte[] channel, byte[] message, long journalPosition) {
      return 0;
    }

    @Override
    public long receivers(Kind kind, byte[] channel) {
      return 0;
    }

    @Override
    public List<String> active(Kind kind, String pattern) {
      return List.of();
    }

    @Override
    public int subscribers(Kind kind, String channel) {
      return 0;
    }

    @Override
    public int patterns() {
      return 0;
    }
  }

  private static final class NoLifecycle implements Lifecycle {
    @Override
    public void shutdown(SaveMode mode, boolean now, boolean force, Consumer<String> failed) {}

    @Override
    public boolean abortShutdown() {
      return false;
    }

    @Override
    public void halt(String reason, Throwable cause) {
      throw new IllegalStateException(reason, cause);
    }
  }
}
