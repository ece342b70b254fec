package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.kill.SharedFilter;
import io.porteiro.it.kill.Writer;
import io.porteiro.it.process.Eventually;
import io.porteiro.it.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The server is killed at random moments, under load and while it saves, rewrites its log or
 * starts. Nothing that was acknowledged may be lost, nothing may be there in part.
 *
 * <p>{@code -Dporteiro.faults.rounds=200} plays so many rounds instead of a few, {@code
 * -Dporteiro.faults.seed} others.
 */
class KillIT {
  private static final int ROUNDS = Integer.getInteger("porteiro.faults.rounds", 6);
  private static final long SEED = Long.getLong("porteiro.faults.seed", 20261130);
  private static final int OWN_WRITERS = 3;
  private static final int SHARED_WRITERS = 2;
  private static final int BALLAST_DATABASE = 9;
  private static final List<String> POLICIES = List.of("always", "everysec", "no");

  /** What the server is at when it is killed. */
  private enum Moment {
    WRITING,
    SAVING,
    REWRITING,
    /** A new file of the log is there, but only under its temporary name. */
    BEFORE_RENAME,
    /** A new base is there, but no manifest names it. */
    BEFORE_MANIFEST,
    /** It was killed before, and is killed again while it starts. */
    STARTING
  }

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Map<String, Integer> seen = new TreeMap<>();
  private final Set<String> known = new HashSet<>();

  @Test
  void kill_atAnyMoment_losesNothingAcknowledged() throws Exception {
    try (ServerProcess server =
        ServerProcess.preparedWithLog(
            "--bf-error-rate", "0.00000001", "--bf-initial-size", "5000")) {
      SharedFilter shared = new SharedFilter(server);
      List<Writer> writers =
          IntStream.rangeClosed(1, OWN_WRITERS)
              .mapToObj(database -> new Writer(server, database, random.split()))
              .toList();
      server.start();
      loadBallast(server);
      for (int round = 0; round < ROUNDS; round++) {
        Moment moment = Moment.values()[round % Moment.values().length];
        String policy = POLICIES.get(random.nextInt(POLICIES.size()));
        server.call("CONFIG", "SET", "appendfsync", policy);
        play(server, moment, writers, shared);
        server.clearLog();
        server.start();
        check(
            server,
            "round %d, %s, %s, seed %d".formatted(round, moment, policy, SEED),
            writers,
            shared);
      }
      checkSnapshot(server);
      report(writers, shared);
    }
  }

  /** So that saving and rewriting take some time. */
  private static void loadBallast(ServerProcess server) {
    try (var connection = server.connect()) {
      connection.call("SELECT", Integer.toString(BALLAST_DATABASE));
      connection.call("BF.RESERVE", "ballast", "0.001", "10000000");
      connection.call("BF.ADD", "ballast", "one");
    }
  }

  private void play(ServerProcess server, Moment moment, List<Writer> writers, SharedFilter shared)
      throws Exception {
    List<Runnable> all = new ArrayList<>();
    writers.forEach(writer -> all.add(writer::run));
    IntStream.range(0, SHARED_WRITERS).forEach(_ -> all.add(shared::run));
    List<CompletableFuture<Void>> threads =
        all.stream()
            .map(task -> CompletableFuture.runAsync(task, Thread.ofPlatform()::start))
            .toList();
    Thread.sleep(50 + random.nextInt(300));
    awaitMoment(server, moment);
    server.kill();
    threads.forEach(CompletableFuture::join);
    note(server);
    if (moment == Moment.STARTING) {
      server.launch();
      Thread.sleep(random.nextInt(1500));
      server.kill();
    }
  }

  private void awaitMoment(ServerProcess server, Moment moment) throws Exception {
    switch (moment) {
      case WRITING, STARTING -> {}
      case SAVING -> {
        server.call("BGSAVE");
        Thread.sleep(random.nextInt(100));
      }
      case REWRITING -> {
        server.call("BGREWRITEAOF");
        Thread.sleep(random.nextInt(150));
      }
      case BEFORE_RENAME -> {
        server.call("BGREWRITEAOF");
        Eventually.holds(
            "a temporary file or the end", () -> hasTemporary(server) || !isBusy(server));
        Thread.sleep(random.nextInt(30));
      }
      case BEFORE_MANIFEST -> {
        Path base = nextBase(server);
        server.call("BGREWRITEAOF");
        spinUntilExists(base);
      }
    }
  }

