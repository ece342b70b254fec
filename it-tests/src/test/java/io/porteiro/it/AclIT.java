package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.RestoreParams;
import redis.clients.jedis.resps.AccessControlLogEntry;
import redis.clients.jedis.resps.AccessControlUser;

/** A user of a stock client gets to what its rules permit, and by no detour to anything else. */
class AclIT {
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server = ServerProcess.started();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A gatekeeper: may look at and change what begins with {@code seen:}, and read {@code conf}. */
  @BeforeEach
  void makeUser() {
    try (Jedis admin = server.jedis()) {
      admin.flushAll();
      admin.aclSetUser(
          "gate",
          "reset",
          "on",
          ">sesame",
          "~seen:*",
          "%R~conf",
          "&gate:*",
          "+@all",
          "-@dangerous",
          "-flushall");
      admin.sendCommand(() -> "BF.ADD".getBytes(StandardCharsets.US_ASCII), "hidden", "x");
      admin.set("conf", "value");
      admin.set("secret", "value");
      admin.aclLogReset();
    }
  }

  private static RedisClient gate(RedisProtocol protocol) {
    return RedisClient.builder()
        .hostAndPort(new HostAndPort("127.0.0.1", server.port()))
        .clientConfig(
            DefaultJedisClientConfig.builder()
                .protocol(protocol)
                .user("gate")
                .password("sesame")
                .timeoutMillis(60_000)
                .build())
        .build();
  }

  private static Jedis gate() {
    Jedis jedis = server.jedis();
    jedis.auth("gate", "sesame");
    return jedis;
  }

  private static void assertDenied(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(JedisAccessControlException.class)
        .hasMessageStartingWith("NOPERM");
  }

  @Test
  void user_withItsPassword_worksInBothProtocols() {
    for (RedisProtocol protocol : List.of(RedisProtocol.RESP2, RedisProtocol.RESP3)) {
      try (RedisClient client = gate(protocol)) {
        client.del("seen:b");
        assertThat(client.bfAdd("seen:b", "a")).isTrue();
        assertThat(client.bfExists("seen:b", "a")).isTrue();
        assertThat(client.get("conf")).isEqualTo("value");
        assertThat(client.publish("gate:news", "x")).isZero();
        assertDenied(() -> client.set("conf", "x"));
        assertDenied(() -> client.bfAdd("hidden", "a"));
        assertDenied(() -> client.publish("news", "x"));
        assertDenied(client::flushAll);
      }
    }
  }

  @Test
  void user_withAWrongPassword_isRefused() {
    try (Jedis jedis = server.jedis()) {
      assertThatThrownBy(() -> jedis.auth("gate", "wrong"))
          .hasMessage("WRONGPASS invalid username-password pair or user is disabled.");
      assertThatThrownBy(() -> jedis.auth("nobody", "sesame"))
          .hasMessage("WRONGPASS invalid username-password pair or user is disabled.");
    }
  }

  // ------------------------------------------------------------------ detours

  @Test
  void transaction_doesNotReachAKey() {
    try (RedisClient client = gate(RedisProtocol.RESP3)) {
      try (AbstractTransaction transaction = client.multi()) {
        transaction.bfAdd("seen:b", "a");
        transaction.get("secret");
        assertThatThrownBy(transaction::exec)
            .isInstanceOf(JedisDataException.class)
            .hasMessageContaining("EXECABORT");
      }
      assertThat(client.exists("seen:b")).isFalse();
    }
  }

  /** Jedis keeps what is queued to itself until EXEC, so this is told to the server directly. */
  @Test
  void transaction_queuedBeforeTheRightWasTaken_doesNotReachTheKey() {
    try (RawConnection gate = server.connect();
        Jedis admin = server.jedis()) {
      gate.call("AUTH", "gate", "sesame");
      gate.call("MULTI");
      gate.call("GET", "conf");
      gate.call("SET", "seen:a", "1");
      admin.aclSetUser("gate", "resetkeys", "~seen:*");
      List<Reply> results = gate.call("EXEC").asList();
      assertThat(results.getFirst().toString())
          .contains("NOPERM", "no permission to touch the specified keys");
      assertThat(results.getLast()).isEqualTo(new Reply.Simple("OK"));
    }
  }

  @Test
  void pipeline_reachesWhatIsPermittedAndNothingElse() {
    try (RedisClient client = gate(RedisProtocol.RESP2)) {
      Pipeline pipeline = client.pipelined();
      Response<Boolean> before = pipeline.bfAdd("seen:b", "a");
      Response<Boolean> denied = pipeline.bfAdd("hidden", "a");
      Response<Boolean> after = pipeline.bfExists("seen:b", "a");
      Response<Set<String>> dangerous = pipeline.keys("*");
      pipeline.sync();
      assertThat(before.get()).isTrue();
      assertDenied(denied::get);
      assertThat(after.get()).isTrue();
      assertDenied(dangerous::get);
    }
  }

