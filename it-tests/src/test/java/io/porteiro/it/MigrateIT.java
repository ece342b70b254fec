package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.RespProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import io.porteiro.it.tls.Authority;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys move to and from a real Redis, with its replies, and no change to them is lost on the way.
 */
class MigrateIT {
  private static final Reply OK = new Reply.Simple("OK");
  private static final Reply PONG = new Reply.Simple("PONG");

  private static RedisProcess redis;
  private static RedisProcess target;
  private static RedisProcess locked;
  private static ServerProcess server;

  @BeforeAll
  static void start() {
    redis = RedisProcess.started();
    target = RedisProcess.started();
    locked = RedisProcess.started("--requirepass", "pw");
    server = ServerProcess.started();
  }

  @AfterAll
  static void stop() {
    Stream.of(redis, target, locked, server).forEach(RespProcess::close);
  }

  @BeforeEach
  void empty() {
    Stream.of(redis, target, server).forEach(process -> process.call("FLUSHALL"));
    try (RawConnection connection = locked.connect()) {
      connection.call("AUTH", "pw");
      connection.call("FLUSHALL");
    }
  }

  private static String port(RespProcess process) {
    return Integer.toString(process.port());
  }

  // ------------------------------------------------------------------ as Redis does it

  /** The same commands on Redis and here, in order; {@code T} and {@code L} stand for ports. */
  @Test
  void everyFormAndEveryError_isAnsweredAsByRedis() {
    List<String> commands =
        List.of(
            "MIGRATE 127.0.0.1 T missing 0 5000",
            "SET a 1",
            "MIGRATE 127.0.0.1 T a 0 5000",
            "EXISTS a",
            "SET a 2",
            "MIGRATE 127.0.0.1 T a 0 5000",
            "GET a",
            "MIGRATE 127.0.0.1 T a 0 5000 COPY REPLACE",
            "GET a",
            "MIGRATE 127.0.0.1 T a 0 5000 replace",
            "GET a",
            "MSET a 3 b 4 c 5",
            "MIGRATE 127.0.0.1 T '' 0 5000 KEYS a b missing c",
            "GET a",
            "GET b",
            "MIGRATE 127.0.0.1 T '' 0 5000 REPLACE KEYS a b missing c",
            "DBSIZE",
            "SET a 6",
            "MIGRATE 127.0.0.1 T a 0 5000 KEYS b",
            "MIGRATE 127.0.0.1 T a 0 5000 NONSENSE",
            "MIGRATE 127.0.0.1 T a 0 5000 AUTH",
            "MIGRATE 127.0.0.1 T a 0 5000 AUTH2 user",
            "MIGRATE 127.0.0.1 T a zero 5000",
            "MIGRATE 127.0.0.1 T a 0 long",
            "MIGRATE 127.0.0.1 T a 4711 5000",
            "MIGRATE 127.0.0.1 1 a 0 5000",
            "MIGRATE 127.0.0.1 nonsense a 0 5000",
            "MIGRATE 127.0.0.1 L a 0 5000",
            "MIGRATE 127.0.0.1 L a 0 5000 AUTH wrong",
            "GET a",
            "MIGRATE 127.0.0.1 L a 0 5000 AUTH pw",
            "EXISTS a",
            "SET a 7",
            "MIGRATE 127.0.0.1 L a 3 -1 AUTH2 default pw",
            "EXISTS a",
            "SET d 8",
            "MIGRATE 127.0.0.1 T '' 0 5000 KEYS d d",
            "EXISTS d",
            "MIGRATE 127.0.0.1 T '' 0 5000 KEYS",
            "SET '' empty",
            "MIGRATE 127.0.0.1 T '' 0 5000",
            "COMMAND GETKEYS MIGRATE h 1 k 0 1",
            "COMMAND GETKEYS MIGRATE h 1 '' 0 1 KEYS a b",
            "COMMAND GETKEYS MIGRATE h 1 '' 0 1 AUTH keys KEYS a keys b",
            "COMMAND GETKEYS MIGRATE h 1 '' 0 1 AUTH2 keys keys COPY KEYS a",
            "COMMAND INFO MIGRATE");
    assertThat(answers(server, commands)).isEqualTo(answers(redis, commands));
  }

  private List<String> answers(RespProcess source, List<String> commands) {
    empty();
    List<String> answers = new ArrayList<>();
    try (RawConnection connection = source.connect().patience(Duration.ofSeconds(30))) {
      for (String command : commands) {
        answers.add(command + " -> " + connection.call(words(command)));
      }
    }
    for (String key : List.of("a", "b", "c", "d", "")) {
      answers.add(key + ": " + target.call("GET", key));
    }
    return answers;
  }

  private static String[] words(String command) {
    return Stream.of(command.split(" "))
        .map(word -> word.equals("T") ? port(target) : word.equals("L") ? port(locked) : word)
        .map(word -> word.equals("''") ? "" : word)
        .toArray(String[]::new);
  }

