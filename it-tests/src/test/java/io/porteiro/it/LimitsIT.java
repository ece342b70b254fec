package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The bounds of the server towards its clients: connections, memory, slow readers, strangers. */
class LimitsIT {
  private static final Reply OK = new Reply.Simple("OK");
  private static final Reply PONG = new Reply.Simple("PONG");
  private static final long MIB = 1 << 20;

  // ------------------------------------------------------------------ connections

  @Test
  void connection_beyondMaxclients_getsRedisErrorAndIsClosed() {
    try (ServerProcess server = ServerProcess.started()) {
      try (RawConnection first = server.connect();
          RawConnection second = server.connect()) {
        assertThat(first.call("CONFIG", "SET", "maxclients", "2")).isEqualTo(OK);
        assertThat(second.call("PING")).isEqualTo(PONG);
        try (RawConnection third = server.connect()) {
          assertThat(third.read())
              .isEqualTo(new Reply.Failure("ERR max number of clients reached"));
          assertThat(third.awaitClose(Duration.ofSeconds(5))).isTrue();
        }
      }
      assertThat(answersSoon(server)).isTrue();
    }
  }

  /** A closed connection's place is free again, if not at once. */
  private static boolean answersSoon(ServerProcess server) {
    for (int i = 0; i < 100; i++) {
      try (RawConnection connection = server.connect()) {
        if (connection.call("PING").equals(PONG)) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void connection_idleBeyondTimeout_isClosed() {
    try (ServerProcess server = ServerProcess.started("--timeout", "1");
        RawConnection idle = server.connect()) {
      assertThat(idle.call("PING")).isEqualTo(PONG);
      assertThat(idle.awaitClose(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  void stranger_inProtectedMode_isDenied() throws SocketException {
    InetAddress outside = outsideAddress();
    try (ServerProcess server = ServerProcess.started("--bind", "*", "-::*")) {
      InetSocketAddress address = new InetSocketAddress(outside, server.port());
      try (RawConnection stranger = RawConnection.open(address)) {
        assertThat(stranger.read()).matches(LimitsIT::isDenied);
        assertThat(stranger.awaitClose(Duration.ofSeconds(5))).isTrue();
      }
      assertThat(server.call("CONFIG", "SET", "protected-mode", "no")).isEqualTo(OK);
      try (RawConnection stranger = RawConnection.open(address)) {
        assertThat(stranger.call("PING")).isEqualTo(PONG);
      }
    }
  }

  private static boolean isDenied(Reply reply) {
    return reply instanceof Reply.Failure(String text)
        && text.startsWith("DENIED Redis is running in protected mode");
  }

  private static InetAddress outsideAddress() throws SocketException {
    Optional<InetAddress> address =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(one -> !one.isLoopbackAddress() && !one.isLinkLocalAddress())
            .findFirst();
    Assumptions.assumeTrue(address.isPresent(), "this machine has only loopback addresses");
    return address.orElseThrow();
  }

  @Test
  void unixSocket_withPermissions_servesAndIsRemoved() throws Exception {
    Path socket = Files.createTempDirectory("porteiro-socket").resolve("s");
    try (ServerProcess server =
        ServerProcess.started("--unixsocket", socket.toString(), "--unixsocketperm", "700")) {
      try (RawConnection connection = RawConnection.open(socket)) {
        assertThat(connection.call("BF.ADD", "b", "x").asLong()).isOne();
        assertThat(connection.call("PING")).isEqualTo(PONG);
      }
      assertThat(Files.getPosixFilePermissions(socket)).hasSize(3);
      server.stop();
      assertThat(socket).doesNotExist();
    } finally {
      Files.deleteIfExists(socket);
      Files.deleteIfExists(socket.getParent());
    }
  }

  // ------------------------------------------------------------------ memory

  @Test
  void writes_beyondMaxmemory_areRefusedAndReadsServed() {
    try (ServerProcess server = ServerProcess.started();
        RawConnection connection = server.connect()) {
      connection.call("BF.ADD", "b", "x");
      connection.call(
          "CONFIG", "SET", "maxmemory", Long.toString(usedMemory(connection) + 4 * MIB));
      assertThat(fillUntilRefused(connection))
          .isEqualTo(new Reply.Failure("OOM command not allowed when used memory > 'maxmemory'."));
      assertThat(connection.call("BF.EXISTS", "b", "x").asLong()).isOne();
      assertThat(connection.call("DEL", "s0").asLong()).isOne();
    }
  }

  private static Reply fillUntilRefused(RawConnection connection) {
    String value = "v".repeat(1 << 18);
    for (int i = 0; i < 100; i++) {
      Reply reply = connection.call("SET", "s" + i, value);
      if (!reply.equals(OK)) {
        return reply;
      }
    }
    return OK;
  }

  private static long usedMemory(RawConnection connection) {
    return infoField(connection, "memory", "used_memory");
  }

  private static long infoField(RawConnection connection, String section, String field) {
    String info = connection.call("INFO", section).asBytes();
    return info.lines()
        .filter(line -> line.startsWith(field + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(field.length() + 1).strip()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void filter_largerThanMaxmemory_isRefusedWithoutTakingMemory() {
    try (ServerProcess server = ServerProcess.started("--maxmemory", "100mb");
        RawConnection connection = server.connect()) {
      assertThat(connection.call("BF.RESERVE", "b", "0.01", "1000000000"))
          .isEqualTo(new Reply.Failure("ERR Insufficient memory to create filter"));
      assertThat(connection.call("EXISTS", "b").asLong()).isZero();
    }
  }

  @Test
  void argument_announcedButNotSent_takesNoMemory() {
    try (ServerProcess server = ServerProcess.started()) {
      long before = server.residentBytes();
      List<RawConnection> connections = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        RawConnection connection = server.connect();
        connection.sendBytes("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$536870912\r\npart");
        connections.add(connection);
      }
      assertThat(server.call("PING")).isEqualTo(PONG);
      assertThat(server.residentBytes() - before).isLessThan(64 * MIB);
      connections.forEach(RawConnection::close);
    }
  }

  @Test
  void argument_beyondProtoMaxBulkLen_isRefused() {
    try (ServerProcess server = ServerProcess.started("--proto-max-bulk-len", "1mb");
        RawConnection connection = server.connect()) {
      connection.sendBytes("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1048577\r\n");
      assertThat(connection.read())
          .isEqualTo(new Reply.Failure("ERR Protocol error: invalid bulk length"));
      assertThat(connection.awaitClose(Duration.ofSeconds(5))).isTrue();
    }
  }

  @Test
  void value_of64Mib_isStoredAndRepliedWhole() {
    String value = "0123456789abcdef".repeat(1 << 22);
    try (ServerProcess server = ServerProcess.started();
        RawConnection connection = server.connect().patience(Duration.ofMinutes(1))) {
      assertThat(connection.call("SET", "k", value)).isEqualTo(OK);
      assertThat(connection.call("GET", "k").asBytes().equals(value)).isTrue();
      assertThat(connection.call("STRLEN", "k").asLong()).isEqualTo(value.length());
    }
  }

  // ------------------------------------------------------------------ slow readers

  /**
   * Requests for 400 MB of replies, not read: the server must stop, not store them. One batch of
   * requests may be answered into memory, and the JVM itself still grows a little.
   */
  @Test
  void replies_nobodyReads_areNotPiledUp() {
    try (ServerProcess server = ServerProcess.started();
        RawConnection slow = server.connect()) {
      slow.call("SET", "k", "v".repeat((int) MIB));
      long before = server.residentBytes();
      slow.sendBytes(RawConnection.encode("GET", "k").repeat(400));
      assertThat(server.call("PING")).isEqualTo(PONG);
      pause(Duration.ofSeconds(1));
      assertThat(server.residentBytes() - before).isLessThan(128 * MIB);
      for (int i = 0; i < 400; i++) {
        assertThat(slow.read().asBytes()).hasSize((int) MIB);
      }
      assertThat(slow.call("PING")).isEqualTo(PONG);
    }
  }

  @Test
  void otherClients_besideASlowReader_areServed() {
    try (ServerProcess server = ServerProcess.started();
        RawConnection slow = server.connect();
        RawConnection other = server.connect()) {
      slow.call("SET", "k", "v".repeat((int) MIB));
      slow.sendBytes(RawConnection.encode("GET", "k").repeat(200));
      long start = System.nanoTime();
      for (int i = 0; i < 1000; i++) {
        assertThat(other.call("PING")).isEqualTo(PONG);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** And what a slow reader gets is the value as it was, whatever others do to it meanwhile. */
  @Test
  void largeValue_read_isStreamedWithoutACopyOfTheWhole() {
    int length = 64 << 20;
    try (ServerProcess server = ServerProcess.started();
        RawConnection writer = server.connect().patience(Duration.ofSeconds(60));
        RawConnection reader = server.connect().patience(Duration.ofSeconds(60))) {
      writer.call("SETRANGE", "k", Integer.toString(length - 1), "x");
      long before = server.residentBytes();
      for (int i = 0; i < 5; i++) {
        try (RawConnection idle = server.connect()) {
          idle.send("GET", "k"); // and does not read
          writer.call("PING");
        }
      }
      reader.send("GET", "k");
      assertThat(eventually(() -> outputBytes(writer) > length / 2)).isTrue();
      assertThat(server.peakResidentBytes() - before).isLessThan(64L * MIB);
      assertThat(writer.call("SETRANGE", "k", "0", "changed").asLong()).isEqualTo(length);
      assertThat(writer.call("GETRANGE", "k", "0", "7").asBytes()).isEqualTo("changed\0");
      String value = reader.read().asBytes();
      assertThat(value.length()).isEqualTo(length);
      assertThat(value.startsWith("\0".repeat(100)) && value.endsWith("\0x")).isTrue();
      assertThat(reader.call("PING")).isEqualTo(PONG);
    }
  }

  /** The most that any client has not taken yet. */
  private static long outputBytes(RawConnection connection) {
    String list = connection.call("CLIENT", "LIST").asBytes();
    return Pattern.compile("omem=(\\d+)")
        .matcher(list)
        .results()
        .mapToLong(figure -> Long.parseLong(figure.group(1)))
        .max()
        .orElse(0);
  }

  /** Names of channels are a client's own choice, and so is their number. */
  @Test
  void subscriptions_areCountedAndBounded() {
    try (ServerProcess server = ServerProcess.started("--maxmemory-clients", "3mb");
        RawConnection watcher = server.connect();
        RawConnection subscriber = server.connect()) {
      watcher.call("CLIENT", "NO-EVICT", "on");
      long before = usedMemory(watcher);
      subscribe(subscriber, 0, 1000);
      assertThat(totalMemory(watcher)).isBetween(2_000_000L, 3_000_000L);
      assertThat(eventually(() -> usedMemory(watcher) - before >= 2_000_000)).isTrue();
      subscribe(subscriber, 1000, 1000);
      assertThat(eventually(() -> totalMemory(watcher) == 0)).isTrue();
      assertThat(eventually(() -> usedMemory(watcher) - before < 200_000)).isTrue();
    }
  }

  private static void subscribe(RawConnection subscriber, int first, int count) {
    for (int i = first; i < first + count; i++) {
      subscriber.call("SUBSCRIBE", "c".repeat(1000) + i);
    }
  }

  /** What CLIENT LIST tells of the only subscriber; 0 if there is none. */
  private static long totalMemory(RawConnection connection) {
    String list = connection.call("CLIENT", "LIST", "TYPE", "pubsub").asBytes();
    Matcher figure = Pattern.compile("tot-mem=(\\d+)").matcher(list);
    return figure.find() ? Long.parseLong(figure.group(1)) : 0;
  }

  private static boolean eventually(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }
}