  @Test
  void renameAndCopy_needRightsOnBothKeys() {
    try (Jedis gate = gate()) {
      gate.set("seen:a", "1");
      assertDenied(() -> gate.rename("secret", "seen:b"));
      assertDenied(() -> gate.rename("seen:a", "secret"));
      assertDenied(() -> gate.rename("conf", "seen:b"));
      assertDenied(() -> gate.renamenx("seen:a", "other"));
      assertDenied(() -> gate.copy("secret", "seen:b", true));
      assertDenied(() -> gate.copy("seen:a", "secret", true));
      assertThat(gate.copy("conf", "seen:b", true)).isTrue();
      assertThat(gate.rename("seen:a", "seen:c")).isEqualTo("OK");
    }
    try (Jedis admin = server.jedis()) {
      assertThat(admin.get("secret")).isEqualTo("value");
    }
  }

  @Test
  void restoreAndDump_needTheRightOnTheKey() {
    try (Jedis gate = gate();
        Jedis admin = server.jedis()) {
      admin.aclSetUser("gate", "+restore", "+dump");
      byte[] payload = gate.dump("conf");
      RestoreParams replace = RestoreParams.restoreParams().replace();
      assertDenied(() -> gate.restore("secret", 0, payload, replace));
      assertDenied(() -> gate.restore("conf", 0, payload, replace));
      assertDenied(() -> gate.dump("secret"));
      assertThat(gate.restore("seen:r", 0, payload, replace)).isEqualTo("OK");
    }
  }

  /** It tells which arguments are keys; what is in the keys it does not. */
  @Test
  void commandGetKeys_tellsNothingOfAKey() {
    try (Jedis gate = gate();
        Jedis admin = server.jedis()) {
      assertThat(gate.commandGetKeys("GET", "secret")).containsExactly("secret");
      admin.aclSetUser("gate", "-command");
      assertDenied(() -> gate.commandGetKeys("GET", "secret"));
    }
  }

  @Test
  void questionsAboutAKey_needSomeRightOnIt() {
    try (Jedis gate = gate()) {
      assertDenied(() -> gate.exists("secret"));
      assertDenied(() -> gate.type("secret"));
      assertDenied(() -> gate.ttl("secret"));
      assertDenied(() -> gate.objectEncoding("secret"));
      assertDenied(() -> gate.memoryUsage("secret"));
      assertDenied(() -> gate.strlen("secret"));
      assertDenied(() -> gate.watch("secret"));
      assertDenied(() -> gate.mget("conf", "secret"));
      assertThat(gate.exists("conf")).isTrue();
    }
  }

  // ------------------------------------------------------------------ what a client asks about it

  @Test
  void aclLog_tellsWhatWasDenied() {
    try (Jedis gate = gate();
        Jedis admin = server.jedis()) {
      assertDenied(() -> gate.get("secret"));
      assertDenied(() -> gate.get("secret"));
      List<AccessControlLogEntry> entries = admin.aclLog();
      assertThat(entries).hasSize(1);
      AccessControlLogEntry entry = entries.getFirst();
      assertThat(entry.getCount()).isEqualTo(2);
      assertThat(entry.getReason()).isEqualTo("key");
      assertThat(entry.getContext()).isEqualTo("toplevel");
      assertThat(entry.getObject()).isEqualTo("secret");
      assertThat(entry.getUsername()).isEqualTo("gate");
      assertThat(entry.getClientInfo()).containsEntry("user", "gate").containsEntry("cmd", "get");
      assertThat(admin.info("stats")).contains("acl_access_denied_key:");
    }
  }

  @Test
  void aclGetUser_isUnderstoodByAClient() {
    try (Jedis admin = server.jedis()) {
      AccessControlUser user = admin.aclGetUser("gate");
      assertThat(user.getFlags()).contains("on", "sanitize-payload");
      assertThat(user.getFlags()).doesNotContain("nopass");
      assertThat(user.getKeys()).isEqualTo("~seen:* %R~conf");
      assertThat(user.getChannels()).isEqualTo("&gate:*");
      assertThat(user.getCommands()).isEqualTo("+@all -@dangerous -flushall");
      assertThat(admin.aclDryRun("gate", "GET", "secret"))
          .isEqualTo("User gate has no permissions to access the 'secret' key");
      assertThat(admin.aclDryRun("gate", "GET", "conf")).isEqualTo("OK");
      assertThat(admin.aclUsers()).containsExactly("default", "gate");
    }
  }

  @Test
  void subscriber_whoseChannelIsTakenAway_isDisconnected() {
    try (Jedis gate = gate();
        Jedis admin = server.jedis()) {
      gate.ping();
      var subscriber =
          new JedisPubSub() {
            @Override
            public void onSubscribe(String channel, int subscribed) {
              admin.aclSetUser("gate", "resetchannels", "&other");
            }
          };
      assertThatThrownBy(() -> gate.subscribe(subscriber, "gate:news"))
          .isInstanceOf(JedisConnectionException.class);
    }
  }
}
