package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.RespProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import io.porteiro.it.tls.Authority;
import io.porteiro.it.tls.Authority.Issued;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Encrypted connections: stock clients, whom the server lets in, and what a stranger can do. */
class TlsIT {
  private static final Reply OK = new Reply.Simple("OK");
  private static final int TLS_PORT = RespProcess.freePort();

  @TempDir static Path files;

  private static Authority authority;
  private static Issued serverIdentity;
  private static Issued clientIdentity;
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    authority = new Authority(files.resolve("ours"));
    serverIdentity = authority.issue("server");
    clientIdentity = authority.issue("client");
    server = ServerProcess.started(options(TLS_PORT));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void restoreSettings() {
    assertThat(
            configSet(
                "tls-auth-clients",
                "yes",
                "tls-protocols",
                "",
                "tls-cert-file",
                serverIdentity.certificate().toString(),
                "tls-key-file",
                serverIdentity.key().toString()))
        .isEqualTo(OK);
  }

  private static String[] options(int port, String... more) {
    return Stream.concat(
            Stream.of(
                "--tls-port", Integer.toString(port),
                "--tls-cert-file", serverIdentity.certificate().toString(),
                "--tls-key-file", serverIdentity.key().toString(),
                "--tls-ca-cert-file", authority.certificate().toString()),
            Stream.of(more))
        .toArray(String[]::new);
  }

  private static Reply configSet(String... namesAndValues) {
    return server.call(
        Stream.concat(Stream.of("CONFIG", "SET"), Stream.of(namesAndValues))
            .toArray(String[]::new));
  }

  private static RedisClient connect(RedisProtocol protocol, @Nullable Issued identity) {
    return client(protocol, authority.client(identity));
  }

  /** Jedis's new way to say it wants the certificates in its own kind of files. */
  @SuppressWarnings("deprecation")
  private static RedisClient client(RedisProtocol protocol, SSLContext context) {
    return RedisClient.builder()
        .hostAndPort(new HostAndPort("127.0.0.1", TLS_PORT))
        .clientConfig(
            DefaultJedisClientConfig.builder()
                .protocol(protocol)
                .timeoutMillis(30_000)
                .ssl(true)
                .sslSocketFactory(context.getSocketFactory())
                .build())
        .build();
  }