  private static boolean isBusy(ServerProcess server) {
    return server.call("INFO", "persistence").asBytes().contains("aof_rewrite_in_progress:1");
  }

  private static boolean hasTemporary(ServerProcess server) {
    return names(server.logDirectory()).stream().anyMatch(KillIT::isTemporaryBase);
  }

  private static boolean isTemporaryBase(String name) {
    return name.startsWith("temp-") && name.endsWith(".base.rdb");
  }

  /** The base that the next rewrite makes. */
  private static Path nextBase(ServerProcess server) {
    long last =
        names(server.logDirectory()).stream()
            .filter(name -> !name.startsWith("temp-") && name.endsWith(".base.rdb"))
            .mapToLong(name -> Long.parseLong(name.split("\\.", -1)[2]))
            .max()
            .orElseThrow();
    return server.logDirectory().resolve("appendonly.aof." + (last + 1) + ".base.rdb");
  }

  /** The moment lasts for about a millisecond. */
  private static void spinUntilExists(Path file) {
    long deadline = System.nanoTime() + 5_000_000_000L;
    while (!Files.exists(file) && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }

  private static List<String> names(Path directory) {
    String[] names = directory.toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  /** Counts what the kills have left, to tell whether they met the moments. */
  private void note(ServerProcess server) throws IOException {
    seen.merge("kills", 1, Integer::sum);
    String manifest = Files.readString(server.logDirectory().resolve("appendonly.aof.manifest"));
    for (Path directory : List.of(server.logDirectory(), server.directory())) {
      for (String name : names(directory)) {
        Path file = directory.resolve(name);
        if (known.add(name + Files.getLastModifiedTime(file))) {
          kind(name, manifest).ifPresent(kind -> seen.merge(kind, 1, Integer::sum));
        }
      }
    }
    if (manifest.contains("type h")) {
      seen.merge("old files not deleted", 1, Integer::sum);
    }
  }

  private static Optional<String> kind(String name, String manifest) {
    if (isTemporaryBase(name)) {
      return Optional.of("temporary base");
    }
    if (name.startsWith("temp-")) {
      return Optional.of(name.endsWith(".rdb") ? "temporary snapshot" : "temporary log file");
    }
    return name.endsWith(".base.rdb") && !manifest.contains(name)
        ? Optional.of("base that no manifest names")
        : Optional.empty();
  }

  private static void check(
      ServerProcess server, String when, List<Writer> writers, SharedFilter shared) {
    try {
      writers.forEach(Writer::check);
      shared.check();
      assertThat(names(server.logDirectory())).noneMatch(name -> name.startsWith("temp-"));
      assertThat(server.log()).doesNotContain("answered: ");
    } catch (AssertionError | IllegalStateException e) {
      throw new AssertionError(when + ": " + e.getMessage() + "\n" + server.log(), e);
    }
  }

  /** Whatever was killed: a snapshot under its own name is whole. */
  private static void checkSnapshot(ServerProcess killed) throws IOException {
    killed.kill();
    if (Files.exists(killed.rdbFile())) {
      try (ServerProcess reader = ServerProcess.prepared()) {
        Files.copy(killed.rdbFile(), reader.rdbFile());
        reader.start();
        assertThat(reader.call("INFO", "keyspace").asBytes()).contains("db" + BALLAST_DATABASE);
      }
    }
  }

  private void report(List<Writer> writers, SharedFilter shared) {
    long operations = writers.stream().mapToLong(Writer::acknowledgements).sum();
    assertThat(operations).isPositive();
    assertThat(shared.told()).isPositive();
    System.out.printf(
        "seed %d: %s; %d operations acknowledged, %d items told%n",
        SEED, seen, operations, shared.told());
  }
}
