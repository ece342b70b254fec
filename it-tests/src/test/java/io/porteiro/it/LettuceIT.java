package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.KeyValue;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.SetArgs;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.probabilistic.BfInfoValue;
import io.lettuce.core.probabilistic.ScanDumpValue;
import io.lettuce.core.probabilistic.arguments.BfInsertArgs;
import io.lettuce.core.probabilistic.arguments.BfReserveArgs;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.porteiro.it.process.Eventually;
import io.porteiro.it.process.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Lettuce, which Spring Data Redis uses: its typed interface, on both protocol versions. */
@ParameterizedClass
@EnumSource(ProtocolVersion.class)
class LettuceIT {
  private static final String PASSWORD = "open sesame";

  private static ServerProcess server;

  private final ProtocolVersion protocol;
  private RedisClient client;
  private StatefulRedisConnection<String, String> connection;
  private RedisCommands<String, String> redis;

  LettuceIT(ProtocolVersion protocol) {
    this.protocol = protocol;
  }

  @BeforeAll
  static void start() {
    server = ServerProcess.started("--requirepass", PASSWORD);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void connect() {
    client = RedisClient.create(address(PASSWORD));
    client.setOptions(ClientOptions.builder().protocolVersion(protocol).build());
    connection = client.connect();
    redis = connection.sync();
    redis.flushall();
  }

  private static RedisURI address(String password) {
    return RedisURI.builder()
        .withHost("127.0.0.1")
        .withPort(server.port())
        .withPassword(password.toCharArray())
        .withClientName("doorman")
        .withTimeout(Duration.ofSeconds(20))
        .build();
  }

  @AfterEach
  void disconnect() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
  }

  // ------------------------------------------------------------------ connecting

  @Test
  void connection_opened_isNamedAndSpeaksTheProtocol() {
    assertThat(redis.ping()).isEqualTo("PONG");
    assertThat(redis.clientGetname()).isEqualTo("doorman");
    assertThat(redis.clientInfo())
        .contains(" name=doorman ", " lib-name=Lettuce ")
        .contains(protocol == ProtocolVersion.RESP3 ? " resp=3" : " resp=2");
    assertThat(redis.info()).contains("redis_version:", "role:master", "redis_mode:standalone");
  }

  @Test
  void connection_withAWrongPassword_isRefused() {
    assertThatThrownBy(() -> client.connect(address("wrong")))
        .isInstanceOf(RedisConnectionException.class)
        .hasRootCauseMessage("WRONGPASS invalid username-password pair or user is disabled.");
  }

  // ------------------------------------------------------------------ Bloom filters

  @Test
  void bloomFilter_addedTo_findsItsItemsAndDescribesItself() {
    BfReserveArgs growing = new BfReserveArgs().expansion(4);
    assertThat(redis.bfReserve("b", 0.001, 1000, growing)).isEqualTo("OK");
    assertThat(redis.bfAdd("b", "a")).isTrue();
    assertThat(redis.bfAdd("b", "a")).isFalse();
    assertThat(redis.bfMAdd("b", "a", "b", "c")).containsExactly(false, true, true);
    assertThat(redis.bfExists("b", "c")).isTrue();
    assertThat(redis.bfMExists("b", "a", "z")).containsExactly(true, false);
    assertThat(redis.bfCard("b")).isEqualTo(3);
    BfInfoValue info = redis.bfInfo("b");
    assertThat(info.getCapacity()).isEqualTo(1000);
    assertThat(info.getNumberOfFilters()).isOne();
    assertThat(info.getNumberOfItemsInserted()).isEqualTo(3);
    assertThat(info.getExpansionRate()).isEqualTo(4);
    assertThat(info.getSize()).isGreaterThan(1000);
  }

  @Test
  void bloomFilter_insertedInto_obeysItsOptions() {
    BfInsertArgs small = new BfInsertArgs().capacity(2).error(0.01).nonScaling();
    assertThat(redis.bfInsert("b", small, "a", "b")).containsExactly(true, true);
    assertThat(redis.bfInfo("b").getExpansionRate()).isNull();
    assertThatThrownBy(() -> redis.bfAdd("b", "c"))
        .isInstanceOf(RedisCommandExecutionException.class)
        .hasMessageContaining("non scaling filter is full");
    assertThatThrownBy(() -> redis.bfInsert("none", new BfInsertArgs().noCreate(), "a"))
        .hasMessageContaining("not found");
  }

