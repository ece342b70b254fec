package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.connection.ConnectionCommands;
import io.porteiro.server.command.keyspace.KeyspaceCommands;
import io.porteiro.server.command.string.StringCommands;
import io.porteiro.server.command.transaction.TransactionCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients on several event loops keep what they read while all of them write. When all is quiet and
 * every message has come, what is still kept must be right: a single message that is lost, or
 * overtaken by the reply that it is about, leaves a stale value.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TrackingConcurrencyTest {
  private static final int CLIENTS = 6;
  private static final int STEPS = 12_000;
  private static final int FEW_KEYS = 2;
  private static final long SEED = 303;
  private static final Pattern TEXT = Pattern.compile("\"([^\"]*)\"");

  private final CommandHarness server =
      CommandHarness.of(
          ConnectionCommands.commands(),
          StringCommands.commands(),
          KeyspaceCommands.commands(),
          TransactionCommands.commands());
  private final AtomicLong version = new AtomicLong();
  private final CyclicBarrier quiet = new CyclicBarrier(CLIENTS);

  @AfterEach
  void close() {
    server.close();
  }

  /** A client with a cache. */
  private final class Cache {
    private final HarnessClient client = server.client(server.newLoop()).resp3();
    private final Map<String, String> kept = new HashMap<>();
    private final boolean noLoop;
    private final Random random;
    private final int keys;

    Cache(Random random, String options, int keys) {
      this.random = random;
      this.keys = keys;
      this.noLoop = options.contains("NOLOOP");
      assertThat(client.call((Object[]) ("CLIENT TRACKING ON" + options).split(" ")))
          .isEqualTo("+OK");
    }

    /** Pushes that came before the reply are seen after it: then too much is dropped, no harm. */
    String call(String... words) {
      return client.call((Object[]) words);
    }

    void read(String key) {
      hearMessages();
      if (!kept.containsKey(key)) {
        kept.put(key, call("GET", key));
      }
      hearMessages();
    }

    void hearMessages() {
      for (String message : client.unread()) {
        if (message.endsWith(" _]")) {
          kept.clear();
          continue;
        }
        Matcher texts = TEXT.matcher(message);
        while (texts.find()) {
          kept.remove(texts.group(1));
        }
      }
    }

    void write(String... words) {
      call(words);
      if (noLoop) {
        for (String word : words) {
          kept.remove(word);
        }
      }
      hearMessages();
    }

    void step() {
      String key = "k" + random.nextInt(keys);
      String other = "k" + random.nextInt(keys);
      String value = Long.toString(version.incrementAndGet());
      switch (random.nextInt(40)) {
        case 0, 1 -> write("SET", key, value);
        case 2 -> write("DEL", key);
        case 3 -> write("MSET", key, value, other, value);
        case 4 -> write("RENAME", key, other);
        case 5 -> write("SET", key, value, "PX", "1");
        case 6 -> transaction(key, other, value);
        case 7 -> server.clock().advance(1);
        case 8 -> flushSometimes();
        default -> read(key);
      }
    }

    private void transaction(String key, String other, String value) {
      call("MULTI");
      call("GET", key);
      call("SET", other, value);
      call("APPEND", key, "x");
      write("EXEC", key, other);
      if (noLoop) {
        kept.remove(key);
        kept.remove(other);
      }
    }

    private void flushSometimes() {
      if (keys > FEW_KEYS && random.nextInt(50) == 0) {
        call("FLUSHDB");
      }
    }

    /** With all clients quiet: what is kept although the server has something else. */
    List<String> stale(HarnessClient truth) {
      hearMessages();
      List<String> wrong = new ArrayList<>();
      kept.forEach((key, value) -> {
        String now = truth.call("GET", key).replace("nil", "_");
        if (!now.equals(value)) {
          wrong.add(key + " is " + now + ", kept as " + value);
        }
      });
      return wrong;
    }
  }

  /** With two keys and no flush, what is lost once stays wrong to the end. */
  @ParameterizedTest
  @CsvSource({
    "'',0,24",
    "' NOLOOP',0,24",
    "' BCAST',0,24",
    "' BCAST NOLOOP',0,24",
    "'',5,24",
    "'',0,2",
    "' NOLOOP',0,2"
  })
  void keptValues_afterConcurrentWrites_areRight(String options, int maxKeys, int keys)
      throws Exception {
    server.configure("tracking-table-max-keys", Integer.toString(maxKeys));
    List<Callable<Cache>> tasks = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Cache cache = new Cache(new Random(SEED + i), options, keys);
      tasks.add(() -> {
        for (int step = 0; step < STEPS; step++) {
          cache.step();
        }
        quiet.await();
        cache.hearMessages();
        return cache;
      });
    }
    List<String> wrong = new ArrayList<>();
    int kept = 0;
    try (ExecutorService executor = Executors.newFixedThreadPool(CLIENTS)) {
      HarnessClient truth = server.client(server.newLoop());
      List<Future<Cache>> caches = executor.invokeAll(tasks);
      new ExpiryTask(server.services()).run(); // a key past its time is told when it is removed
      for (Future<Cache> done : caches) {
        wrong.addAll(done.get().stale(truth));
        kept += done.get().kept.size();
      }
    }
    assertThat(wrong).as("seed %d, %d values kept", SEED, kept).isEmpty();
    if (keys > FEW_KEYS) {
      assertThat(kept).as("values kept, or nothing was tested").isPositive();
    }
  }
}