  // ------------------------------------------------------------------ stock clients

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void jedis_withItsCertificate_worksAsOnPlainConnections(RedisProtocol protocol) {
    try (RedisClient client = connect(protocol, clientIdentity)) {
      client.flushAll();
      assertThat(client.bfAdd("b", "item")).isTrue();
      assertThat(client.bfExists("b", "item")).isTrue();
      assertThat(client.pfadd("visitors", "ann", "bob")).isOne();
      assertThat(client.pfcount("visitors")).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RESP2", "RESP3"})
  void pipelineOfManyAndLargeReplies_overTls_isAnsweredWhole(RedisProtocol protocol) {
    String large = "x".repeat(200_000);
    try (RedisClient client = connect(protocol, clientIdentity)) {
      client.set("large", large);
      List<Response<?>> replies = new ArrayList<>();
      try (Pipeline pipeline = client.pipelined()) {
        for (int i = 0; i < 2000; i++) {
          replies.add(i % 20 == 0 ? pipeline.get("large") : pipeline.bfAdd("b", "item" + i));
        }
      }
      for (int i = 0; i < replies.size(); i += 20) {
        assertThat(replies.get(i).get()).isEqualTo(large);
      }
    }
  }

  @Test
  void subscriber_overTls_getsMessages() throws InterruptedException {
    CountDownLatch subscribed = new CountDownLatch(1);
    AtomicReference<String> received = new AtomicReference<>("");
    JedisPubSub listener =
        new JedisPubSub() {
          @Override
          public void onSubscribe(String channel, int count) {
            subscribed.countDown();
          }

          @Override
          public void onMessage(String channel, String message) {
            received.set(message);
            unsubscribe();
          }
        };
    try (RedisClient client = connect(RedisProtocol.RESP2, clientIdentity)) {
      Thread subscriber = Thread.ofPlatform().start(() -> client.subscribe(listener, "news"));
      assertThat(subscribed.await(30, TimeUnit.SECONDS)).isTrue();
      server.call("PUBLISH", "news", "hello");
      subscriber.join(30_000);
      assertThat(received.get()).isEqualTo("hello");
    }
  }

  @Test
  void redisCli_overTls_works() {
    assertThat(redisCli(TLS_PORT, "ECHO", "hello").text()).isEqualTo("hello\n");
  }

  private static RedisProcess.Output redisCli(int port, String... command) {
    Stream<String> fixed =
        Stream.of(
            "redis-cli",
            "-p",
            Integer.toString(port),
            "--tls",
            "--cacert",
            authority.certificate().toString(),
            "--cert",
            clientIdentity.certificate().toString(),
            "--key",
            clientIdentity.key().toString());
    return RedisProcess.run(files, Stream.concat(fixed, Stream.of(command)).toArray(String[]::new));
  }

  @Test
  void largeValue_overTls_roundTrips() {
    String value = "0123456789".repeat(2_000_000);
    try (RedisClient client = connect(RedisProtocol.RESP3, clientIdentity)) {
      client.set("large", value);
      assertThat(client.get("large")).isEqualTo(value);
    }
  }

  // ------------------------------------------------------------------ who is let in

  @ParameterizedTest
  @ValueSource(strings = {"no", "optional"})
  void clientWithoutCertificate_whereNoneIsNeeded_isLetIn(String authClients) {
    configSet("tls-auth-clients", authClients);
    assertLetIn(authority.client(null));
    assertLetIn(authority.client(clientIdentity));
  }

  @Test
  void clientWithoutCertificate_whereOneIsNeeded_isRefused() {
    assertRefused(authority.client(null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "optional"})
  void clientOfAnotherAuthority_whereCertificatesAreChecked_isRefused(String authClients) {
    configSet("tls-auth-clients", authClients);
    Issued stranger = new Authority(files.resolve("theirs-" + authClients)).issue("client");
    assertRefused(authority.client(stranger));
  }

  @Test
  void expiredClientCertificate_isRefused() {
    assertRefused(authority.client(authority.issueExpired("late")));
  }

  @Test
  void clientThatTrustsAnotherAuthority_refusesTheServer() {
    Authority other = new Authority(files.resolve("other"));
    assertRefused(other.client(clientIdentity));
  }

  @Test
  void protocolsLimitedToTls13_tls12Client_isRefused() throws IOException {
    configSet("tls-protocols", "TLSv1.3");
    assertThat(protocolWith("TLSv1.3")).isEqualTo("TLSv1.3");
    assertThatThrownBy(() -> protocolWith("TLSv1.2")).isInstanceOf(IOException.class);
    configSet("tls-protocols", "TLSv1.2 TLSv1.3");
    assertThat(protocolWith("TLSv1.2")).isEqualTo("TLSv1.2");
  }

  private static String protocolWith(String offered) throws IOException {
    try (SSLSocket socket = tlsSocket(authority.client(clientIdentity))) {
      socket.setEnabledProtocols(new String[] {offered});
      socket.startHandshake();
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readNBytes(7), StandardCharsets.US_ASCII))
          .isEqualTo("+PONG\r\n");
      return socket.getSession().getProtocol();
    }
  }

  private static SSLSocket tlsSocket(SSLContext context) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", TLS_PORT);
    socket.setSoTimeout(30_000);
    return socket;
  }

  private static void assertLetIn(SSLContext context) {
    try (RedisClient client = client(RedisProtocol.RESP3, context)) {
      assertThat(client.ping()).isEqualTo("PONG");
    }
  }

  private static void assertRefused(SSLContext context) {
    try (RedisClient client = client(RedisProtocol.RESP3, context)) {
      assertThatThrownBy(client::ping).isInstanceOf(JedisConnectionException.class);
    }
    assertThat(server.call("PING")).isEqualTo(new Reply.Simple("PONG"));
  }

  // ------------------------------------------------------------------ settings at run time

  @Test
  void newCertificate_byConfigSet_isShownToNewConnectionsOnly() throws IOException {
    Issued renewed = authority.issue("renewed");
    try (SSLSocket before = tlsSocket(authority.client(clientIdentity))) {
      before.startHandshake();
      assertThat(
              configSet(
                  "tls-cert-file", renewed.certificate().toString(),
                  "tls-key-file", renewed.key().toString()))
          .isEqualTo(OK);
      assertThat(subject(before)).contains("CN=server");
      before.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(before.getInputStream().readNBytes(7))
          .isEqualTo("+PONG\r\n".getBytes(StandardCharsets.US_ASCII));
      try (SSLSocket after = tlsSocket(authority.client(clientIdentity))) {
        after.startHandshake();
        assertThat(subject(after)).contains("CN=renewed");
      }
    }
  }

