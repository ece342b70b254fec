package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.it.process.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.args.ExpiryOption;
import redis.clients.jedis.bloom.BFInsertParams;
import redis.clients.jedis.bloom.BFReserveParams;
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
}
