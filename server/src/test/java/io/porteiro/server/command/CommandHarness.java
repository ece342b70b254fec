package io.porteiro.server.command;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.porteiro.protocol.RequestBatch;
import io.porteiro.server.access.AccessLog;
import io.porteiro.server.access.Users;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.metrics.Metrics;
import io.porteiro.server.store.Keyspace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A server without network and files: real memory, keyspace, decoder, dispatcher and reply writer;
 * the rest are fakes that a test can look into. It executes the given commands.
 *
 * <pre>{@code
 * try (CommandHarness server = CommandHarness.of(StringCommands.commands())) {
 *   HarnessClient client = server.client();
 *   assertThat(client.call("SET", "k", "v")).isEqualTo("+OK");
 *   assertThat(server.effects()).containsExactly("0: SET k v");
 * }
 * }</pre>
 */
public final class CommandHarness implements AutoCloseable {
  /** One thread's share of the server: its own dispatcher. Only one thread at a time may use it. */
  public static final class Loop implements AutoCloseable {
    private final CommandDispatcher dispatcher;
    private final RequestBatch batch;

    private Loop(Services services) {
      dispatcher = new CommandDispatcher(services);
      batch = new RequestBatch(ALLOCATOR);
    }

    public CommandDispatcher dispatcher() {
      return dispatcher;
    }

    RequestBatch batch() {
      return batch;
    }

    @Override
    public void close() {
      batch.close();
    }
  }

  static final ByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;
  private static final int DATABASES = 16;
  private static final long SEED = 42;

  private final MemoryPool pool = new MemoryPool(Long.MAX_VALUE);
  private final ManualClock clock = new ManualClock();
  private final RecordingJournal journal = new RecordingJournal();
  private final FakePersistence persistence = new FakePersistence();
  private final FakeClients clients = new FakeClients();
  private final FakeChannels channels = new FakeChannels();
  private final FakeLifecycle lifecycle = new FakeLifecycle();
  private final RecordingObserver observer = new RecordingObserver();
  private final AtomicLong nextId = new AtomicLong(1);
  private final List<HarnessClient> open = new CopyOnWriteArrayList<>();
  private final Services services;
  private final List<Loop> loops = new ArrayList<>();

  private CommandHarness(Collection<CommandSpec> commands) {
    this(commands, null, ServerConfig.of());
  }

  private CommandHarness(
      Collection<CommandSpec> commands, @Nullable DurableMaker maker, ServerConfig config) {
    CommandTable table = new CommandTable(commands);
    Keyspace keyspace = new Keyspace(pool, DATABASES, SEED);
    Durable durable =
        maker == null ? new Durable(journal, persistence) : maker.make(keyspace, config, clock);
    services =
        new Services(
            table,
            keyspace,
            config,
            new Metrics(table.byId().size()),
            durable.journal(),
            durable.persistence(),
            clients,
            channels,
            lifecycle,
            users(config, table),
            new AccessLog(config::acllogMaxLen),
            new KeyspaceNotifications(channels),
            new Tracking(clients, keyspace),
            observer,
            clock);
    applyChanges(services);
    newLoop();
  }

  private static Users users(ServerConfig config, CommandTable table) {
    Users users = new Users(table.catalog(), config::aclPubsubDefaultAll);
    config.onChange("requirepass", () -> users.setDefaultPassword(config.requirepass()));
    return users;
  }

  /** What the server does when these settings change. */
  private static void applyChanges(Services services) {
    ServerConfig config = services.config();
    config.onChange(
        "notify-keyspace-events",
        () -> services.notifications().setClasses(config.notifyKeyspaceEvents()));
    config.onChange(
        "tracking-table-max-keys",
        () -> services.tracking().setMaxKeys(config.trackingTableMaxKeys()));
    config.onChange(
        "maxmemory",
        () ->
            services
                .keyspace()
                .pool()
                .setLimitBytes(config.maxmemory() > 0 ? config.maxmemory() : Long.MAX_VALUE));
  }

  /** Where effects go, and what saves and loads. */
  public record Durable(Journal journal, Persistence persistence) {}

  /** Makes a real one instead of the fakes. */
  @FunctionalInterface
  public interface DurableMaker {
    Durable make(Keyspace keyspace, ServerConfig config, ManualClock clock);
  }

  /** A server with a journal and persistence of the test's. */
  public static CommandHarness durable(
      Collection<CommandSpec> commands, ServerConfig config, DurableMaker maker) {
    return new CommandHarness(commands, maker, config);
  }

  /** What executes the commands of a log. */
  public Replay replay() {
    return new Replay(services, services.table());
  }

  /** A server with the commands of these families. */
  @SafeVarargs
  public static CommandHarness of(Collection<CommandSpec>... families) {
    List<CommandSpec> commands = new ArrayList<>();
    for (Collection<CommandSpec> family : families) {
      commands.addAll(family);
    }
    return new CommandHarness(commands);
  }

  /** A small command of every kind, for tests that need no real ones. */
  public static List<CommandSpec> testCommands() {
    return new TestCommands().commands();
  }

  /** A further dispatcher, for another thread. */
  public Loop newLoop() {
    Loop loop = new Loop(services);
    loops.add(loop);
    return loop;
  }

  /** A new connection, in RESP2, logged in. */
  public HarnessClient client() {
    return client(loops.getFirst());
  }

  /** A new connection on a loop. */
  public HarnessClient client(Loop loop) {
    HarnessClient client = new HarnessClient(services, loop, nextId.getAndIncrement());
    clients.add(client);
    open.add(client);
    client.onClose(() -> {
      clients.remove(client);
      open.remove(client);
    });
    return client;
  }

  /** The journal units since the last call, see {@link RecordingJournal}. */
  public List<String> effects() {
    return journal.take();
  }

  /** Changes a setting, as CONFIG SET does. */
  public void configure(String name, String value) throws ConfigException {
    services.config().set(List.of(name, value), true);
  }

  public Services services() {
    return services;
  }

  public Keyspace keyspace() {
    return services.keyspace();
  }

  public MemoryPool pool() {
    return pool;
  }

  public ManualClock clock() {
    return clock;
  }

  public RecordingJournal journal() {
    return journal;
  }

  public FakePersistence persistence() {
    return persistence;
  }

  public FakeClients clients() {
    return clients;
  }

  public FakeChannels channels() {
    return channels;
  }

  public FakeLifecycle lifecycle() {
    return lifecycle;
  }

  public RecordingObserver observer() {
    return observer;
  }

  @Override
  public void close() {
    open.forEach(HarnessClient::close);
    loops.forEach(Loop::close);
    pool.close();
  }
}