  @Test
  void keysOfAllKinds_toRedisAndBack_keepValueAndTimeToLive() {
    server.call("SET", "number", "12345");
    server.call("SET", "text", "x".repeat(300_000));
    server.call("PFADD", "visitors", "a", "b", "c");
    server.call("PEXPIRE", "text", "1000000");
    assertThat(move(server, redis, "number", "text", "visitors")).isEqualTo(OK);
    assertThat(server.call("DBSIZE").asLong()).isZero();
    assertThat(redis.call("PTTL", "text").asLong()).isBetween(900_000L, 1_000_000L);
    assertThat(redis.call("PTTL", "number").asLong()).isEqualTo(-1);
    assertThat(redis.call("PFCOUNT", "visitors").asLong()).isEqualTo(3);
    assertThat(move(redis, server, "number", "text", "visitors")).isEqualTo(OK);
    assertThat(redis.call("DBSIZE").asLong()).isZero();
    assertThat(server.call("GET", "number").asBytes()).isEqualTo("12345");
    assertThat(server.call("STRLEN", "text").asLong()).isEqualTo(300_000);
    assertThat(server.call("PTTL", "text").asLong()).isBetween(900_000L, 1_000_000L);
    assertThat(server.call("PFCOUNT", "visitors").asLong()).isEqualTo(3);
  }

  private static Reply move(RespProcess from, RespProcess to, String... keys) {
    return from.call(
        Stream.concat(
                Stream.of("MIGRATE", "127.0.0.1", port(to), "", "0", "30000", "KEYS"),
                Stream.of(keys))
            .toArray(String[]::new));
  }

  @Test
  void filter_toRedisWithoutTheModule_staysAndTheErrorIsTold() {
    server.call("BF.ADD", "b", "item");
    assertThat(server.call("MIGRATE", "127.0.0.1", port(redis), "b", "0", "5000"))
        .isEqualTo(
            new Reply.Failure("ERR Target instance replied with error: ERR Bad data format"));
    assertThat(server.call("BF.EXISTS", "b", "item").asLong()).isOne();
  }

  @Test
  void filter_toAnotherPorteiro_moves() {
    try (ServerProcess other = ServerProcess.started()) {
      server.call("BF.RESERVE", "b", "0.001", "1000000");
      server.call("BF.ADD", "b", "item");
      assertThat(move(server, other, "b")).isEqualTo(OK);
      assertThat(server.call("EXISTS", "b").asLong()).isZero();
      assertThat(other.call("BF.EXISTS", "b", "item").asLong()).isOne();
    }
  }

  @Test
  void insideTransaction_isRefusedAndChangesNothing() {
    server.call("SET", "a", "1");
    try (RawConnection connection = server.connect()) {
      connection.call("MULTI");
      connection.call("MIGRATE", "127.0.0.1", port(target), "a", "0", "1000");
      assertThat(connection.call("EXEC").toString())
          .contains("'migrate' is not allowed inside a transaction");
    }
    assertThat(server.call("GET", "a").asBytes()).isEqualTo("1");
  }

  // ------------------------------------------------------------------ a target that the test plays

  /** A server that answers each command with OK, when it is told to. */
  private static final class PlayedTarget implements AutoCloseable {
    private final ServerSocket listening;
    private @Nullable Socket socket;
    private @Nullable BufferedReader in;

