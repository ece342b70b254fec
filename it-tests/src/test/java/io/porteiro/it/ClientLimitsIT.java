package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.RespProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What one client, or all together, may hold; and that a stock configuration starts the server. */
class ClientLimitsIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String MEGABYTE = "x".repeat(1 << 20);

  @Test
  void subscriber_beyondTheHardLimit_isCutOffAndCounted() {
    try (ServerProcess server =
            ServerProcess.started("--client-output-buffer-limit", "pubsub 1mb 0 0");
        RawConnection subscriber = server.connect();
        RawConnection publisher = server.connect()) {
      subscriber.call("SUBSCRIBE", "channel");
      publishUntilGone(publisher);
      assertThat(info(server, "client_output_buffer_limit_disconnections")).isEqualTo("1");
    }
  }

  @Test
  void subscriber_beyondTheSoftLimitForItsTime_isCutOff() {
    try (ServerProcess server =
            ServerProcess.started("--client-output-buffer-limit", "pubsub 0 1mb 1");
        RawConnection subscriber = server.connect();
        RawConnection publisher = server.connect()) {
      subscriber.call("SUBSCRIBE", "channel");
      publishUntilGone(publisher);
    }
  }

  /** Until the kernel's buffers are full and the rest waits in the server. */
  private static void publishUntilGone(RawConnection publisher) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    int published = 0;
    while (publisher.call("PUBSUB", "NUMSUB", "channel").asList().get(1).asLong() > 0) {
      assertThat(System.nanoTime()).as("after %d MB", published).isLessThan(deadline);
      if (published < 32) {
        publisher.call("PUBLISH", "channel", MEGABYTE);
        published++;
      }
    }
  }

  /** Only what does not fit the first buffer counts, as in Redis. */
  @Test
  void smallReplies_underATinyLimit_arriveAll() {
    try (ServerProcess server =
            ServerProcess.started("--client-output-buffer-limit", "normal 1 0 0");
        RawConnection client = server.connect()) {
      for (int i = 0; i < 1000; i++) {
        assertThat(client.call("ECHO", "hello")).isEqualTo(new Reply.Bulk("hello"));
      }
    }
  }

  @Test
  void request_beyondTheQueryBufferLimit_closesTheConnectionAndIsCounted() {
    try (ServerProcess server = ServerProcess.started("--client-query-buffer-limit", "1mb");
        RawConnection client = server.connect()) {
      sendLarge(client, 4);
      assertThat(client.awaitClose(LIMIT)).isTrue();
      assertThat(info(server, "client_query_buffer_limit_disconnections")).isEqualTo("1");
      assertThat(server.call("PING")).isEqualTo(new Reply.Simple("PONG"));
    }
  }

  /**
   * The largest goes first; those that asked not to be evicted stay. Buffers grow in steps, so a
   * connection may hold up to twice of what it was sent.
   */
  @Test
  void clients_beyondMaxmemoryClients_areEvictedLargestFirst() {
    try (ServerProcess server = ServerProcess.started("--maxmemory-clients", "32mb");
        RawConnection spared = server.connect();
        RawConnection largest = server.connect();
        RawConnection small = server.connect()) {
      assertThat(spared.call("CLIENT", "NO-EVICT", "on")).isEqualTo(new Reply.Simple("OK"));
      sendLarge(small, 1);
      sendLarge(spared, 12);
      sendLarge(largest, 11);
      assertThat(largest.awaitClose(LIMIT)).isTrue();
      assertThat(small.closedByPeer()).isFalse();
      assertThat(spared.closedByPeer()).isFalse();
      assertThat(info(server, "evicted_clients")).isEqualTo("1");
    }
  }

  /** A request that is never finished: so many megabytes of small arguments. */
  private static void sendLarge(RawConnection client, int megabytes) {
    StringBuilder request = new StringBuilder("*100000\r\n");
    String argument = "$1024\r\n" + "x".repeat(1024) + "\r\n";
    for (int i = 0; i < megabytes * 1024; i++) {
      request.append(argument);
    }
    try {
      client.sendBytes(request.toString());
    } catch (UncheckedIOException e) {
      // closed while sending: what some of these tests wait for
    }
  }

  @Test
  void stockConfiguration_ofDebiansRedis_startsTheServer() {
    Path stock = Path.of("/etc/redis/redis.conf");
    Assumptions.assumeTrue(Files.isReadable(stock), "no " + stock);
    try (ServerProcess server = ServerProcess.prepared()) {
      server.startWithConfig(
          stock, "--daemonize", "no", "--logfile", "", "--pidfile", "", "--supervised", "no");
      assertThat(server.call("CONFIG", "GET", "repl-diskless-sync").asList()).hasSize(2);
    }
  }

  private static String info(RespProcess server, String field) {
    return server
        .call("INFO", "stats")
        .asBytes()
        .lines()
        .filter(line -> line.startsWith(field + ":"))
        .findFirst()
        .map(line -> line.substring(field.length() + 1))
        .orElse("");
  }
}