  @Test
  void bloomFilter_copiedInChunks_isTheSame() {
    redis.bfReserve("b", 0.01, 100);
    for (int i = 0; i < 1000; i++) {
      redis.bfAdd("b", "item" + i);
    }
    ScanDumpValue chunk = redis.bfScanDump("b", 0);
    while (chunk.getIterator() != 0) {
      assertThat(redis.bfLoadChunk("copy", chunk.getIterator(), chunk.getData())).isEqualTo("OK");
      chunk = redis.bfScanDump("b", chunk.getIterator());
    }
    assertThat(redis.dump("copy")).isEqualTo(redis.dump("b"));
  }

  // ------------------------------------------------------------------ HyperLogLogs, strings

  @Test
  void hyperLogLog_added_countsAndMerges() {
    assertThat(redis.pfadd("h", "a", "b", "c")).isOne();
    assertThat(redis.pfadd("h", "a")).isZero();
    redis.pfadd("other", "c", "d");
    assertThat(redis.pfcount("h")).isEqualTo(3);
    assertThat(redis.pfcount("h", "other")).isEqualTo(4);
    assertThat(redis.pfmerge("all", "h", "other")).isEqualTo("OK");
    assertThat(redis.pfcount("all")).isEqualTo(4);
  }

  @Test
  void strings_setWithExpiry_areReadAndExpire() {
    assertThat(redis.set("k", "v", SetArgs.Builder.ex(100))).isEqualTo("OK");
    assertThat(redis.set("k", "w", SetArgs.Builder.nx())).isNull();
    assertThat(redis.setGet("k", "w", SetArgs.Builder.keepttl())).isEqualTo("v");
    assertThat(redis.ttl("k")).isBetween(90L, 100L);
    redis.pexpire("k", 30);
    Eventually.holds("the key expires", () -> redis.get("k") == null);
    redis.mset(Map.of("a", "1", "b", "2"));
    assertThat(redis.mget("a", "none", "b"))
        .containsExactly(KeyValue.just("a", "1"), KeyValue.empty("none"), KeyValue.just("b", "2"));
    assertThat(redis.incrby("a", 41)).isEqualTo(42);
    assertThat(redis.incrbyfloat("b", 0.5)).isEqualTo(2.5);
    assertThat(redis.getdel("b")).isEqualTo("2.5");
  }

