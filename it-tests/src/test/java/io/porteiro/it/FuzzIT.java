package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.conformance.Notation;
import io.porteiro.it.fuzz.DumpChecksum;
import io.porteiro.it.fuzz.Mutator;
import io.porteiro.it.fuzz.RandomCommands;
import io.porteiro.it.golden.GoldenFile;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whatever is sent gets an answer or a closed connection; the process lives, its memory stays
 * bounded, and nothing is left behind by what was refused.
 */
class FuzzIT {
  private static final Reply PONG = new Reply.Simple("PONG");
  private static final long MIB = 1 << 20;
  private static final long MAX_RESIDENT = 900 * MIB;
  private static final Duration QUIET = Duration.ofMillis(5);

  /** Commands that answer once and leave connection and server as they are. */
  private static final List<String> COMMANDS =
      List.of(
          "BF.RESERVE",
          "BF.ADD",
          "BF.MADD",
          "BF.INSERT",
          "BF.EXISTS",
          "BF.MEXISTS",
          "BF.INFO",
          "BF.CARD",
          "BF.SCANDUMP",
          "BF.LOADCHUNK",
          "BF.DEBUG",
          "PFADD",
          "PFCOUNT",
          "PFMERGE",
          "PFDEBUG",
          "SET",
          "GET",
          "GETSET",
          "GETDEL",
          "GETEX",
          "SETNX",
          "SETEX",
          "PSETEX",
          "MGET",
          "MSET",
          "MSETNX",
          "STRLEN",
          "APPEND",
          "GETRANGE",
          "SETRANGE",
          "INCR",
          "INCRBY",
          "DECR",
          "DECRBY",
          "INCRBYFLOAT",
          "DEL",
          "UNLINK",
          "EXISTS",
          "TYPE",
          "TOUCH",
          "EXPIRE",
          "PEXPIRE",
          "EXPIREAT",
          "PEXPIREAT",
          "TTL",
          "PTTL",
          "EXPIRETIME",
          "PEXPIRETIME",
          "PERSIST",
          "RENAME",
          "RENAMENX",
          "COPY",
          "MOVE",
          "KEYS",
          "SCAN",
          "RANDOMKEY",
          "DBSIZE",
          "OBJECT ENCODING",
          "OBJECT REFCOUNT",
          "OBJECT FREQ",
          "OBJECT",
          "MEMORY USAGE",
          "MEMORY",
          "DUMP",
          "RESTORE",
          "PING",
          "ECHO",
          "COMMAND INFO",
          "COMMAND DOCS",
          "COMMAND GETKEYS",
          "COMMAND",
          "INFO",
          "CONFIG GET",
          "TIME",
          "LASTSAVE",
          "NOSUCH",
          "CLIENT SETNAME",
          "CLIENT GETNAME",
          "CLIENT LIST",
          "CLIENT INFO",
          "CLIENT ID",
          "SWAPDB",
          "FLUSHDB",
          "WATCH",
          "UNWATCH");

  private final long seed = Long.getLong("porteiro.fuzz.seed", 20261130);
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Mutator mutator = new Mutator(random);
  private ServerProcess server;