    PlayedTarget() throws IOException {
      listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    void accept() throws IOException {
      Socket accepted = listening.accept();
      accepted.setSoTimeout(30_000);
      socket = accepted;
      in =
          new BufferedReader(
              new InputStreamReader(accepted.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    /** The words of the next command; payloads here hold no line ends. */
    List<String> command() throws IOException {
      BufferedReader in = Objects.requireNonNull(this.in);
      int count = length(in);
      List<String> words = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        char[] word = new char[length(in)];
        for (int done = 0; done < word.length; ) {
          done += in.read(word, done, word.length - done);
        }
        in.readLine();
        words.add(new String(word));
      }
      return words;
    }

    /** The number after the type of a line that tells a count or a length. */
    private static int length(BufferedReader in) throws IOException {
      return Integer.parseInt(Objects.requireNonNull(in.readLine()).substring(1));
    }

    void answer(String line) throws IOException {
      Socket socket = Objects.requireNonNull(this.socket);
      socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    void migrating(RawConnection connection, String key) throws IOException {
      connection.send(
          "MIGRATE", "127.0.0.1", Integer.toString(listening.getLocalPort()), key, "0", "20000");
      accept();
      assertThat(command()).containsExactly("SELECT", "0");
      answer("+OK");
    }

    /** Ends before it has answered. */
    void die() throws IOException {
      close();
    }

    @Override
    public void close() throws IOException {
      if (socket != null) {
        socket.close();
      }
      listening.close();
    }
  }

  @Test
  void keyChangedWhileItIsSent_isSentAgainAndThenDeleted() throws IOException {
    server.call("SET", "k", "old");
    try (PlayedTarget played = new PlayedTarget();
        RawConnection connection = server.connect().patience(Duration.ofSeconds(30))) {
      played.migrating(connection, "k");
      assertThat(played.command())
          .hasSize(4)
          .contains("k", "0")
          .element(3)
          .asString()
          .contains("old");
      assertThat(server.call("APPEND", "k", "+new").asLong()).isEqualTo(7);
      played.answer("+OK");
      assertThat(played.command())
          .hasSize(5)
          .contains("k", "REPLACE")
          .element(3)
          .asString()
          .contains("old+new");
      assertThat(server.call("EXISTS", "k").asLong()).isOne();
      played.answer("+OK");
      assertThat(connection.read()).isEqualTo(OK);
      assertThat(server.call("EXISTS", "k").asLong()).isZero();
    }
  }

  @Test
  void keyDeletedWhileItIsSent_isDeletedThereToo() throws IOException {
    server.call("SET", "k", "v");
    try (PlayedTarget played = new PlayedTarget();
        RawConnection connection = server.connect().patience(Duration.ofSeconds(30))) {
      played.migrating(connection, "k");
      played.command();
      assertThat(server.call("DEL", "k").asLong()).isOne();
      played.answer("+OK");
      assertThat(played.command()).containsExactly("DEL", "k");
      played.answer(":1");
      assertThat(connection.read()).isEqualTo(OK);
    }
  }

  @Test
  void keyThatAlwaysChanges_staysAndTheErrorSaysSo() throws IOException {
    server.call("SET", "k", "0");
    try (PlayedTarget played = new PlayedTarget();
        RawConnection connection = server.connect().patience(Duration.ofSeconds(30))) {
      played.migrating(connection, "k");
      for (int round = 0; round < 16; round++) {
        played.command();
        server.call("INCR", "k");
        played.answer("+OK");
      }
      assertThat(connection.read().toString()).contains("Keys changed faster than they could be");
      assertThat(server.call("GET", "k").asBytes()).isEqualTo("16");
    }
  }

  @Test
  void targetThatDiesBeforeItsReply_leavesTheKeyHere() throws IOException {
    server.call("SET", "k", "v");
    try (PlayedTarget played = new PlayedTarget();
        RawConnection connection = server.connect().patience(Duration.ofSeconds(30))) {
      played.migrating(connection, "k");
      played.command();
      played.die();
      assertThat(connection.read())
          .isEqualTo(new Reply.Failure("IOERR error or timeout reading to target instance"));
      assertThat(server.call("GET", "k").asBytes()).isEqualTo("v");
    }
  }

  @Test
  void targetThatNeverAnswers_holdsUpNobodyElse_andTimesOut() throws IOException {
    server.call("SET", "k", "v");
    try (PlayedTarget played = new PlayedTarget();
        RawConnection waiting = server.connect().patience(Duration.ofSeconds(30));
        RawConnection other = server.connect()) {
      long begun = System.nanoTime();
      waiting.send(
          "MIGRATE",
          "127.0.0.1",
          Integer.toString(played.listening.getLocalPort()),
          "k",
          "0",
          "1500");
      for (int i = 0; i < 100; i++) {
        assertThat(other.call("PING")).isEqualTo(PONG);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(1500));
      assertThat(waiting.read())
          .isEqualTo(new Reply.Failure("IOERR error or timeout reading to target instance"));
      assertThat(server.call("GET", "k").asBytes()).isEqualTo("v");
      assertThat(waiting.call("PING")).isEqualTo(PONG);
    }
  }

  // ------------------------------------------------------------------ encrypted

  @Test
  void withTlsCluster_movesOverTls(@TempDir Path files) {
    Authority authority = new Authority(files);
    Authority.Issued identity = authority.issue("server");
    String[] options = {
      "--tls-cluster", "yes",
      "--tls-cert-file", identity.certificate().toString(),
      "--tls-key-file", identity.key().toString(),
      "--tls-ca-cert-file", authority.certificate().toString()
    };
    int tlsPort = RespProcess.freePort();
    try (ServerProcess from = ServerProcess.started(options);
        ServerProcess to = ServerProcess.prepared(options)) {
      to.start("--tls-port", Integer.toString(tlsPort));
      from.call("BF.ADD", "b", "item");
      assertThat(from.call("MIGRATE", "127.0.0.1", Integer.toString(tlsPort), "b", "0", "20000"))
          .isEqualTo(OK);
      assertThat(to.call("BF.EXISTS", "b", "item").asLong()).isOne();
      assertThat(from.call("EXISTS", "b").asLong()).isZero();
    }
  }
}
