package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.porteiro.examples.gatekeeper.Counters;
import io.porteiro.examples.gatekeeper.Gatekeeper;
import io.porteiro.examples.gatekeeper.Main;
import io.porteiro.examples.gatekeeper.SecondRequestCache;
import io.porteiro.examples.gatekeeper.UserTable;
import io.porteiro.examples.gatekeeper.Visitors;
import io.porteiro.it.process.Eventually;
import io.porteiro.it.process.PostgresProcess;
import io.porteiro.it.process.RespProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.Reply;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/** The gatekeeper example (docker/examples/gatekeeper) before a real PostgreSQL. */
class GatekeeperIT {
  private static final int NAMES = 100_000;
  private static final int BATCH = 1_000;

  /** A busy machine is no Porteiro that is away. */
  private static final int PATIENCE_MS = 20_000;

  /** At least so much of the look-ups of new names must not reach the database. */
  private static final double SPARED = 0.98;

  private static PostgresProcess postgres;
  private static HikariDataSource database;

  private final Counters counters = new Counters();
  private static ServerProcess server;
  private RedisClient porteiro;
  private UserTable users;
  private Gatekeeper gatekeeper;

  @BeforeAll
  static void startBoth() throws Exception {
    postgres = PostgresProcess.started();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(postgres.url());
    config.setUsername(postgres.user());
    database = new HikariDataSource(config);
    server = ServerProcess.preparedWithLog();
  }

  @AfterAll
  static void stopBoth() throws Exception {
    if (database != null) {
      server.close();
      database.close();
      postgres.close();
    }
  }

  @BeforeEach
  void empty() throws SQLException {
    if (!server.isAlive()) {
      server.start();
    }
    server.call("FLUSHALL");
    porteiro = Main.client("127.0.0.1", server.port(), PATIENCE_MS);
    users = new UserTable(database);
    users.create();
    users.clear();
    gatekeeper = new Gatekeeper(users, porteiro, counters);
  }

  @AfterEach
  void stop() {
    porteiro.close();
  }

  // ------------------------------------------------------------------ names

  @Test
  void hundredThousandNames_acrossAKill_areNeverCalledFreeAndTheDatabaseIsSpared()
      throws Exception {
    users.fill(NAMES);
    assertThat(gatekeeper.rebuild()).isTrue();
    assertNewNamesAreSpared("before");
    Set<String> registered = registerWhile(this::killAndStart);
    assertThat(counters.withoutPorteiro()).as("questions while Porteiro was away").isPositive();
    assertThat(gatekeeper.isFilterComplete()).as("without a rebuild after the kill").isTrue();
    assertAllAreTaken(registered);
    assertAllAreTaken(existingNames());
    assertNewNamesAreSpared("after");
    assertThat(counters.saved()).isGreaterThan((long) (2 * SPARED * NAMES));
  }

  private static List<String> existingNames() {
    return IntStream.rangeClosed(1, NAMES).mapToObj(i -> "user-" + i).toList();
  }

  private void assertAllAreTaken(Iterable<String> names) throws SQLException {
    List<String> batch = new ArrayList<>();
    for (String name : names) {
      batch.add(name);
      if (batch.size() == BATCH) {
        assertThat(gatekeeper.taken(batch)).containsAll(batch);
        batch.clear();
      }
    }
    assertThat(gatekeeper.taken(batch)).containsAll(batch);
  }

  private void assertNewNamesAreSpared(String prefix) throws SQLException {
    long askedBefore = counters.names();
    long atDatabaseBefore = counters.namesAtDatabase();
    for (int from = 0; from < NAMES; from += BATCH) {
      assertThat(gatekeeper.taken(newNames(prefix, from))).isEmpty();
    }
    for (int i = 0; i < BATCH; i++) {
      assertThat(gatekeeper.isTaken(prefix + "-alone-" + i)).isFalse();
    }
    long asked = counters.names() - askedBefore;
    long spared = asked - (counters.namesAtDatabase() - atDatabaseBefore);
    assertThat(asked).isEqualTo(NAMES + BATCH);
    assertThat((double) spared / asked).as("spared, %s", prefix).isGreaterThan(SPARED);
  }

