package io.porteiro.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.porteiro.server.command.DeferredReply;
import io.porteiro.server.command.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The same over every transport that this machine has. */
@ParameterizedClass
@EnumSource(Transport.class)
@Timeout(60)
class NetworkServerTest {
  private static final String PING = "*1\r\n$4\r\nPING\r\n";
  private static final String PONG = "+PONG\r\n";

  private final Transport transport;
  private final ListAppender<ILoggingEvent> faults = new ListAppender<>();
  private @Nullable TestServer started;

  NetworkServerTest(Transport transport) {
    assumeTrue(transport.obstacle() == null, () -> transport + " is not available here");
    this.transport = transport;
  }

  @BeforeEach
  void collectFaults() {
    faults.start();
    connectionLog().addAppender(faults);
  }

  private static Logger connectionLog() {
    return (Logger) LoggerFactory.getLogger(Connection.class);
  }

  private TestServer start(String... settings) throws IOException {
    String[] all = new String[settings.length + 2];
    System.arraycopy(settings, 0, all, 0, settings.length);
    all[settings.length] = "io-transport";
    all[settings.length + 1] = transport.configName();
    TestServer server = new TestServer(all);
    started = server;
    return server;
  }

  private TestServer server() {
    return Objects.requireNonNull(started);
  }

