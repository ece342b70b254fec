package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchOptions.ExecutionMode;
import org.redisson.api.RAtomicLong;
import org.redisson.api.RBatch;
import org.redisson.api.RBloomFilterNative;
import org.redisson.api.RBucket;
import org.redisson.api.RFuture;
import org.redisson.api.RHyperLogLog;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.bloomfilter.BloomFilterInfo;
import org.redisson.api.bloomfilter.BloomFilterInitArgs;
import org.redisson.api.bloomfilter.BloomFilterInsertArgs;
import org.redisson.api.bloomfilter.BloomFilterScanDumpInfo;
import org.redisson.api.options.KeysScanOptions;
import org.redisson.api.redisnode.RedisNode.InfoSection;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.client.RedisException;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.Protocol;

/**
 * What of Redisson works without scripting, on both protocol versions: its Bloom filter of the
 * module's commands ({@code RBloomFilterNative}), HyperLogLogs, buckets, batches and topics.
 */
@ParameterizedClass
@EnumSource(Protocol.class)
class RedissonIT {
  private static final String PASSWORD = "open sesame";

  private static ServerProcess server;

  private final Protocol protocol;
  private RedissonClient redisson;

  RedissonIT(Protocol protocol) {
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
    redisson = Redisson.create(config(PASSWORD, 20));
    redisson.getKeys().flushall();
  }

  private Config config(String password, int attempts) {
    Config config = new Config().setProtocol(protocol).setPassword(password);
    config.setCodec(StringCodec.INSTANCE).setThreads(2).setNettyThreads(2);
    config
        .useSingleServer()
        .setAddress("redis://127.0.0.1:" + server.port())
        .setClientName("doorman")
        .setConnectionMinimumIdleSize(1)
        .setConnectionPoolSize(4)
        .setTimeout(60_000) // a boolean that comes too late confuses its decoder (4.7.0)
        .setRetryAttempts(attempts);
    return config;
  }

  @AfterEach
  void disconnect() {
    redisson.shutdown(0, 5, TimeUnit.SECONDS);
  }

  // ------------------------------------------------------------------ connecting

  @Test
  void connection_opened_isNamedAndSpeaksTheProtocol() {
    assertThat(redisson.getRedisNodes(RedisNodes.SINGLE).pingAll()).isTrue();
    assertThat(redisson.getRedisNodes(RedisNodes.SINGLE).getInstance().info(InfoSection.MEMORY))
        .containsKeys("used_memory", "maxmemory");
    assertThat(server.call("CLIENT", "LIST").asBytes())
        .contains(" name=doorman ")
        .contains(protocol == Protocol.RESP3 ? " resp=3" : " resp=2");
  }

  @Test
  void connection_withAWrongPassword_isRefused() {
    assertThatThrownBy(() -> Redisson.create(config("wrong", 0)))
        .hasStackTraceContaining("WRONGPASS");
  }

  // ------------------------------------------------------------------ Bloom filters

  @Test
  void bloomFilter_addedTo_findsItsItemsAndDescribesItself() {
    RBloomFilterNative<String> filter = redisson.getBloomFilterNative("b");
    filter.init(BloomFilterInitArgs.create().errorRate(0.001).capacity(1000).expansionRate(4));
    assertThat(filter.add("a")).isTrue();
    assertThat(filter.add("a")).isFalse();
    assertThat(filter.add(List.of("a", "b", "c"))).containsExactlyInAnyOrder("b", "c");
    assertThat(filter.exists("c")).isTrue();
    assertThat(filter.exists(List.of("a", "z"))).containsExactly("a");
    assertThat(filter.count()).isEqualTo(3);
    BloomFilterInfo info = filter.getInfo();
    assertThat(info.getCapacity()).isEqualTo(1000);
    assertThat(info.getSubFilterCount()).isOne();
    assertThat(info.getItemCount()).isEqualTo(3);
    assertThat(info.getExpansionRate()).isEqualTo(4);
    assertThat(info.getSize()).isGreaterThan(1000);
  }