  @Test
  void bytes_ofEveryValue_areKeysItemsAndValues() {
    byte[] big = new byte[1 << 20];
    new Random(1).nextBytes(big);
    byte[] key = new byte[256];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) i;
    }
    RedisCommands<byte[], byte[]> binary = client.connect(ByteArrayCodec.INSTANCE).sync();
    assertThat(binary.set(key, big)).isEqualTo("OK");
    assertThat(binary.get(key)).isEqualTo(big);
    byte[] filter = {0, 13, 10};
    assertThat(binary.bfAdd(filter, big)).isTrue();
    assertThat(binary.bfExists(filter, big)).isTrue();
  }

  @Test
  void scan_ofManyKeys_returnsEachOne() {
    Set<String> wanted = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      redis.set("scan:" + i, "v");
      wanted.add("scan:" + i);
    }
    redis.bfAdd("filter", "x");
    KeyScanArgs pages = KeyScanArgs.Builder.matches("scan:*").limit(50);
    assertThat(ScanIterator.scan(redis, pages).stream()).hasSameElementsAs(wanted);
    assertThat(ScanIterator.scan(redis, KeyScanArgs.Builder.type("MBbloom--")).stream())
        .containsExactly("filter");
  }

  // ------------------------------------------------------------------ pipelines, transactions

  @Test
  void pipeline_ofManyCommands_answersInOrder() {
    redis.bfReserve("b", 0.000001, 10_000);
    connection.setAutoFlushCommands(false);
    RedisAsyncCommands<String, String> async = connection.async();
    List<RedisFuture<Boolean>> adds = new ArrayList<>();
    List<RedisFuture<Boolean>> looks = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      adds.add(async.bfAdd("b", "item" + i));
      looks.add(async.bfExists("b", "item" + i));
    }
    RedisFuture<Long> wrong = async.incr("b");
    connection.flushCommands();
    connection.setAutoFlushCommands(true);
    assertThat(LettuceFutures.awaitAll(Duration.ofSeconds(30), all(looks))).isTrue();
    assertThat(looks).allMatch(LettuceIT::answer);
    assertThat(adds.stream().filter(LettuceIT::answer).count()).isGreaterThan(9_998);
    assertThatThrownBy(wrong::get).hasMessageContaining("WRONGTYPE");
  }

  private static RedisFuture<?>[] all(List<RedisFuture<Boolean>> futures) {
    return futures.toArray(RedisFuture<?>[]::new);
  }

  private static boolean answer(RedisFuture<Boolean> future) {
    return future.toCompletableFuture().join();
  }

  @Test
  void transaction_onUnchangedKeys_isExecuted() {
    redis.set("counter", "1");
    redis.watch("counter");
    redis.multi();
    redis.incr("counter");
    redis.bfReserve("b", 0.01, 100); // not bfAdd: Lettuce reads no boolean within EXEC on RESP3
    redis.bfCard("b");
    redis.pfadd("h", "x");
    assertThat(redis.exec()).containsExactly(2L, "OK", 0L, 1L);
  }

  @Test
  void transaction_onAKeyThatAnotherChanged_isDiscarded() {
    redis.set("counter", "1");
    redis.watch("counter");
    client.connect().sync().set("counter", "10");
    redis.multi();
    redis.incr("counter");
    TransactionResult result = redis.exec();
    assertThat(result.wasDiscarded()).isTrue();
    assertThat(redis.get("counter")).isEqualTo("10");
  }

  @Test
  void error_onTheWrongType_isTheClientsOwnException() {
    redis.set("k", "v");
    assertThatThrownBy(() -> redis.bfAdd("k", "x"))
        .isInstanceOf(RedisCommandExecutionException.class)
        .hasMessageStartingWith("WRONGTYPE");
    assertThatThrownBy(() -> redis.pfcount("k")).hasMessageContaining("HyperLogLog");
    assertThat(redis.ping()).isEqualTo("PONG");
  }

  // ------------------------------------------------------------------ messages, restarts

  @Test
  void subscriber_toChannelsAndPatterns_hearsInOrder() {
    StatefulRedisPubSubConnection<String, String> subscriber = client.connectPubSub();
    List<String> heard = listen(subscriber);
    subscriber.sync().subscribe("news");
    subscriber.sync().psubscribe("ne?s*");
    subscriber.sync().ssubscribe("shard");
    assertThat(redis.publish("news", "one")).isEqualTo(2);
    assertThat(redis.publish("newspaper", "two")).isOne();
    assertThat(redis.spublish("shard", "three")).isOne();
    Eventually.holds("four messages", () -> heard.size() == 4);
    assertThat(heard)
        .containsExactly("news one", "ne?s* news one", "ne?s* newspaper two", "shard three");
    subscriber.sync().unsubscribe("news");
    subscriber.sync().punsubscribe("ne?s*");
    Eventually.holds("nobody listens", () -> redis.publish("news", "unheard") == 0);
  }

  private static List<String> listen(StatefulRedisPubSubConnection<String, String> subscriber) {
    List<String> heard = new CopyOnWriteArrayList<>();
    subscriber.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String message) {
            heard.add(channel + " " + message);
          }

          @Override
          public void message(String pattern, String channel, String message) {
            heard.add(pattern + " " + channel + " " + message);
          }

          @Override
          public void smessage(String channel, String message) {
            message(channel, message);
          }
        });
    return heard;
  }

  @Test
  void client_whoseServerRestarts_connectsAgainAndFindsWhatWasSaved() {
    StatefulRedisPubSubConnection<String, String> subscriber = client.connectPubSub();
    List<String> heard = listen(subscriber);
    subscriber.sync().subscribe("news");
    redis.bfAdd("b", "x");
    redis.pfadd("h", "x");
    assertThat(redis.save()).isEqualTo("OK");
    server.kill();
    server.start();
    assertThat(redis.bfExists("b", "x")).isTrue();
    assertThat(redis.pfcount("h")).isOne();
    assertThat(redis.clientGetname()).isEqualTo("doorman");
    Eventually.holds("subscribed again", () -> redis.publish("news", "back") == 1);
    Eventually.holds("the message", () -> heard.contains("news back"));
  }
}
