package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.it.process.Eventually;
import io.porteiro.it.process.ServerProcess;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.ScanIteration;
import redis.clients.jedis.args.ExpiryOption;
import redis.clients.jedis.bloom.BFInsertParams;
import redis.clients.jedis.bloom.BFReserveParams;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.resps.ScanResult;

/** A stock client's typed interface works, whichever protocol version it speaks. */
class JedisIT {
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server = ServerProcess.started();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RedisClient connect(RedisProtocol protocol) {
    RedisClient client = server.client(protocol);
    client.flushAll();
    return client;
  }

  // ------------------------------------------------------------------ Bloom filters

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void bloomFilter_addedTo_findsItsItems(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      assertThat(client.bfReserve("b", 0.001, 1000)).isEqualTo("OK");
      assertThat(client.bfAdd("b", "a")).isTrue();
      assertThat(client.bfAdd("b", "a")).isFalse();
      assertThat(client.bfMAdd("b", "a", "b", "c")).containsExactly(false, true, true);
      assertThat(client.bfExists("b", "c")).isTrue();
      assertThat(client.bfMExists("b", "a", "z")).containsExactly(true, false);
      assertThat(client.bfCard("b")).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void bloomFilter_asked_describesItself(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      client.bfReserve("b", 0.01, 500, BFReserveParams.reserveParams().expansion(4));
      client.bfAdd("b", "a");
      Map<String, Object> info = client.bfInfo("b");
      assertThat(info)
          .containsEntry("Capacity", 500L)
          .containsEntry("Number of filters", 1L)
          .containsEntry("Number of items inserted", 1L)
          .containsEntry("Expansion rate", 4L)
          .containsKey("Size");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void bloomFilter_insertedInto_obeysItsOptions(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      BFInsertParams small = BFInsertParams.insertParams().capacity(2).error(0.001).nonScaling();
      assertThat(client.bfInsert("b", small, "a", "b")).containsExactly(true, true);
      assertThatThrownBy(() -> client.bfAdd("b", "c")).isInstanceOf(JedisDataException.class);
      BFInsertParams existing = BFInsertParams.insertParams().noCreate();
      assertThatThrownBy(() -> client.bfInsert("none", existing, "a"))
          .hasMessageContaining("not found");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void bloomFilter_copiedInChunks_isTheSame(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      for (int i = 0; i < 1000; i++) {
        client.bfAdd("b", "item" + i);
      }
      Map.Entry<Long, byte[]> chunk = client.bfScanDump("b", 0);
      while (chunk.getKey() != 0) {
        assertThat(client.bfLoadChunk("copy", chunk.getKey(), chunk.getValue())).isEqualTo("OK");
        chunk = client.bfScanDump("b", chunk.getKey());
      }
      assertThat(client.dump("copy")).isEqualTo(client.dump("b"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void bloomFilter_createdByItsFirstItems_hasTheDefaults(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      assertThat(client.bfInsert("inserted", "a", "b")).containsExactly(true, true);
      assertThat(client.bfMAdd("added", "a", "a")).containsExactly(true, false);
      assertThat(client.bfInfo("inserted"))
          .containsEntry("Capacity", 100L)
          .containsEntry("Number of items inserted", 2L)
          .containsEntry("Expansion rate", 2L);
      client.bfInsert("wide", BFInsertParams.insertParams().expansion(8), "a");
      assertThat(client.bfInfo("wide")).containsEntry("Expansion rate", 8L);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void bloomFilter_reservedWithoutScaling_hasNoExpansionRate(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      client.bfReserve("b", 0.01, 2, BFReserveParams.reserveParams().nonScaling());
      assertThat(client.bfInfo("b")).containsEntry("Expansion rate", null);
      assertThatThrownBy(() -> client.bfReserve("b", 0.01, 2)).hasMessageContaining("item exists");
      assertThatThrownBy(() -> client.bfInfo("none")).hasMessageContaining("not found");
      assertThat(client.bfCard("none")).isZero();
      assertThat(client.bfExists("none", "a")).isFalse();
      assertThat(client.bfMExists("none", "a", "b")).containsExactly(false, false);
    }
  }

  // ------------------------------------------------------------------ HyperLogLogs

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void hyperLogLog_added_countsAndMerges(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      assertThat(client.pfadd("h", "a", "b", "c")).isOne();
      assertThat(client.pfadd("h", "a")).isZero();
      assertThat(client.pfcount("h")).isEqualTo(3);
      client.pfadd("other", "c", "d");
      assertThat(client.pfcount("h", "other")).isEqualTo(4);
      assertThat(client.pfmerge("all", "h", "other")).isEqualTo("OK");
      assertThat(client.pfcount("all")).isEqualTo(4);
      assertThat(client.type("all")).isEqualTo("string");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void hyperLogLog_ofBinaryItems_countsWithinItsError(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      byte[] key = {0, 13, 10, -1};
      for (int i = 0; i < 100; i++) {
        client.pfadd(key, items(i * 100, 100));
      }
      assertThat(client.pfcount(key)).isBetween(9_700L, 10_300L);
      byte[] copy = {1};
      assertThat(client.pfmerge(copy, key)).isEqualTo("OK");
      assertThat(client.pfcount(copy, key)).isEqualTo(client.pfcount(key));
      assertThat(client.pfcount("none")).isZero();
    }
  }

  private static byte[][] items(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(i -> ByteBuffer.allocate(4).putInt(i).array())
        .toArray(byte[][]::new);
  }

  // ------------------------------------------------------------------ strings and keys

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void strings_setInEveryWay_areRead(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      assertThat(client.set("k", "v")).isEqualTo("OK");
      assertThat(client.set("k", "w", SetParams.setParams().nx())).isNull();
      assertThat(client.set("k", "w", SetParams.setParams().xx().ex(100))).isEqualTo("OK");
      assertThat(client.setGet("k", "x", SetParams.setParams().keepTtl())).isEqualTo("w");
      assertThat(client.ttl("k")).isBetween(90L, 100L);
      assertThat(client.append("k", "yz")).isEqualTo(3);
      assertThat(client.getrange("k", 1, -1)).isEqualTo("yz");
      assertThat(client.mset("a", "1", "b", "2")).isEqualTo("OK");
      assertThat(client.mget("a", "b", "c")).containsExactly("1", "2", null);
      assertThat(client.msetnx("b", "3", "c", "3")).isZero();
      assertThat(client.getDel("k")).isEqualTo("xyz");
      assertThat(client.get("k")).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void numbers_incremented_stayExact(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      assertThat(client.incr("n")).isOne();
      assertThat(client.incrBy("n", Long.MAX_VALUE - 1)).isEqualTo(Long.MAX_VALUE);
      assertThatThrownBy(() -> client.incr("n")).hasMessageContaining("overflow");
      assertThat(client.decrBy("n", Long.MAX_VALUE)).isZero();
      assertThat(client.incrByFloat("n", 0.1)).isEqualTo(0.1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void keys_givenExpiries_keepThem(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      client.set("k", "v");
      assertThat(client.expire("k", 100)).isOne();
      assertThat(client.expire("k", 50, ExpiryOption.GT)).isZero();
      assertThat(client.pexpireAt("k", 4_102_444_800_000L)).isOne();
      assertThat(client.pexpireTime("k")).isEqualTo(4_102_444_800_000L);
      assertThat(client.rename("k", "r")).isEqualTo("OK");
      assertThat(client.persist("r")).isOne();
      assertThat(client.ttl("r")).isEqualTo(-1);
      assertThat(client.copy("r", "c", false)).isTrue();
      assertThat(client.exists("r", "c", "k")).isEqualTo(2);
      assertThat(client.unlink("r", "c")).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void scan_ofManyKeys_returnsEachOne(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      Set<String> wanted = new HashSet<>();
      for (int i = 0; i < 1000; i++) {
        client.set("key:" + i, "v");
        wanted.add("key:" + i);
      }
      Set<String> seen = new HashSet<>();
      String cursor = ScanParams.SCAN_POINTER_START;
      do {
        ScanResult<String> page = client.scan(cursor, new ScanParams().match("key:*").count(50));
        seen.addAll(page.getResult());
        cursor = page.getCursor();
      } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
      assertThat(seen).isEqualTo(wanted);
      List<String> iterated = new ArrayList<>();
      ScanIteration pages = client.scanIteration(50, "key:*", "string");
      while (!pages.isIterationCompleted()) {
        iterated.addAll(pages.nextBatch().getResult());
      }
      assertThat(iterated).hasSameElementsAs(wanted);
      assertThat(client.dbSize()).isEqualTo(1000);
      assertThat(client.keys("key:99*")).hasSize(11);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void payload_dumpedAndRestored_isTheSameValue(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      client.set("k".getBytes(StandardCharsets.UTF_8), new byte[] {0, 1, -1, 13, 10});
      byte[] payload = client.dump("k");
      assertThat(client.restore("r", 0, payload)).isEqualTo("OK");
      assertThat(client.get("r".getBytes(StandardCharsets.UTF_8)))
          .containsExactly(0, 1, -1, 13, 10);
    }
  }

  // ------------------------------------------------------------------ pipelines, errors, handshake

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void pipeline_ofMixedCommands_answersInOrder(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol);
        Pipeline pipeline = client.pipelined()) {
      client.bfReserve("b", 0.000001, 1000);
      List<Response<Boolean>> adds = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        adds.add(pipeline.bfAdd("b", "item" + i % 500));
      }
      Response<Long> counted = pipeline.pfadd("h", "x");
      Response<String> wrong = pipeline.get("b");
      Response<Boolean> found = pipeline.bfExists("b", "item7");
      pipeline.sync();
      assertThat(adds.subList(0, 500)).allMatch(Response::get);
      assertThat(adds.subList(500, 1000)).noneMatch(Response::get);
      assertThat(counted.get()).isOne();
      assertThatThrownBy(wrong::get).hasMessageStartingWith("WRONGTYPE");
      assertThat(found.get()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void pipeline_ofTypedCommands_givesTypedAnswers(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol);
        Pipeline pipeline = client.pipelined()) {
      Response<String> reserved = pipeline.bfReserve("b", 0.01, 100);
      Response<List<Boolean>> added = pipeline.bfMAdd("b", "a", "a");
      Response<List<Boolean>> inserted = pipeline.bfInsert("b", "b");
      Response<List<Boolean>> found = pipeline.bfMExists("b", "a", "z");
      Response<Long> held = pipeline.bfCard("b");
      Response<Map<String, Object>> info = pipeline.bfInfo("b");
      Response<Map.Entry<Long, byte[]>> chunk = pipeline.bfScanDump("b", 0);
      Response<String> merged = pipeline.pfmerge("h", "none");
      Response<Long> counted = pipeline.pfcount("h");
      pipeline.sync();
      assertThat(reserved.get()).isEqualTo("OK");
      assertThat(added.get()).containsExactly(true, false);
      assertThat(inserted.get()).containsExactly(true);
      assertThat(found.get()).containsExactly(true, false);
      assertThat(held.get()).isEqualTo(2);
      assertThat(info.get()).containsEntry("Capacity", 100L);
      assertThat(chunk.get().getKey()).isOne();
      assertThat(merged.get()).isEqualTo("OK");
      assertThat(counted.get()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void pipeline_ofTwentyThousand_answersEach(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol);
        Pipeline pipeline = client.pipelined()) {
      pipeline.bfReserve("b", 0.000001, 10_000);
      List<Response<Boolean>> found = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        pipeline.bfAdd("b", "item" + i);
        found.add(pipeline.bfExists("b", "item" + i));
      }
      pipeline.sync();
      assertThat(found).allMatch(Response::get);
    }
  }

  // ------------------------------------------------------------------ transactions

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void transaction_onUnchangedKeys_isExecuted(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol);
        AbstractTransaction transaction = client.transaction(false)) {
      transaction.watch("b", "n");
      transaction.multi();
      Response<Boolean> added = transaction.bfAdd("b", "x");
      Response<List<Boolean>> more = transaction.bfMAdd("b", "x", "y");
      Response<Map<String, Object>> info = transaction.bfInfo("b");
      Response<Long> counted = transaction.pfadd("h", "x");
      Response<Long> number = transaction.incr("n");
      Response<Long> wrong = transaction.incr("b");
      assertThat(transaction.exec()).hasSize(6);
      assertThat(added.get()).isTrue();
      assertThat(more.get()).containsExactly(false, true);
      assertThat(info.get()).containsEntry("Number of items inserted", 2L);
      assertThat(counted.get()).isOne();
      assertThat(number.get()).isOne();
      assertThatThrownBy(wrong::get).hasMessageStartingWith("WRONGTYPE");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void transaction_onAKeyThatAnotherChanged_isAborted(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol);
        AbstractTransaction transaction = client.transaction(false)) {
      client.bfAdd("b", "x");
      transaction.watch("b");
      client.bfAdd("b", "y");
      transaction.multi();
      transaction.set("k", "v");
      assertThat(transaction.exec()).isNull();
      assertThat(client.exists("k")).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void transaction_discarded_changesNothing(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol);
        AbstractTransaction transaction = client.multi()) {
      transaction.bfAdd("b", "x");
      assertThat(transaction.discard()).isEqualTo("OK");
      assertThat(client.exists("b")).isFalse();
    }
  }

  // ------------------------------------------------------------------ publish/subscribe

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void subscriber_toChannelsAndPatterns_hearsInOrder(RedisProtocol protocol)
      throws InterruptedException {
    try (RedisClient client = connect(protocol);
        RedisClient other = server.client(protocol)) {
      Listener listener = new Listener();
      Thread listening = Thread.ofVirtual().start(() -> other.subscribe(listener, "news"));
      Eventually.holds("a subscription", () -> listener.subscriptions.get() == 1);
      listener.psubscribe("ne?s*");
      Eventually.holds("a second one", () -> listener.subscriptions.get() == 2);
      assertThat(client.publish("news", "one")).isEqualTo(2);
      assertThat(client.publish("newspaper", "two")).isOne();
      assertThat(client.publish("other", "unheard")).isZero();
      Eventually.holds("three messages", () -> listener.heard.size() == 3);
      assertThat(listener.heard)
          .containsExactly("news one", "ne?s* news one", "ne?s* newspaper two");
      listener.unsubscribe();
      listener.punsubscribe();
      listening.join();
      assertThat(client.publish("news", "unheard")).isZero();
    }
  }

  private static final class Listener extends JedisPubSub {
    final List<String> heard = new CopyOnWriteArrayList<>();
    final AtomicInteger subscriptions = new AtomicInteger();

    @Override
    public void onSubscribe(String channel, int subscribedChannels) {
      subscriptions.set(subscribedChannels);
    }

    @Override
    public void onPSubscribe(String pattern, int subscribedChannels) {
      subscriptions.set(subscribedChannels);
    }

    @Override
    public void onMessage(String channel, String message) {
      heard.add(channel + " " + message);
    }

    @Override
    public void onPMessage(String pattern, String channel, String message) {
      heard.add(pattern + " " + channel + " " + message);
    }
  }

  // ------------------------------------------------------------------ pool, errors, handshake

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void pool_usedByManyThreads_answersEachItsOwn(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol);
        ExecutorService threads = Executors.newFixedThreadPool(16)) {
      client.bfReserve("b", 0.000001, 10_000);
      List<Future<Boolean>> right =
          IntStream.range(0, 1000)
              .mapToObj(i -> threads.submit(() -> addsAndFinds(client, "item" + i)))
              .toList();
      assertThat(right).allMatch(JedisIT::result);
      assertThat(client.bfCard("b")).isBetween(999L, 1000L);
    }
  }

  private static boolean result(Future<Boolean> future) {
    try {
      return future.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean addsAndFinds(RedisClient client, String item) {
    client.bfAdd("b", item);
    client.set(item, item);
    return client.bfExists("b", item) && item.equals(client.get(item));
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void bytes_ofEveryValue_areKeysAndValues(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      byte[] big = new byte[1 << 20];
      new Random(1).nextBytes(big);
      byte[] key = Arrays.copyOf(big, 300);
      assertThat(client.set(key, big)).isEqualTo("OK");
      assertThat(client.get(key)).isEqualTo(big);
      assertThat(client.pfadd(Arrays.copyOf(big, 301), big)).isOne();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void command_onTheWrongType_throwsRedisError(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      client.set("k", "v");
      assertThatThrownBy(() -> client.bfAdd("k", "x"))
          .isInstanceOf(JedisDataException.class)
          .hasMessageStartingWith("WRONGTYPE");
      assertThatThrownBy(() -> client.pfcount("k")).hasMessageContaining("HyperLogLog");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void info_asked_namesItsSections(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol)) {
      assertThat(client.ping()).isEqualTo("PONG");
      assertThat(client.info())
          .contains("# Server", "# Clients", "# Memory", "# Persistence", "# Stats", "# Keyspace");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void client_withAPasswordAndAName_isListedWithBoth(RedisProtocol protocol) {
    try (ServerProcess locked = ServerProcess.started("--requirepass", "open sesame")) {
      try (Jedis jedis = locked.jedis(named(protocol, "open sesame"))) {
        assertThat(jedis.ping()).isEqualTo("PONG");
        assertThat(jedis.clientInfo()).contains(" name=doorman ", " lib-name=jedis");
      }
      assertThatThrownBy(() -> locked.jedis(named(protocol, "wrong")))
          .hasStackTraceContaining("WRONGPASS");
    }
  }

  private static JedisClientConfig named(RedisProtocol protocol, String password) {
    return DefaultJedisClientConfig.builder()
        .protocol(protocol)
        .clientName("doorman")
        .password(password)
        .build();
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void pool_whoseServerRestarted_findsWhatWasSaved(RedisProtocol protocol) {
    try (ServerProcess restarted = ServerProcess.started();
        RedisClient client = restarted.client(protocol)) {
      client.bfAdd("b", "x");
      client.pfadd("h", "x");
      restarted.call("SAVE");
      restarted.kill();
      restarted.start();
      Eventually.holds("a connection that is not broken", () -> answers(client));
      assertThat(client.bfExists("b", "x")).isTrue();
      assertThat(client.pfcount("h")).isOne();
    }
  }

  private static boolean answers(RedisClient client) {
    try {
      return client.ping().equals("PONG");
    } catch (JedisConnectionException _) {
      return false; // one of the pool's connections from before
    }
  }
}
