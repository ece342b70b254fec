package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.csc.CacheConfig;
import redis.clients.jedis.csc.CacheStats;

/**
 * Jedis keeps what it has read as long as this server tells it of changes. It looks for messages
 * when it is asked for something it keeps, so a change is seen once its message has arrived.
 */
class JedisClientSideCacheIT {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server = ServerProcess.started("--io-threads", "2");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void empty() {
    server.call("FLUSHALL");
  }

  private static RedisClient caching() {
    return RedisClient.builder()
        .hostAndPort(new HostAndPort("127.0.0.1", server.port()))
        .clientConfig(
            DefaultJedisClientConfig.builder()
                .protocol(RedisProtocol.RESP3)
                .timeoutMillis(60_000)
                .build())
        .cacheConfig(CacheConfig.builder().maxSize(10_000).cacheable((_, _) -> true).build())
        .build();
  }

  private static <T> void awaitEqual(Supplier<T> asked, T expected) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!expected.equals(asked.get()) && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(asked.get()).isEqualTo(expected);
  }

  /**
   * Asks twice, so that the value is kept, and shows that the second answer came from the cache.
   */
  private static <T> void keep(RedisClient client, Supplier<T> asked, T expected) {
    assertThat(asked.get()).isEqualTo(expected);
    long hits = client.getCache().getStats().getHitCount();
    assertThat(asked.get()).isEqualTo(expected);
    assertThat(client.getCache().getStats().getHitCount()).isEqualTo(hits + 1);
  }

  @Test
  void string_changedByAnother_isReadAgain() {
    try (RedisClient client = caching()) {
      server.call("SET", "k", "1");
      keep(client, () -> client.get("k"), "1");
      server.call("SET", "k", "2");
      awaitEqual(() -> client.get("k"), "2");
      keep(client, () -> client.get("k"), "2");
      server.call("APPEND", "k", "x");
      awaitEqual(() -> client.strlen("k"), 2L);
      awaitEqual(() -> client.get("k"), "2x");
    }
  }

  @Test
  void string_changedByOneself_isReadAgain() {
    try (RedisClient client = caching()) {
      client.set("k", "1");
      keep(client, () -> client.get("k"), "1");
      client.set("k", "2");
      awaitEqual(() -> client.get("k"), "2");
    }
  }

  @Test
  void string_expired_isForgotten() {
    try (RedisClient client = caching()) {
      server.call("SET", "k", "1", "PX", "300");
      keep(client, () -> client.get("k"), "1");
      awaitEqual(() -> client.exists("k"), false);
      awaitEqual(() -> String.valueOf(client.get("k")), "null");
    }
  }

  @Test
  void everything_flushed_isForgotten() {
    try (RedisClient client = caching()) {
      server.call("MSET", "a", "1", "b", "2");
      keep(client, () -> client.get("a"), "1");
      keep(client, () -> client.mget("a", "b").toString(), "[1, 2]");
      server.call("FLUSHALL");
      awaitEqual(() -> String.valueOf(client.get("a")), "null");
      awaitEqual(() -> client.mget("a", "b").toString(), "[null, null]");
    }
  }

  @Test
  void bloomFilter_addedToByAnother_isAskedAgain() {
    try (RedisClient client = caching()) {
      server.call("BF.RESERVE", "b", "0.001", "1000");
      keep(client, () -> client.bfExists("b", "alice"), false);
      keep(client, () -> client.bfCard("b"), 0L);
      server.call("BF.ADD", "b", "alice");
      awaitEqual(() -> client.bfExists("b", "alice"), true);
      awaitEqual(() -> client.bfCard("b"), 1L);
      awaitEqual(() -> client.bfInfo("b").get("Number of items inserted"), (Object) 1L);
      server.call("BF.MADD", "b", "bob", "carol");
      awaitEqual(() -> client.bfMExists("b", "bob", "nobody").toString(), "[true, false]");
      server.call("DEL", "b");
      awaitEqual(() -> client.bfExists("b", "alice"), false);
    }
  }

  /** A duplicate changes nothing: whoever asks for what is there keeps the answer. */
  @Test
  void bloomFilter_duplicateAddedByAnother_isStillKept() {
    try (RedisClient client = caching()) {
      server.call("BF.ADD", "b", "alice");
      keep(client, () -> client.bfExists("b", "alice"), true);
      CacheStats stats = client.getCache().getStats();
      long misses = stats.getMissCount();
      server.call("BF.ADD", "b", "alice");
      server.call("SET", "other", "1");
      assertThat(client.bfExists("b", "alice")).isTrue();
      assertThat(stats.getMissCount()).isEqualTo(misses);
    }
  }

  @Test
  void hyperLogLog_addedToByAnother_isCountedAgain() {
    try (RedisClient client = caching()) {
      server.call("PFADD", "h", "a", "b");
      keep(client, () -> client.pfcount("h"), 2L);
      server.call("PFADD", "h", "c");
      awaitEqual(() -> client.pfcount("h"), 3L);
      server.call("PFMERGE", "h2", "h");
      awaitEqual(() -> client.pfcount("h", "h2"), 3L);
      server.call("PFADD", "h2", "d");
      awaitEqual(() -> client.pfcount("h", "h2"), 4L);
    }
  }

  /** Where the server forgets for lack of room, the client must not go on keeping. */
  @Test
  void keys_beyondTheServersTable_areNotKeptStale() {
    server.call("CONFIG", "SET", "tracking-table-max-keys", "10");
    try (RedisClient client = caching()) {
      for (int i = 0; i < 100; i++) {
        server.call("SET", "k" + i, "old");
        client.get("k" + i);
      }
      for (int i = 0; i < 100; i++) {
        server.call("SET", "k" + i, "new");
      }
      for (int i = 0; i < 100; i++) {
        String key = "k" + i;
        awaitEqual(() -> client.get(key), "new");
      }
    } finally {
      server.call("CONFIG", "SET", "tracking-table-max-keys", "1000000");
    }
  }

  /** Four caching clients on two event loops against a writer; in the end all see its last word. */
  @Test
  void values_writtenAllTheTime_areRightInTheEnd() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong reads = new AtomicLong();
    RedisClient[] clients = {caching(), caching(), caching(), caching()};
    Thread[] readers = new Thread[clients.length];
    for (int i = 0; i < clients.length; i++) {
      RedisClient client = clients[i];
      readers[i] =
          Thread.startVirtualThread(() -> {
            for (long n = 0; !done.get(); n++) {
              client.get("k" + n % 20);
              reads.incrementAndGet();
            }
          });
    }
    try (RawConnection writer = server.connect()) {
      for (int n = 0; n < 3000; n++) {
        assertThat(writer.call("SET", "k" + n % 20, "v" + n)).isEqualTo(new Reply.Simple("OK"));
      }
    }
    done.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    for (RedisClient client : clients) {
      for (int i = 0; i < 20; i++) {
        String key = "k" + i;
        awaitEqual(() -> client.get(key), "v" + (2980 + i));
      }
      client.close();
    }
    assertThat(reads.get()).isPositive();
  }
}
