package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Messages to the running server's clients: sharded channels, and readers that are too slow. */
class PubSubIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String MESSAGE = "m".repeat(1 << 18);

  /** More than the sockets' buffers take, which are some megabytes on the loopback address. */
  private static final int TOO_MANY = 400;

  private static Reply bulk(String text) {
    return new Reply.Bulk(text);
  }

  private static Reply integer(long value) {
    return new Reply.Int(value);
  }

  private static Reply array(Reply... elements) {
    return Reply.array(elements);
  }

  // ------------------------------------------------------------------ sharded channels

  @Test
  void shardChannel_publishedTo_reachesItsSubscribersOnly() {
    try (ServerProcess server = ServerProcess.started("--io-threads", "2");
        RawConnection one = server.connect();
        RawConnection two = server.connect();
        RawConnection plain = server.connect();
        RawConnection publisher = server.connect()) {
      assertThat(one.call("SSUBSCRIBE", "a", "b"))
          .isEqualTo(array(bulk("ssubscribe"), bulk("a"), integer(1)));
      assertThat(one.read()).isEqualTo(array(bulk("ssubscribe"), bulk("b"), integer(2)));
      two.call("SSUBSCRIBE", "a");
      plain.call("SUBSCRIBE", "a");
      plain.call("PSUBSCRIBE", "*");
      assertThat(publisher.call("SPUBLISH", "a", "x")).isEqualTo(integer(2));
      Reply message = array(bulk("smessage"), bulk("a"), bulk("x"));
      assertThat(one.read()).isEqualTo(message);
      assertThat(two.read()).isEqualTo(message);
      assertThat(publisher.call("PUBLISH", "a", "y")).isEqualTo(integer(2));
      assertThat(plain.read()).isEqualTo(array(bulk("message"), bulk("a"), bulk("y")));
      assertThat(one.read(Duration.ofMillis(50))).isEqualTo(Reply.Special.TIMEOUT);
      assertThat(publisher.call("PUBSUB", "SHARDNUMSUB", "a", "b", "c"))
          .isEqualTo(array(bulk("a"), integer(2), bulk("b"), integer(1), bulk("c"), integer(0)));
      assertThat(publisher.call("PUBSUB", "SHARDCHANNELS", "[b-c]")).isEqualTo(array(bulk("b")));
      assertThat(one.call("SUNSUBSCRIBE").asList()).hasSize(3);
      assertThat(one.read().asList()).hasSize(3);
      assertThat(publisher.call("PUBSUB", "SHARDCHANNELS")).isEqualTo(array(bulk("a")));
    }
  }

  // ------------------------------------------------------------------ slow readers

  @Test
  void subscriber_beyondTheHardLimit_isCutOffAndOthersAreNot() {
    try (ServerProcess server =
            ServerProcess.started("--client-output-buffer-limit", "pubsub", "8mb", "0", "0");
        RawConnection slow = server.connect();
        RawConnection prompt = server.connect();
        RawConnection publisher = server.connect()) {
      slow.call("SUBSCRIBE", "c");
      prompt.call("SUBSCRIBE", "c");
      for (int i = 0; i < TOO_MANY; i++) {
        publisher.call("PUBLISH", "c", MESSAGE);
        assertThat(prompt.read(PATIENCE).asList()).hasSize(3);
      }
      awaitSubscribers(publisher, 1);
      assertThat(usedMemory(publisher)).isLessThan(64L << 20);
      assertThat(prompt.call("PING").asList()).hasSize(2);
      assertThat(slow.awaitClose(PATIENCE)).isTrue();
    }
  }

  @Test
  void subscriber_beyondTheSoftLimit_isCutOffAfterItsTime() {
    try (ServerProcess server =
            ServerProcess.started("--client-output-buffer-limit", "pubsub", "0", "1mb", "2");
        RawConnection slow = server.connect();
        RawConnection publisher = server.connect()) {
      slow.call("SUBSCRIBE", "c");
      long begin = System.nanoTime();
      for (int i = 0; i < TOO_MANY / 4; i++) {
        publisher.call("PUBLISH", "c", MESSAGE);
      }
      awaitSubscribers(publisher, 0);
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(2));
    }
  }

  /** Who is over the soft limit, but reads in time, stays and misses nothing. */
  @Test
  void subscriber_beyondTheSoftLimitForAMoment_stays() {
    try (ServerProcess server =
            ServerProcess.started("--client-output-buffer-limit", "pubsub", "0", "1mb", "30");
        RawConnection late = server.connect();
        RawConnection publisher = server.connect()) {
      late.call("SUBSCRIBE", "c");
      for (int i = 0; i < TOO_MANY / 4; i++) {
        publisher.call("PUBLISH", "c", MESSAGE);
      }
      for (int i = 0; i < TOO_MANY / 4; i++) {
        assertThat(late.read(PATIENCE).asList()).hasSize(3);
      }
      assertThat(subscribers(publisher)).isOne();
    }
  }

  /** A client that does not read its invalidations has the limit of normal clients. */
  @Test
  void trackedClient_thatDoesNotRead_isCutOff() {
    try (ServerProcess server =
            ServerProcess.started("--client-output-buffer-limit", "normal", "4mb", "0", "0");
        RawConnection slow = server.connect();
        RawConnection writer = server.connect()) {
      slow.call("HELLO", "3");
      slow.call("CLIENT", "TRACKING", "ON", "BCAST");
      String key = "k".repeat(1 << 18);
      for (int i = 0; i < TOO_MANY && trackedClients(writer) > 0; i++) {
        writer.call("SET", key, "v");
      }
      assertThat(slow.awaitClose(PATIENCE)).isTrue();
      assertThat(trackedClients(writer)).isZero();
    }
  }

  private static void awaitSubscribers(RawConnection connection, long expected) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (subscribers(connection) != expected && System.nanoTime() < deadline) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(subscribers(connection)).isEqualTo(expected);
  }

  private static long subscribers(RawConnection connection) {
    return connection.call("PUBSUB", "NUMSUB", "c").asList().getLast().asLong();
  }

  private static long usedMemory(RawConnection connection) {
    return field(connection, "memory", "used_memory");
  }

  private static long trackedClients(RawConnection connection) {
    return field(connection, "clients", "tracking_clients");
  }

  private static long field(RawConnection connection, String section, String name) {
    return connection
        .call("INFO", section)
        .asBytes()
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElseThrow();
  }
}