  @Test
  void bloomFilter_insertedInto_obeysItsOptions() {
    RBloomFilterNative<String> filter = redisson.getBloomFilterNative("b");
    assertThat(
            filter.insert(
                BloomFilterInsertArgs.<String>elements(List.of("a", "b"))
                    .capacity(2)
                    .errorRate(0.01)
                    .nonScaling(true)))
        .containsExactlyInAnyOrder("a", "b");
    assertThatThrownBy(() -> filter.add("c"))
        .isInstanceOf(RedisException.class)
        .hasMessageContaining("non scaling filter is full");
    RBloomFilterNative<String> none = redisson.getBloomFilterNative("none");
    assertThatThrownBy(
            () -> none.insert(BloomFilterInsertArgs.<String>elements(List.of("a")).noCreate(true)))
        .hasMessageContaining("not found");
  }

  @Test
  void bloomFilter_copiedInChunks_isTheSame() {
    RBloomFilterNative<String> filter = redisson.getBloomFilterNative("b");
    RBloomFilterNative<String> copy = redisson.getBloomFilterNative("copy");
    filter.init(0.01, 100);
    filter.add(IntStream.range(0, 1000).mapToObj(i -> "item" + i).toList());
    BloomFilterScanDumpInfo chunk = filter.scanDump(0);
    while (chunk.getIterator() != 0) {
      copy.loadChunk(chunk.getIterator(), chunk.getData());
      chunk = filter.scanDump(chunk.getIterator());
    }
    assertThat(copy.dump()).isEqualTo(filter.dump());
  }

  /** It once went on for ever: Redisson takes "unknown command" for a reason to try again. */
  @Test
  @Timeout(30)
  void scriptedBloomFilter_tried_failsInsteadOfTryingForEver() {
    assertThatThrownBy(() -> redisson.<String>getBloomFilter("lua").tryInit(1000, 0.01))
        .isInstanceOf(RedisException.class)
        .hasMessageContaining("no scripting support");
  }

  // ------------------------------------------------------------------ HyperLogLogs, strings

  @Test
  void hyperLogLog_added_countsAndMerges() {
    RHyperLogLog<String> counter = redisson.getHyperLogLog("h");
    assertThat(counter.addAll(List.of("a", "b", "c"))).isTrue();
    assertThat(counter.add("a")).isFalse();
    redisson.<String>getHyperLogLog("other").addAll(List.of("c", "d"));
    assertThat(counter.count()).isEqualTo(3);
    assertThat(counter.countWith("other")).isEqualTo(4);
    counter.mergeWith("other");
    assertThat(counter.count()).isEqualTo(4);
  }

  @Test
  void buckets_setWithExpiry_areReadAndExpire() {
    RBucket<String> bucket = redisson.getBucket("k");
    bucket.set("v", Duration.ofSeconds(100));
    assertThat(bucket.setIfAbsent("w")).isFalse();
    assertThat(bucket.getAndSet("w")).isEqualTo("v");
    assertThat(bucket.setIfExists("x", Duration.ofMillis(50))).isTrue();
    Eventually.holds("the key expires", () -> bucket.get() == null);
    redisson.getBuckets().set(Map.of("a", "1", "b", "2"));
    assertThat(redisson.getBuckets().<String>get("a", "none", "b"))
        .isEqualTo(Map.of("a", "1", "b", "2"));
    RAtomicLong number = redisson.getAtomicLong("a");
    assertThat(number.addAndGet(41)).isEqualTo(42);
  }

  @Test
  void bytes_ofEveryValue_areItemsAndValues() {
    byte[] big = new byte[1 << 20];
    new Random(1).nextBytes(big);
    RBucket<byte[]> bucket = redisson.getBucket("Sao Paulo \u00e9", ByteArrayCodec.INSTANCE);
    bucket.set(big);
    assertThat(bucket.get()).isEqualTo(big);
    RBloomFilterNative<byte[]> filter =
        redisson.getBloomFilterNative("big", ByteArrayCodec.INSTANCE);
    assertThat(filter.add(big)).isTrue();
    assertThat(filter.exists(big)).isTrue();
  }

  @Test
  void keys_scanned_areEachReturned() {
    Set<String> wanted = new HashSet<>();
    RBatch batch = redisson.createBatch();
    for (int i = 0; i < 1000; i++) {
      batch.getBucket("scan:" + i).setAsync("v");
      wanted.add("scan:" + i);
    }
    batch.execute();
    KeysScanOptions pages = KeysScanOptions.defaults().pattern("scan:*").chunkSize(50);
    assertThat(redisson.getKeys().getKeys(pages)).hasSameElementsAs(wanted);
    assertThat(redisson.getKeys().count()).isEqualTo(1000);
  }

