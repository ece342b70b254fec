package io.porteiro.examples.gatekeeper;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDate;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Fills a table with users, builds the filter, and plays visitors of a site, telling every few
 * seconds how many queries the database was spared. Settings are environment variables; see {@link
 * Settings}.
 */
public final class Main {
  private static final int CONNECTIONS = 8;
  private static final int VISITORS_AT_ONCE = 4;

  /** It is quicker to ask the database than to wait longer. */
  private static final int TIMEOUT_MS = 500;

  private static final int LOOK_AFTER_FILTER_SECONDS = 5;

  private final Settings settings;
  private final Clock clock = Clock.systemUTC();
  private final Counters counters = new Counters();
  private final RedisClient porteiro;
  private final UserTable users;
  private final Gatekeeper gatekeeper;
  private final Visitors visitors;

  private Main(Settings settings) {
    this.settings = settings;
    porteiro = client(settings.porteiroHost(), settings.porteiroPort(), TIMEOUT_MS);
    users = new UserTable(database(settings));
    gatekeeper = new Gatekeeper(users, porteiro, counters);
    visitors = new Visitors(porteiro, counters);
  }

  /** Runs until it is ended, or for RUN_SECONDS. */
  public static void main(String[] arguments) throws SQLException, InterruptedException {
    new Main(Settings.of(System.getenv())).run();
  }

  /** Jedis, which gives up after so long; then the database is asked. */
  public static RedisClient client(String host, int port, int timeoutMillis) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS);
    return RedisClient.builder()
        .hostAndPort(new HostAndPort(host, port))
        .clientConfig(DefaultJedisClientConfig.builder().timeoutMillis(timeoutMillis).build())
        .poolConfig(pool)
        .build();
  }

  private static HikariDataSource database(Settings settings) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(settings.databaseUrl());
    config.setUsername(settings.databaseUser());
    config.setPassword(settings.databasePassword());
    config.setMaximumPoolSize(CONNECTIONS);
    return new HikariDataSource(config);
  }

  private void run() throws SQLException, InterruptedException {
    users.create();
    users.fill(settings.names());
    rebuild();
    ScheduledExecutorService background = Executors.newScheduledThreadPool(1);
    background.scheduleWithFixedDelay(
        this::lookAfterFilter,
        LOOK_AFTER_FILTER_SECONDS,
        LOOK_AFTER_FILTER_SECONDS,
        TimeUnit.SECONDS);
    background.scheduleWithFixedDelay(
        this::report, settings.reportSeconds(), settings.reportSeconds(), TimeUnit.SECONDS);
    for (int i = 0; i < VISITORS_AT_ONCE; i++) {
      Thread.ofPlatform().daemon().name("visitors-" + i).start(this::visit);
    }
    Thread.sleep(settings.runMillis());
    background.shutdownNow();
    report();
  }

  /** The filter can be missing: a new database, or a Porteiro that lost its volume. */
  private void lookAfterFilter() {
    try {
      if (!gatekeeper.isFilterComplete()) {
        rebuild();
      }
    } catch (SQLException | RuntimeException e) {
      say("The filter could not be built, the database answers: " + e.getMessage());
    }
  }

  private void rebuild() throws SQLException {
    long begin = System.nanoTime();
    try {
      if (gatekeeper.rebuild()) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        say("Built the filter of " + users.count() + " names in " + millis + " ms");
      }
    } catch (JedisException e) {
      say("The filter could not be built, the database answers: " + e.getMessage());
    }
  }

  private void visit() {
    SecondRequestCache cache = new SecondRequestCache(porteiro, clock, counters);
    Traffic traffic =
        new Traffic(
            gatekeeper, cache, visitors, users, clock, new SplittableRandom(), settings.names());
    while (true) {
      try {
        traffic.visit();
        Thread.sleep(settings.pauseMillis());
      } catch (SQLException e) {
        say("The database failed: " + e.getMessage());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void report() {
    say(counters.report());
    try {
      LocalDate today = LocalDate.now(clock);
      say("Visitors today " + visitors.ofDay(today) + ", this week " + visitors.ofWeek(today));
    } catch (JedisException e) {
      say("Visitors cannot be counted: " + e.getMessage());
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