  private static List<String> newNames(String prefix, int from) {
    return IntStream.range(from, from + BATCH).mapToObj(i -> prefix + "-" + i).toList();
  }

  /** Kills it under load, and has it away for a moment before it starts again. */
  private void killAndStart() {
    awaitRegistrations(200);
    server.kill();
    long before = counters.withoutPorteiro();
    Eventually.holds("questions go on", () -> counters.withoutPorteiro() > before + 2);
    server.start();
    awaitRegistrations(200);
  }

  // ------------------------------------------------------------------ registering meanwhile

  private final AtomicInteger registrations = new AtomicInteger();

  private void awaitRegistrations(int more) {
    int before = registrations.get();
    Eventually.holds("registrations", () -> registrations.get() > before + more);
  }

  /** Registers names on two threads, and asks for them on a third, while something happens. */
  private Set<String> registerWhile(Runnable happening) throws Exception {
    ConcurrentLinkedQueue<String> registered = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<String> calledFree = new ConcurrentLinkedQueue<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<?>> work = new ArrayList<>();
      AtomicBoolean ended = new AtomicBoolean();
      BooleanSupplier goesOn = () -> !ended.get();
      work.add(threads.submit(() -> register("a", registered, goesOn)));
      work.add(threads.submit(() -> register("b", registered, goesOn)));
      work.add(threads.submit(() -> ask(registered, calledFree, goesOn)));
      try {
        happening.run();
      } finally {
        ended.set(true);
      }
      for (Future<?> one : work) {
        one.get();
      }
    }
    assertThat(calledFree).as("registered names that were called free").isEmpty();
    return new HashSet<>(registered);
  }

  private Void register(String prefix, ConcurrentLinkedQueue<String> registered, BooleanSupplier on)
      throws SQLException {
    for (int i = 0; on.getAsBoolean(); i++) {
      String name = prefix + "-" + System.nanoTime() + "-" + i;
      try {
        assertThat(gatekeeper.register(name)).isTrue();
        registered.add(name);
        registrations.incrementAndGet();
      } catch (JedisException e) {
        rest(20); // Porteiro is away: nobody can register
      }
      rest(1);
    }
    return null;
  }

  /** A server that starts needs the processor more. */
  private static void rest(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Void ask(
      ConcurrentLinkedQueue<String> registered,
      ConcurrentLinkedQueue<String> free,
      BooleanSupplier on)
      throws SQLException {
    while (on.getAsBoolean()) {
      for (String name : registered) {
        if (!gatekeeper.isTaken(name)) {
          free.add(name);
        }
        rest(1);
        if (!on.getAsBoolean()) {
          break;
        }
      }
    }
    return null;
  }

  /** Without the transaction over both filters, or the wait for inserts, some would be missing. */
  @Test
  void rebuild_whileNamesAreRegistered_losesNone() throws Exception {
    users.fill(5_000);
    gatekeeper.rebuild();
    Set<String> registered =
        registerWhile(() -> {
          for (int i = 0; i < 10; i++) {
            rebuild();
          }
        });
    assertThat(registered).isNotEmpty();
    assertAllAreTaken(registered);
    assertThat(porteiro.exists("names:next")).isFalse();
  }

  private void rebuild() {
    try {
      assertThat(gatekeeper.rebuild()).isTrue();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  // ------------------------------------------------------------------ failing closed

  @Test
  void isTaken_porteiroIsAway_asksTheDatabaseAndRegistersNobody() throws SQLException {
    users.fill(10);
    try (RedisClient client = awayClient()) {
      Gatekeeper alone = new Gatekeeper(users, client, counters);
      assertThat(alone.isTaken("user-1")).isTrue();
      assertThat(alone.isTaken("nobody")).isFalse();
      assertThat(counters.namesAtDatabase()).isEqualTo(2);
      assertThatThrownBy(() -> alone.register("nobody")).isInstanceOf(JedisException.class);
    }
    assertThat(users.existing(List.of("nobody"))).isEmpty();
  }

  private static RedisClient awayClient() {
    return Main.client("127.0.0.1", RespProcess.freePort(), PATIENCE_MS);
  }

  @Test
  void isTaken_porteiroLoads_asksTheDatabase() throws SQLException {
    users.fill(10);
    gatekeeper.rebuild();
    try (var loading = new LoadingServer();
        RedisClient client = Main.client("127.0.0.1", loading.port(), PATIENCE_MS)) {
      Gatekeeper early = new Gatekeeper(users, client, counters);
      assertThat(early.isTaken("user-1")).isTrue();
      assertThat(early.isTaken("nobody")).isFalse();
      assertThat(early.isFilterComplete()).isFalse();
      assertThatThrownBy(() -> early.register("nobody")).isInstanceOf(JedisException.class);
      assertThat(loading.answered()).isPositive();
    }
  }

  @Test
  void isTaken_filterWasLostOrIsNotComplete_asksTheDatabase() throws SQLException {
    users.fill(10);
    gatekeeper.rebuild();
    assertThat(server.call("FLUSHALL")).isEqualTo(new Reply.Simple("OK"));
    assertThat(gatekeeper.isTaken("user-1")).isTrue();
    porteiro.bfAdd("names", "something");
    assertThat(gatekeeper.isTaken("user-1")).as("a filter without its marker").isTrue();
    assertThat(gatekeeper.isFilterComplete()).isFalse();
    gatekeeper.rebuild();
    assertThat(gatekeeper.isFilterComplete()).isTrue();
    assertThat(gatekeeper.isTaken("user-1")).isTrue();
  }

  @Test
  void register_twice_isRefused() throws SQLException {
    gatekeeper.rebuild();
    assertThat(gatekeeper.register("twice")).isTrue();
    assertThat(gatekeeper.register("twice")).isFalse();
    assertThat(gatekeeper.isTaken("twice")).isTrue();
  }

  // ------------------------------------------------------------------ pages and visitors

  @Test
  void cache_keepsAPageFromItsSecondRequestOn() {
    AtomicInteger loads = new AtomicInteger();
    SecondRequestCache cache = new SecondRequestCache(porteiro, Clock.systemUTC(), counters);
    for (int i = 0; i < 5; i++) {
      assertThat(cache.get("p", name -> name + loads.incrementAndGet()))
          .isEqualTo("p" + Math.min(i + 1, 2));
    }
    assertThat(loads).hasValue(2);
    assertThat(cache.get("none", _ -> null)).isNull();
    assertThat(porteiro.ttl("requested:" + LocalDate.now(Clock.systemUTC()))).isPositive();
    assertThat(counters.pagesAtDatabase()).isEqualTo(3);
    try (RedisClient client = awayClient()) {
      SecondRequestCache alone = new SecondRequestCache(client, Clock.systemUTC(), counters);
      assertThat(alone.get("p", name -> name)).isEqualTo("p");
    }
  }

  @Test
  void visitors_ofAWeek_areCountedOnce() {
    Visitors visitors = new Visitors(porteiro, counters);
    LocalDate sunday = LocalDate.of(2026, 12, 6);
    for (int day = 0; day < 7; day++) {
      for (int i = 0; i < 500; i++) {
        visitors.came("visitor-" + (day * 100 + i), sunday.minusDays(day));
      }
    }
    visitors.came("of the next week", sunday.plusDays(1));
    assertThat(visitors.ofDay(sunday)).isCloseTo(500, withPercentage(3));
    assertThat(visitors.ofWeek(sunday)).isCloseTo(1100, withPercentage(3));
    assertThat(visitors.ofWeek(sunday.plusDays(1))).isEqualTo(1);
    assertThat(porteiro.exists("visitors:2026-W49")).isTrue();
  }

  // ------------------------------------------------------------------ the program

  @Test
  void program_prints_whatTheDatabaseWasSpared() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName());
    builder
        .environment()
        .putAll(
            Map.of(
                "DATABASE_URL", postgres.url(),
                "DATABASE_USER", postgres.user(),
                "REDIS_PORT", Integer.toString(server.port()),
                "NAMES", "1000",
                "RUN_SECONDS", "2"));
    Process program = builder.redirectErrorStream(true).start();
    String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(program.waitFor()).as(printed).isZero();
    assertThat(printed)
        .contains("Built the filter of ")
        .containsPattern("database queries saved [1-9]")
        .containsPattern("Visitors today [1-9]\\d*, this week [1-9]");
  }
}