  // ------------------------------------------------------------------ batches, errors

  @Test
  void batch_ofManyCommands_answersInOrder() {
    redisson.getBloomFilterNative("b").init(0.000001, 10_000);
    RBatch batch = redisson.createBatch();
    for (int i = 0; i < 10_000; i++) {
      batch.<String>getHyperLogLog("h").addAsync("item" + i);
      batch.getBucket("k").setAsync("v" + i);
    }
    batch.getBucket("k").getAsync();
    List<?> replies = batch.execute().getResponses();
    assertThat(replies).hasSize(20_001);
    assertThat(replies.getLast()).isEqualTo("v9999");
    assertThat(redisson.getHyperLogLog("h").count()).isBetween(9_700L, 10_300L);
  }

  @Test
  void bloomFilter_askedByManyAtOnce_answersEach() {
    RBloomFilterNative<String> filter = redisson.getBloomFilterNative("b");
    filter.init(0.000001, 10_000);
    List<RFuture<Boolean>> found = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      filter.addAsync("item" + i);
      found.add(filter.existsAsync("item" + i));
    }
    found.forEach(future -> future.toCompletableFuture().join());
    assertThat(filter.exists(IntStream.range(0, 10_000).mapToObj(i -> "item" + i).toList()))
        .hasSize(10_000);
  }

  @Test
  void atomicBatch_executed_isATransaction() {
    RBatch batch =
        redisson.createBatch(
            BatchOptions.defaults().executionMode(ExecutionMode.REDIS_WRITE_ATOMIC));
    batch.getAtomicLong("n").incrementAndGetAsync();
    batch.<String>getHyperLogLog("h").addAsync("x");
    batch.getBucket("k").setAsync("v");
    List<Object> replies = new ArrayList<>(batch.execute().getResponses());
    assertThat(replies).hasSize(3).startsWith(1L, true);
    assertThat(redisson.getBucket("k").get()).isEqualTo("v");
  }

  @Test
  void error_onTheWrongType_isTheClientsOwnException() {
    redisson.getBucket("k").set("v");
    assertThatThrownBy(() -> redisson.<String>getBloomFilterNative("k").add("x"))
        .isInstanceOf(RedisException.class)
        .hasMessageContaining("WRONGTYPE");
    assertThatThrownBy(() -> redisson.getHyperLogLog("k").count())
        .hasMessageContaining("HyperLogLog");
  }

  // ------------------------------------------------------------------ messages, restarts

  @Test
  void listeners_toChannelsAndPatterns_hearTheMessages() {
    List<String> heard = new CopyOnWriteArrayList<>();
    RTopic topic = redisson.getTopic("news");
    int listener =
        topic.addListener(String.class, (channel, message) -> heard.add(channel + " " + message));
    redisson
        .getPatternTopic("ne?s*")
        .addListener(
            String.class,
            (pattern, channel, message) -> heard.add(String.join(" ", pattern, channel, message)));
    assertThat(topic.publish("one")).isEqualTo(2);
    assertThat(redisson.getTopic("newspaper").publish("two")).isOne();
    Eventually.holds("three messages", () -> heard.size() == 3);
    assertThat(heard)
        .containsExactlyInAnyOrder("news one", "ne?s* news one", "ne?s* newspaper two");
    topic.removeListener(listener);
    assertThat(topic.publish("pattern only")).isOne();
  }

  @Test
  void client_whoseServerRestarts_connectsAgainAndFindsWhatWasSaved() {
    List<String> heard = new CopyOnWriteArrayList<>();
    redisson.getTopic("news").addListener(String.class, (_, message) -> heard.add(message));
    redisson.<String>getBloomFilterNative("b").add("x");
    redisson.<String>getHyperLogLog("h").add("x");
    server.call("SAVE");
    server.kill();
    server.start();
    assertThat(redisson.<String>getBloomFilterNative("b").exists("x")).isTrue();
    assertThat(redisson.getHyperLogLog("h").count()).isOne();
    Eventually.holds("subscribed again", () -> redisson.getTopic("news").publish("back") == 1);
    Eventually.holds("the message", () -> heard.contains("back"));
  }
}