  @BeforeEach
  void start() {
    server = ServerProcess.started("--maxmemory", "256mb", "--proto-max-bulk-len", "64mb");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void assertWell() {
    assertThat(server.isAlive()).as("alive; seed %d; log:\n%s", seed, server.log()).isTrue();
    assertThat(server.call("PING")).as("seed %d", seed).isEqualTo(PONG);
    assertThat(server.peakResidentBytes()).as("seed %d", seed).isLessThan(MAX_RESIDENT);
    assertThat(server.log()).as("seed %d", seed).doesNotContain("internal error", "Exception");
  }

  /** What refused input took must be given back: an empty server uses what it used at the start. */
  private void assertNothingLeaked(long usedBefore) {
    server.call("FLUSHALL");
    assertThat(usedMemory()).as("seed %d", seed).isLessThan(usedBefore + 8 * MIB);
  }

  private long usedMemory() {
    return server
        .call("INFO", "memory")
        .asBytes()
        .lines()
        .filter(line -> line.startsWith("used_memory:"))
        .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length()).strip()))
        .findFirst()
        .orElseThrow();
  }

  // ------------------------------------------------------------------ commands

  @Test
  void commands_withEveryKindOfArgument_areAnsweredOneByOne() {
    long used = usedMemory();
    RandomCommands commands = new RandomCommands(random, COMMANDS);
    try (RawConnection connection = server.connect().patience(Duration.ofSeconds(30))) {
      for (int i = 0; i < 30_000; i++) {
        String[] command = commands.next();
        Reply reply = connection.call(command);
        assertThat(reply)
            .as("%s; seed %d", Arrays.toString(command), seed)
            .isNotIn(Reply.Special.CLOSED, Reply.Special.TIMEOUT)
            .isNotEqualTo(new Reply.Failure("ERR internal error"));
      }
    }
    assertWell();
    assertNothingLeaked(used);
  }

  // ------------------------------------------------------------------ frames

  @Test
  void frames_damagedAnywhere_areAnsweredOrClosed() {
    RandomCommands commands = new RandomCommands(random, COMMANDS);
    for (int round = 0; round < 1500; round++) {
      StringBuilder frames = new StringBuilder();
      for (int i = random.nextInt(1, 6); i > 0; i--) {
        frames.append(RawConnection.encode(commands.next()));
      }
      sendInPieces(mutator.mutate(frames.toString()));
    }
    assertWell();
  }

  @Test
  void bytes_withoutAnySense_areAnsweredOrClosed() {
    for (int round = 0; round < 500; round++) {
      StringBuilder bytes = new StringBuilder();
      for (int i = random.nextInt(1, 2000); i > 0; i--) {
        bytes.append(random.nextInt(4) == 0 ? noise() : (char) random.nextInt(256));
      }
      sendInPieces(bytes.toString());
    }
    assertWell();
  }

  private char noise() {
    return "*$\r\n0123456789-+:".charAt(random.nextInt(17));
  }

  private void sendInPieces(String bytes) {
    try (RawConnection connection = server.connect()) {
      int from = 0;
      while (from < bytes.length() && !connection.closedByPeer()) {
        int to = Math.min(bytes.length(), from + random.nextInt(1, bytes.length() + 1));
        connection.sendBytes(bytes.substring(from, to));
        from = to;
      }
      connection.fill(QUIET);
    }
  }

  // ------------------------------------------------------------------ payloads

  @Test
  void restore_ofDamagedPayloadsWithARightChecksum_refusesOrRestoresWhole() {
    List<String> payloads =
        GoldenFile.all("dump").stream()
            .filter(file -> !file.name().startsWith("bad-"))
            .map(file -> DumpChecksum.withoutTrailer(file.bytes(file.text("file"))))
            .toList();
    long used = usedMemory();
    try (RawConnection connection = server.connect().patience(Duration.ofSeconds(30))) {
      for (int round = 0; round < 6000; round++) {
        String payload = DumpChecksum.seal(mutator.mutate(pick(payloads)));
        restoreAndUse(connection, payload);
      }
    }
    assertWell();
    assertNothingLeaked(used);
  }

  private void restoreAndUse(RawConnection connection, String payload) {
    Reply reply = connection.call("RESTORE", "r", "0", payload);
    boolean refused = reply instanceof Reply.Failure;
    assertThat(reply)
        .as("%s; seed %d", Notation.lines(new Reply.Bulk(payload)), seed)
        .isIn(
            new Reply.Simple("OK"),
            new Reply.Failure("ERR Bad data format"),
            new Reply.Failure("OOM command not allowed when used memory > 'maxmemory'."));
    assertThat(connection.call("EXISTS", "r").asLong()).isEqualTo(refused ? 0 : 1);
    if (!refused) {
      use(connection, "r");
    }
  }

  /** What was taken in must be usable, or refused again, by every command that reads it. */
  private void use(RawConnection connection, String key) {
    for (String[] command :
        new String[][] {
          {"BF.EXISTS", key, "a"},
          {"BF.ADD", key, "fuzz" + random.nextInt()},
          {"BF.MADD", key, "a", "b", "c"},
          {"BF.INFO", key},
          {"BF.DEBUG", key},
          {"BF.SCANDUMP", key, "0"},
          {"BF.SCANDUMP", key, "1"},
          {"PFCOUNT", key},
          {"PFADD", key, "fuzz" + random.nextInt()},
          {"PFMERGE", "other", key},
          {"PFDEBUG", "DECODE", key},
          {"PFDEBUG", "GETREG", key},
          {"PFCOUNT", key, "other"},
          {"APPEND", key, "x"},
          {"DUMP", key},
          {"MEMORY", "USAGE", key},
          {"OBJECT", "ENCODING", key},
          {"DEL", key, "other"}
        }) {
      assertThat(connection.call(command))
          .as("%s; seed %d", Arrays.toString(command), seed)
          .isNotIn(Reply.Special.CLOSED, Reply.Special.TIMEOUT)
          .isNotEqualTo(new Reply.Failure("ERR internal error"));
    }
  }

  @Test
  void loadchunk_ofDamagedHeaders_refusesOrLoadsWhole() {
    List<String> headers =
        List.of("small", "grown", "nonscaling").stream()
            .map(name -> GoldenFile.of("scandump", name).bytes(name + ".0.bin"))
            .toList();
    long used = usedMemory();
    try (RawConnection connection = server.connect().patience(Duration.ofSeconds(30))) {
      for (int round = 0; round < 6000; round++) {
        loadAndUse(connection, mutator.mutate(pick(headers)));
      }
    }
    assertWell();
    assertNothingLeaked(used);
  }

  private void loadAndUse(RawConnection connection, String header) {
    Reply reply = connection.call("BF.LOADCHUNK", "f", "1", header);
    boolean refused = reply instanceof Reply.Failure;
    assertThat(connection.call("EXISTS", "f").asLong())
        .as("%s; seed %d", Notation.lines(new Reply.Bulk(header)), seed)
        .isEqualTo(refused ? 0 : 1);
    if (!refused) {
      String iterator = Integer.toString(random.nextInt(-2, 400));
      connection.call("BF.LOADCHUNK", "f", iterator, "x".repeat(random.nextInt(200)));
      use(connection, "f");
    }
  }

  @Test
  void hyperLogLogs_damagedInPlace_areRefusedOrCounted() {
    List<String> values = hyperLogLogs();
    try (RawConnection connection = server.connect().patience(Duration.ofSeconds(30))) {
      for (int round = 0; round < 6000; round++) {
        connection.call("SET", "h", mutator.mutate(pick(values)));
        use(connection, "h");
      }
    }
    assertWell();
  }

  private List<String> hyperLogLogs() {
    server.call("PFADD", "empty");
    server.call("PFADD", "few", "a", "b", "c");
    server.call("PFADD", "counted", "a", "b", "c", "d");
    server.call("PFCOUNT", "counted");
    server.call("PFADD", "dense", "a");
    server.call("PFDEBUG", "TODENSE", "dense");
    List<String> values =
        List.of("empty", "few", "counted", "dense").stream()
            .map(key -> server.call("GET", key).asBytes())
            .toList();
    server.call("FLUSHALL");
    return values;
  }

  private String pick(List<String> list) {
    return list.get(random.nextInt(list.size()));
  }
}