  private static String subject(SSLSocket socket) throws IOException {
    return socket.getSession().getPeerPrincipal().getName();
  }

  @Test
  void wrongFile_byConfigSet_isRefusedAndTheOldCertificateStays() {
    Reply answer = configSet("timeout", "17", "tls-cert-file", "/nonexistent.crt");
    assertThat(answer)
        .isEqualTo(
            new Reply.Failure(
                "ERR CONFIG SET failed (possibly related to argument 'tls-cert-file') - Unable to"
                    + " update TLS configuration. Check server logs."));
    assertThat(server.log()).contains("tls-cert-file /nonexistent.crt: No such file");
    assertThat(server.call("CONFIG", "GET", "timeout").toString())
        .contains("0")
        .doesNotContain("17");
    assertLetIn(authority.client(clientIdentity));
  }

  @Test
  void keyOfAnotherCertificate_byConfigSet_isRefused() {
    Reply answer = configSet("tls-key-file", clientIdentity.key().toString());
    assertThat(answer).isInstanceOf(Reply.Failure.class);
    assertLetIn(authority.client(clientIdentity));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "genrsa -out KEY 2048",
        "genrsa -traditional -out KEY 2048",
        "genrsa -aes256 -passout pass:secret -out KEY 2048",
        "genrsa -des3 -passout pass:secret -out KEY 2048",
        "genrsa -traditional -aes128 -passout pass:secret -out KEY 2048",
        "genrsa -traditional -des3 -passout pass:secret -out KEY 2048",
        "genpkey -algorithm RSA -out KEY",
        "genpkey -algorithm RSA-PSS -out KEY",
        "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out KEY",
        "genpkey -algorithm ED25519 -out KEY",
        "genpkey -algorithm RSA -aes-128-cbc -pass pass:secret -out KEY",
        "ecparam -name prime256v1 -genkey -out KEY",
        "ecparam -name secp521r1 -genkey -noout -out KEY",
        "req -newkey rsa:2048 -nodes -keyout KEY -out unused.csr -subj /CN=x",
        "req -newkey rsa:2048 -passout pass:secret -keyout KEY -out unused.csr -subj /CN=x",
      })
  void keyInAnyFormOfOpenssl_byConfigSet_isTaken(String making) throws IOException {
    authority.openssl(making.replace("KEY", "form.key"));
    Issued issued = authority.sign("form", 30);
    assertThat(
            configSet(
                "tls-cert-file", issued.certificate().toString(),
                "tls-key-file", issued.key().toString(),
                "tls-key-file-pass", "secret"))
        .isEqualTo(OK);
    try (SSLSocket socket = tlsSocket(authority.client(clientIdentity))) {
      socket.startHandshake();
      assertThat(subject(socket)).contains("CN=form");
    }
  }

  @Test
  void encryptedKey_withoutOrWithTheWrongPassword_isRefused() {
    authority.openssl("genrsa -aes256 -passout pass:secret -out locked.key 2048");
    Issued locked = authority.sign("locked", 30);
    for (String password : List.of("", "wrong")) {
      assertThat(
              configSet(
                  "tls-cert-file", locked.certificate().toString(),
                  "tls-key-file", locked.key().toString(),
                  "tls-key-file-pass", password))
          .isInstanceOf(Reply.Failure.class);
    }
    assertThat(server.log())
        .contains("tls-key-file-pass is not set")
        .contains("cannot be decrypted");
    assertLetIn(authority.client(clientIdentity));
  }

  @Test
  void authoritiesInADirectory_underTheirHashes_areTrusted() {
    authority.openssl("rehash .");
    assertThat(
            configSet("tls-ca-cert-file", "", "tls-ca-cert-dir", authority.directory().toString()))
        .isEqualTo(OK);
    assertLetIn(authority.client(clientIdentity));
    assertThat(
            configSet(
                "tls-ca-cert-dir", "", "tls-ca-cert-file", authority.certificate().toString()))
        .isEqualTo(OK);
  }

  @Test
  void tlsPort_byConfigSet_opensAndCloses() throws IOException {
    try (ServerProcess other = ServerProcess.started(options(0))) {
      int port = RespProcess.freePort();
      assertThat(other.call("CONFIG", "SET", "tls-port", Integer.toString(port))).isEqualTo(OK);
      new Socket(InetAddress.getLoopbackAddress(), port).close();
      assertThat(other.call("CONFIG", "SET", "tls-port", "0")).isEqualTo(OK);
      assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port))
          .isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--tls-cert-file /nonexistent.crt|tls-cert-file /nonexistent.crt: No such file",
        "--tls-ca-cert-file /nonexistent.crt|tls-ca-cert-file /nonexistent.crt: No such file",
        "--tls-key-file /etc/hostname|tls-key-file /etc/hostname: has no private key",
        "--tls-protocols SSLv3|Invalid tls-protocols specified.",
        "--tls-ciphers nonsense|tls-ciphers nonsense",
        "--tls-ciphersuites nonsense|tls-ciphersuites nonsense",
      })
  void start_withUnusableSettings_endsAndNamesDirectiveAndFile(String optionAndMessage) {
    String[] parts = optionAndMessage.split("\\|", -1);
    try (ServerProcess broken = ServerProcess.prepared(options(RespProcess.freePort()))) {
      assertThat(broken.startExpectingExit(parts[0].split(" "))).isOne();
      assertThat(broken.log()).contains(parts[1]);
    }
  }

  // ------------------------------------------------------------------ strangers

  @Test
  void plainText_onTheTlsPort_isClosedWithOneLineInTheLog() {
    for (int i = 0; i < 20; i++) {
      try (RawConnection plain = RawConnection.open(TLS_PORT)) {
        assertThat(plain.call("AUTH", "secret-in-plain-text"))
            .isIn(Reply.Special.CLOSED, Reply.Special.TIMEOUT);
      }
    }
    assertThat(server.log())
        .contains("Error accepting a client connection: it does not speak TLS")
        .doesNotContain("secret-in-plain-text")
        .doesNotContain("Exception");
    assertThat(server.log().lines().filter(line -> line.contains("does not speak TLS")).count())
        .isLessThan(20);
    assertLetIn(authority.client(clientIdentity));
  }

  @Test
  void thousandHandshakesBegunAndLeft_doNotStopOthers() throws IOException {
    List<Socket> strangers = new ArrayList<>();
    try {
      for (int i = 0; i < 1000; i++) {
        Socket stranger = new Socket(InetAddress.getLoopbackAddress(), TLS_PORT);
        strangers.add(stranger);
        stranger.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1}); // half a ClientHello
      }
      assertLetIn(authority.client(clientIdentity));
      assertThat(server.call("PING")).isEqualTo(new Reply.Simple("PONG"));
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void handshakeThatNeverEnds_isClosed() throws IOException {
    try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), TLS_PORT)) {
      stranger.setSoTimeout(30_000);
      stranger.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
      assertThat(stranger.getInputStream().readAllBytes()).hasSizeLessThan(100);
    }
  }

  // ------------------------------------------------------------------ ends of the stream

  /** Repeated, because the end must also overtake the check of the certificate in the server. */
  @RepeatedTest(20)
  void halfClose_afterRequests_isAnsweredAndClosedInOrder() throws IOException {
    try (SSLSocket socket = tlsSocket(authority.client(clientIdentity))) {
      socket.startHandshake();
      socket.getOutputStream().write("PING\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .isEqualTo("+PONG\r\n+PONG\r\n");
    }
  }

  @Test
  void quit_overTls_endsTheStreamProperly() throws IOException {
    try (SSLSocket socket = tlsSocket(authority.client(clientIdentity))) {
      socket.startHandshake();
      socket.getOutputStream().write("QUIT\r\n".getBytes(StandardCharsets.US_ASCII));
      // without close_notify this would be an SSLException
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .isEqualTo("+OK\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"io_uring", "epoll", "nio"})
  void everyTransport_carriesTls(String transport) {
    int port = RespProcess.freePort();
    try (ServerProcess other = ServerProcess.started(options(port, "--io-transport", transport))) {
      assertThat(redisCli(port, "BF.ADD", "b", "item").text()).isEqualTo("1\n");
      assertThat(other.call("BF.EXISTS", "b", "item").asLong()).isOne();
    }
  }
}
