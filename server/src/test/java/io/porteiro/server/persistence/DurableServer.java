package io.porteiro.server.persistence;

import io.porteiro.server.command.CommandHarness;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.command.Journal;
import io.porteiro.server.command.ManualClock;
import io.porteiro.server.command.Persistence.LogRewriteStart;
import io.porteiro.server.command.bloom.BloomCommands;
import io.porteiro.server.command.connection.ConnectionCommands;
import io.porteiro.server.command.hyperloglog.HyperLogLogCommands;
import io.porteiro.server.command.keyspace.KeyspaceCommands;
import io.porteiro.server.command.string.StringCommands;
import io.porteiro.server.command.transaction.TransactionCommands;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.persistence.log.FaultyDisk;
import io.porteiro.server.store.Keyspace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Commands, log and snapshots together, on a disk that can fail; without a network. */
final class DurableServer implements AutoCloseable {
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private final FaultyDisk disk;
  private final CommandHarness harness;
  private final HarnessClient client;
  private @Nullable LogPersistence persistence;

  private DurableServer(FaultyDisk disk, ServerConfig config) {
    this.disk = disk;
    harness = CommandHarness.durable(commands(), config, this::make);
    client = harness.client();
  }

  private CommandHarness.Durable make(Keyspace keyspace, ServerConfig config, ManualClock clock) {
    persistence = new LogPersistence(keyspace, config, clock, (_, _) -> {}, disk);
    return new CommandHarness.Durable(persistence.journal(), persistence);
  }

  private static Collection<CommandSpec> commands() {
    return Stream.of(
            BloomCommands.commands(),
            HyperLogLogCommands.commands(),
            StringCommands.commands(),
            KeyspaceCommands.commands(),
            ConnectionCommands.commands(),
            TransactionCommands.commands())
        .flatMap(List::stream)
        .toList();
  }

  /** A server on a directory, loaded. */
  static DurableServer started(Path directory, String... settings) throws IOException {
    return started(new FaultyDisk(), directory, settings);
  }

  /** The same on a disk that was told to fail. */
  static DurableServer started(FaultyDisk disk, Path directory, String... settings)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("dir", directory.toString(), "save", ""));
    all.addAll(Arrays.asList(settings));
    DurableServer server = new DurableServer(disk, ServerConfig.of(all.toArray(String[]::new)));
    try {
      server.persistence().load(server.harness::replay);
      server.persistence().start();
      return server;
    } catch (LoadException e) {
      server.close();
      throw e;
    }
  }

  LogPersistence persistence() {
    return Objects.requireNonNull(persistence);
  }

  Journal journal() {
    return persistence().journal();
  }

  FaultyDisk disk() {
    return disk;
  }

  ManualClock clock() {
    return harness.clock();
  }

  CommandHarness harness() {
    return harness;
  }

  /** Executes a command, and what an event loop does at the end of its turn. */
  String call(String... words) {
    String reply = client.call((Object[]) words);
    journal().endTurn(() -> {});
    return reply;
  }

  void configure(String name, String value) {
    try {
      harness.configure(name, value);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(e);
    }
  }

  String info() {
    StringBuilder info = new StringBuilder();
    persistence().appendInfo(info);
    return info.toString();
  }

  void save() {
    CompletableFuture<AtomicReference<@Nullable String>> done = new CompletableFuture<>();
    persistence().save(failure -> done.complete(new AtomicReference<>(failure)));
    if (done.join().get() != null) {
      throw new IllegalStateException(done.join().get());
    }
  }

  /** Rewrites the log, to the end. */
  void rewrite() {
    tryRewrite();
    if (!info().contains("aof_last_bgrewrite_status:ok")) {
      throw new IllegalStateException("the rewrite failed");
    }
  }

  /** Rewrites the log, to the end, good or bad. */
  void tryRewrite() {
    if (persistence().rewriteLog(false) != LogRewriteStart.STARTED) {
      throw new IllegalStateException("not begun");
    }
    await(() -> info().contains("aof_rewrite_in_progress:0"));
  }

  void awaitReleased() {
    await(() -> journal().releasedPosition() >= client.session().journalPosition());
  }

  void awaitWritable() {
    await(() -> persistence().writeRefusal() == null);
  }

  void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("waited too long");
      }
      try {
        Thread.sleep(2);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Ends as a killed process does: nothing more is written. */
  @Override
  public void close() {
    harness.close();
    persistence().close();
  }
}