  @AfterEach
  void stop() throws InterruptedException {
    connectionLog().detachAppender(faults);
    TestServer server = started;
    if (server != null) {
      server.close();
      await(() -> server.countedBytes.get() == 0);
      assertThat(server.countedBytes).as("bytes of closed connections").hasValue(0);
    }
    assertThat(List.copyOf(faults.list))
        .extracting(ILoggingEvent::getLevel)
        .as("levels of what connections logged")
        .doesNotContain(Level.ERROR);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < 1000 && !condition.getAsBoolean(); i++) {
      Thread.sleep(5);
    }
  }

  /** What INFO calls multiplexing_api. */
  @Test
  void metrics_afterStart_nameTheTransport() throws IOException {
    assertThat(start().metrics.transport()).isEqualTo(transport.configName());
  }

  @Test
  void pipeline_inOneWrite_isAnsweredInOrder() throws IOException {
    try (TestClient client = start().connect()) {
      String expected = (PONG + "$2\r\nhi\r\n").repeat(500);
      assertThat(client.ask((PING + "ECHO hi\r\n").repeat(500), expected)).isEqualTo(expected);
    }
  }

  @Test
  void request_byteByByte_isAnswered() throws IOException {
    try (TestClient client = start().connect()) {
      client.socket.setTcpNoDelay(true);
      for (int i = 0; i < PING.length(); i++) {
        client.send(PING.substring(i, i + 1));
      }
      assertThat(client.read(PONG.length())).isEqualTo(PONG);
    }
  }

  @Test
  void largeArgument_andLargeReply_areWhole() throws IOException {
    try (TestClient client = start().connect()) {
      String text = "0123456789".repeat(300_000);
      String answer = "$" + text.length() + "\r\n" + text + "\r\n";
      String answered = client.ask("*2\r\n$4\r\nECHO\r\n" + answer, answer);
      assertThat(answered.equals(answer)).isTrue();
      assertThat(client.ask(PING, PONG)).isEqualTo(PONG);
    }
  }

  @Test
  void protocolError_afterGoodRequests_isAnsweredThenClosed() throws IOException {
    try (TestClient client = start().connect()) {
      client.send(PING + "*x\r\n" + PING.repeat(1000));
      assertThat(client.readToEnd())
          .isEqualTo(PONG + "-ERR Protocol error: invalid multibulk length\r\n");
    }
  }

  /** Also as a multibulk request, and in a transaction, whose commands are only queued. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST / HTTP/1.1\r\nHost: x\r\n\r\nPING\r\n",
        "host: x\r\nPING\r\n",
        "*2\r\n$4\r\nPost\r\n$1\r\n/\r\nPING\r\n",
        "*1\r\n$5\r\nMULTI\r\n*2\r\n$5\r\nHOST:\r\n$1\r\n/\r\nPING\r\n"
      })
  void httpRequest_isNotAnswered(String request) throws IOException {
    try (TestClient client = start().connect()) {
      client.send(request);
      assertThat(client.readToEnd()).isEmpty();
    }
  }

  @Test
  void quit_laterRequests_areNotExecuted() throws IOException {
    try (TestClient client = start().connect()) {
      client.send("PING\r\nQUIT\r\nPING\r\n");
      assertThat(client.readToEnd()).isEqualTo(PONG + "+OK\r\n");
    }
  }

  @Test
  void halfClose_allThatWasSent_isStillAnswered() throws IOException {
    try (TestClient client = start().connect()) {
      client.send("BIG 3000000\r\n" + PING.repeat(100) + "*1\r\n$4\r\nPI");
      client.socket.shutdownOutput();
      assertThat(client.readToEnd()).hasSize(3_000_000 + 12 + 700).endsWith(PONG);
    }
  }

  @Test
  void halfClose_whileACommandAnswersLater_waitsForTheAnswer()
      throws IOException, InterruptedException {
    try (TestClient client = start().connect()) {
      client.send("LATER\r\nPING\r\n");
      client.socket.shutdownOutput();
      DeferredReply later = server().awaitLater();
      Thread.sleep(50);
      later.complete(reply -> reply.integer(1));
      assertThat(client.readToEnd()).isEqualTo(":1\r\n" + PONG);
    }
  }

  @Test
  void answerLater_requestsBehindIt_waitAndKeepTheirOrder()
      throws IOException, InterruptedException {
    try (TestClient client = start().connect();
        TestClient other = server().connect()) {
      client.send("PING\r\nLATER\r\nPING\r\nECHO 'a b'\r\n");
      assertThat(client.read(PONG.length())).isEqualTo(PONG);
      client.send("*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n");
      assertThat(client.isSilent()).isTrue();
      assertThat(other.ask(PING, PONG)).as("another connection").isEqualTo(PONG);
      server().awaitLater().complete(reply -> reply.integer(7));
      String expected = ":7\r\n" + PONG + "$3\r\na b\r\n$2\r\nhi\r\n";
      assertThat(client.read(expected.length())).isEqualTo(expected);
    }
  }

  @Test
  void answerLater_protocolErrorBehindIt_comesAfterTheAnswer()
      throws IOException, InterruptedException {
    try (TestClient client = start().connect()) {
      client.send("LATER\r\n*1\r\n!\r\n");
      DeferredReply later = server().awaitLater();
      assertThat(client.isSilent()).isTrue();
      later.complete(reply -> reply.integer(7));
      assertThat(client.readToEnd())
          .isEqualTo(":7\r\n-ERR Protocol error: expected '$', got '!'\r\n");
    }
  }

  @Test
  void answerLater_clientGone_changesNothing() throws IOException, InterruptedException {
    start();
    try (TestClient client = server().connect()) {
      client.send("LATER\r\n");
      DeferredReply later = server().awaitLater();
      server().session().peer().close();
      assertThat(client.readToEnd()).isEmpty();
      await(() -> server().clients.count() == 0);
      later.complete(reply -> reply.integer(7));
    }
    try (TestClient client = server().connect()) {
      assertThat(client.ask(PING, PONG)).isEqualTo(PONG);
    }
  }

  @Test
  void pause_all_holdsEverythingUntilItIsEnded() throws IOException {
    try (TestClient client = start().connect()) {
      server().clients.pause(Long.MAX_VALUE, false);
      client.send(PING + PING);
      assertThat(client.isSilent()).isTrue();
      server().clients.unpause();
      assertThat(client.read(2 * PONG.length())).isEqualTo(PONG + PONG);
    }
  }

  @Test
  void pause_ofWrites_letsReadersPass() throws IOException {
    try (TestClient client = start().connect()) {
      server().clients.pause(Long.MAX_VALUE, true);
      assertThat(client.ask(PING, PONG)).isEqualTo(PONG);
      client.send("WRITE\r\nPING\r\n");
      assertThat(client.isSilent()).isTrue();
      server().clients.unpause();
      assertThat(client.read(12)).isEqualTo("+OK\r\n" + PONG);
    }
  }

  @Test
  void pause_forATime_endsByItself() throws IOException {
    try (TestClient client = start().connect()) {
      long untilMs = System.currentTimeMillis() + 200;
      server().clients.pause(untilMs, false);
      server().clients.pause(untilMs - 100, true);
      assertThat(client.ask(PING, PONG)).isEqualTo(PONG);
      assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(untilMs);
    }
  }

  @Test
  void maxclients_oneMore_isToldAndClosed() throws IOException, InterruptedException {
    start("maxclients", "2");
    try (TestClient first = server().connect()) {
      assertThat(first.ask(PING, PONG)).isEqualTo(PONG);
      try (TestClient second = server().connect()) {
        assertThat(second.ask(PING, PONG)).isEqualTo(PONG);
        try (TestClient third = server().connect()) {
          assertThat(third.readToEnd()).isEqualTo("-ERR max number of clients reached\r\n");
        }
      }
      await(() -> server().clients.count() == 1);
      try (TestClient again = server().connect()) {
        assertThat(again.ask(PING, PONG)).isEqualTo(PONG);
      }
      assertThat(first.ask(PING, PONG)).isEqualTo(PONG);
    }
  }

  @Test
  void protectedMode_fromOutside_isDenied() throws IOException {
    InetAddress outside = outsideAddress();
    start("bind", "127.0.0.1 " + outside.getHostAddress());
    try (TestClient client = new TestClient(outside.getHostAddress(), server().port)) {
      assertThat(client.readToEnd()).startsWith("-DENIED Redis is running in protected mode ");
    }
    assertThat(server().clients.count()).isZero();
    try (TestClient client = server().connect()) {
      assertThat(client.ask(PING, PONG)).isEqualTo(PONG);
    }
  }

  @Test
  void protectedMode_withAPassword_letsOthersIn() throws IOException {
    InetAddress outside = outsideAddress();
    start("bind", outside.getHostAddress(), "requirepass", "sesame");
    try (TestClient client = new TestClient(outside.getHostAddress(), server().port)) {
      assertThat(client.ask("LOGIN\r\n", "+OK\r\n")).isEqualTo("+OK\r\n");
    }
  }

  private static InetAddress outsideAddress() throws SocketException {
    InetAddress outside =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> !address.isLoopbackAddress() && address.getAddress().length == 4)
            .findFirst()
            .orElse(null);
    assumeTrue(outside != null, "the machine has no address but loopback");
    return outside;
  }

  @Test
  void requirepass_beforeLogin_boundsRequests() throws IOException {
    start("requirepass", "sesame");
    try (TestClient client = server().connect()) {
      client.send("*11\r\n");
      assertThat(client.readToEnd())
          .isEqualTo("-ERR Protocol error: unauthenticated multibulk length\r\n");
    }
    try (TestClient client = server().connect()) {
      String large = "*2\r\n$4\r\nECHO\r\n$20000\r\n" + "x".repeat(20_000) + "\r\n";
      String expected = "+OK\r\n$20000\r\n" + "x".repeat(20_000) + "\r\n";
      assertThat(client.ask("LOGIN\r\n" + large, expected)).isEqualTo(expected);
    }
  }

  @Test
  void timeout_idleClient_isClosed() throws IOException {
    start("timeout", "1");
    try (TestClient client = server().connect()) {
      assertThat(client.ask(PING, PONG)).isEqualTo(PONG);
      assertThat(client.readToEnd()).isEmpty();
    }
  }

  @Test
  void slowReader_isNotReadFromUntilItReads() throws IOException, InterruptedException {
    start();
    try (TestClient client = server().connect()) {
      int replies = 300;
      Thread sender = Thread.startVirtualThread(() -> sendAll(client, "BIG 1000000\r\n", replies));
      Session session = server().session();
      await(() -> session.peer().outputBytes() >= NetworkServer.MAX_OUTPUT_BYTES);
      assertThat(session.peer().outputBytes())
          .isLessThan(NetworkServer.MAX_OUTPUT_BYTES + 10_000_000L);
      String reply = "$1000000\r\n" + "x".repeat(1_000_000) + "\r\n";
      for (int i = 0; i < replies; i++) {
        assertThat(client.read(reply.length()).equals(reply)).as("reply %d", i).isTrue();
      }
      sender.join();
      assertThat(client.ask(PING, PONG)).isEqualTo(PONG);
    }
  }

  private static void sendAll(TestClient client, String request, int times) {
    try {
      client.send(request.repeat(times));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void outputLimit_readerBeyondIt_isClosed() throws IOException, InterruptedException {
    start("client-output-buffer-limit", "normal 1mb 0 0");
    try (TestClient client = server().connect()) {
      client.send("BIG 50000000\r\n");
      await(() -> server().clients.count() == 0);
      Thread.sleep(100);
      await(() -> server().clients.count() == 0);
      assertThat(server().clients.count()).isZero();
    }
  }

  // ---- output that waits for the log

  @Test
  void output_thatHasSeenAPosition_leavesWhenItIsReleased() throws IOException {
    start();
    try (TestClient client = server().connect()) {
      client.send("SEE 5\r\n" + PING);
      assertThat(client.isSilent()).isTrue();
      server().journal.release(4);
      assertThat(client.isSilent()).isTrue();
      server().journal.release(5);
      assertThat(client.read(12)).isEqualTo("+OK\r\n" + PONG);
      assertThat(client.ask(PING, PONG)).isEqualTo(PONG);
    }
  }

  @Test
  void output_releasedAtTheEndOfTheTurn_leavesAtOnce() throws IOException {
    start();
    server().journal.releaseAtEndOfTurn();
    try (TestClient client = server().connect()) {
      for (int i = 1; i <= 100; i++) {
        assertThat(client.ask("SEE " + i + "\r\n", "+OK\r\n")).isEqualTo("+OK\r\n");
      }
    }
  }

  /** Otherwise the input of a client that goes on sending would fill the memory. */
  @Test
  void output_thatWaits_stopsReading() throws IOException, InterruptedException {
    start();
    try (TestClient client = server().connect()) {
      client.send("SEE 5\r\n");
      assertThat(client.isSilent()).isTrue();
      Thread sender =
          Thread.startVirtualThread(
              () -> sendAll(client, "ECHO " + "x".repeat(60_000) + "\r\n", 400));
      Session session = server().session();
      Thread.sleep(500);
      assertThat(session.peer().inputBytes()).isLessThan(10_000_000);
      assertThat(sender.isAlive()).isTrue();
      server().journal.release(5);
      assertThat(client.read(5)).isEqualTo("+OK\r\n");
      String reply = "$60000\r\n" + "x".repeat(60_000) + "\r\n";
      for (int i = 0; i < 400; i++) {
        assertThat(client.read(reply.length()).equals(reply)).as("reply %d", i).isTrue();
      }
      sender.join();
    }
  }

  @Test
  void output_ofReaders_leavesWhileTheLogFails() throws IOException {
    start();
    try (TestClient client = server().connect()) {
      client.send("SEE 5\r\n");
      assertThat(client.isSilent()).isTrue();
      server().journal.setFailing(true);
      assertThat(client.read(5)).isEqualTo("+OK\r\n");
      assertThat(client.ask("SEE 6\r\n", "+OK\r\n")).isEqualTo("+OK\r\n");
      server().journal.setFailing(false);
      client.send("SEE 7\r\n");
      assertThat(client.isSilent()).isTrue();
    }
  }

  @Test
  void output_beforeTheEnd_waitsToo() throws IOException {
    start();
    try (TestClient client = server().connect()) {
      client.send("SEE 5\r\nQUIT\r\n");
      assertThat(client.isSilent()).isTrue();
      server().journal.release(5);
      assertThat(client.readToEnd()).isEqualTo("+OK\r\n+OK\r\n");
    }
  }

  /** A message tells of a change, and must not tell of one that a crash undoes. */
  @Test
  void push_withAPosition_waitsAndKeepsTheOrder() throws IOException, InterruptedException {
    start();
    try (TestClient client = server().connect()) {
      Session session = server().session();
      session.peer().push(reply -> reply.integer(1), 3);
      session.peer().push(reply -> reply.integer(2));
      assertThat(client.isSilent()).isTrue();
      server().journal.release(3);
      assertThat(client.read(8)).isEqualTo(":1\r\n:2\r\n");
    }
  }

  @Test
  void push_fromAnotherThread_arrives() throws IOException, InterruptedException {
    try (TestClient client = start().connect()) {
      Session session = server().session();
      for (int i = 0; i < 1000; i++) {
        int number = i;
        session.peer().push(reply -> reply.integer(number));
      }
      for (int i = 0; i < 1000; i++) {
        String expected = ":" + i + "\r\n";
        assertThat(client.read(expected.length())).isEqualTo(expected);
      }
    }
  }

  @Test
  void push_toASilencedClient_arrivesAlone() throws IOException, InterruptedException {
    try (TestClient client = start().connect()) {
      client.send("SILENT\r\nPING\r\n");
      server().session().peer().push(reply -> reply.integer(1));
      assertThat(client.read(4)).isEqualTo(":1\r\n");
      client.send("PING\r\n");
      assertThat(client.isSilent()).isTrue();
    }
  }

  @Test
  void session_addresses_areThoseOfTheSocket() throws IOException, InterruptedException {
    try (TestClient client = start().connect()) {
      Session session = server().session();
      assertThat(session.peer().address()).isEqualTo("127.0.0.1:" + client.socket.getLocalPort());
      assertThat(session.peer().localAddress()).isEqualTo("127.0.0.1:" + server().port);
      assertThat(session.peer().isUnixSocket()).isFalse();
      assertThat(session.id()).isEqualTo(1);
    }
  }

  @Test
  void unixSocket_withPermissions_serves(@TempDir Path directory)
      throws IOException, InterruptedException {
    Path path = directory.resolve("porteiro.sock");
    Files.createFile(path); // left behind
    start("unixsocket", path.toString(), "unixsocketperm", "700", "port", "0");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rwx------");
    try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      client.write(ByteBuffer.wrap(PING.getBytes(StandardCharsets.ISO_8859_1)));
      ByteBuffer answer = ByteBuffer.allocate(PONG.length());
      while (answer.hasRemaining() && client.read(answer) >= 0) {}
      assertThat(new String(answer.array(), StandardCharsets.ISO_8859_1)).isEqualTo(PONG);
      assertThat(server().session().peer().address()).isEqualTo(path + ":0");
      assertThat(server().session().peer().isUnixSocket()).isTrue();
    }
    server().close();
    assertThat(path).doesNotExist();
  }

  @Test
  void start_portInUse_failsWithAReason() throws IOException {
    start();
    assertThatThrownBy(() -> new TestServer(server().port, "io-transport", transport.configName()))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "Could not create server TCP listening socket 127.0.0.1:" + server().port + ": ")
        .hasMessageContaining("in use");
  }

  @Test
  void start_optionalAddressMissing_isSkipped() throws IOException {
    start("bind", "127.0.0.1 -203.0.113.7");
    try (TestClient client = server().connect()) {
      assertThat(client.ask(PING, PONG)).isEqualTo(PONG);
    }
  }

  @Test
  void start_neededAddressMissing_fails() {
    assertThatThrownBy(() -> start("bind", "203.0.113.7"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("203.0.113.7");
  }

  @Test
  void start_allAddresses_serves() throws IOException {
    start("bind", "* -::*");
    try (TestClient client = server().connect()) {
      assertThat(client.ask(PING, PONG)).isEqualTo(PONG);
    }
  }

  /** From an event loop, as CONFIG SET does it. */
  @Test
  void bindAndPort_changedWhileServing_takeEffect() throws Exception {
    int port = TestServer.freePort();
    try (TestClient before = start().connect()) {
      assertThat(before.ask("RECONFIGURE port " + port + "\r\n", "+OK\r\n")).isEqualTo("+OK\r\n");
      try (TestClient after = new TestClient("127.0.0.1", port)) {
        assertThat(after.ask(PING, PONG)).isEqualTo(PONG);
      }
      assertThatThrownBy(server()::connect).isInstanceOf(IOException.class);
      assertThat(before.ask(PING, PONG)).as("a connection from before").isEqualTo(PONG);
    }
  }

  @Test
  void bind_changedToWhatIsNotThere_keepsTheOldAddress() throws IOException {
    try (TestClient client = start().connect()) {
      client.send("RECONFIGURE bind 203.0.113.7\r\nPING\r\n");
      String refusal =
          "-ERR CONFIG SET failed (possibly related to argument 'bind') - Failed to bind to"
              + " specified addresses.\r\n";
      assertThat(client.read(refusal.length())).isEqualTo(refusal);
      try (TestClient another = server().connect()) {
        assertThat(another.ask(PING, PONG)).isEqualTo(PONG);
      }
    }
  }

  @Test
  void maxmemoryClients_exceeded_closesTheLargest() throws IOException {
    start("maxmemory-clients", "3mb");
    try (TestClient small = server().connect();
        TestClient large = server().connect();
        TestClient spared = server().connect()) {
      assertThat(spared.ask("SPARE\r\n", "+OK\r\n")).isEqualTo("+OK\r\n");
      String half = "*200\r\n" + ("$20000\r\n" + "x".repeat(20_000) + "\r\n").repeat(90);
      spared.send(half);
      large.send(half);
      assertThat(large.readToEnd()).isEmpty();
      assertThat(small.ask(PING, PONG)).isEqualTo(PONG);
      assertThat(spared.isSilent()).isTrue();
    }
  }
}
