package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the process starts, refuses to start, ends, and what it leaves on disk. */
class LifecycleIT {
  private static final Reply OK = new Reply.Simple("OK");
  private static final String SAVE_POINTS = "3600 1";

  // ------------------------------------------------------------------ ending

  @Test
  void sigterm_withSavePoints_savesAndEndsWithZero() {
    try (ServerProcess server = ServerProcess.started("--save", SAVE_POINTS)) {
      server.call("BF.ADD", "b", "item");
      assertThat(server.stop()).isZero();
      server.start();
      assertThat(server.call("BF.EXISTS", "b", "item").asLong()).isOne();
    }
  }

  @Test
  void sigterm_withoutSavePoints_writesNothing() {
    try (ServerProcess server = ServerProcess.started()) {
      server.call("BF.ADD", "b", "item");
      assertThat(server.stop()).isZero();
      assertThat(server.rdbFile()).doesNotExist();
    }
  }

  @Test
  void shutdownNosave_withSavePoints_writesNothing() {
    try (ServerProcess server = ServerProcess.started("--save", SAVE_POINTS)) {
      server.call("SET", "k", "v");
      assertThat(server.call("SHUTDOWN", "NOSAVE")).isEqualTo(Reply.Special.CLOSED);
      assertThat(server.awaitExit()).isZero();
      assertThat(server.rdbFile()).doesNotExist();
    }
  }

  @Test
  void shutdownSave_withoutSavePoints_saves() {
    try (ServerProcess server = ServerProcess.started()) {
      server.call("SET", "k", "v");
      assertThat(server.call("SHUTDOWN", "SAVE")).isEqualTo(Reply.Special.CLOSED);
      assertThat(server.awaitExit()).isZero();
      server.start();
      assertThat(server.call("GET", "k").asBytes()).isEqualTo("v");
    }
  }

  @Test
  void kill_afterSave_keepsWhatWasSavedAndLeavesNoUnfinishedFile() throws IOException {
    try (ServerProcess server = ServerProcess.started()) {
      server.call("SET", "saved", "1");
      assertThat(server.call("SAVE")).isEqualTo(OK);
      server.call("SET", "unsaved", "1");
      server.kill();
      server.start();
      assertThat(server.call("EXISTS", "saved", "unsaved").asLong()).isOne();
      assertThat(filesIn(server.directory()))
          .containsExactlyInAnyOrder("dump.rdb", "dump.rdb.lock", "server.log");
    }
  }

  private static List<String> filesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void save_thatFails_answersAnErrorAndKeepsTheOldFile() throws IOException {
    try (ServerProcess server = ServerProcess.started()) {
      server.call("SET", "k", "v");
      assertThat(server.call("SAVE")).isEqualTo(OK);
      byte[] old = Files.readAllBytes(server.rdbFile());
      obstructTemporaryFile(server);
      server.call("SET", "k", "other");
      assertThat(server.call("SAVE")).isInstanceOf(Reply.Failure.class);
      assertThat(server.call("PING")).isEqualTo(new Reply.Simple("PONG"));
      assertThat(server.rdbFile()).hasBinaryContent(old);
    }
  }

  /** Puts a directory where the new file is to be written: that stops even the superuser. */
  private static void obstructTemporaryFile(ServerProcess server) throws IOException {
    Files.createDirectories(server.directory().resolve("temp-" + server.pid() + ".rdb/inside"));
  }

  // ------------------------------------------------------------------ starting

  @Test
  void commands_whileLoading_areRefusedAndThenServed() {
    try (ServerProcess server = ServerProcess.started()) {
      fillWithBigFilters(server);
      assertThat(server.stop()).isZero();
      server.launch();
      Reply first = firstReply(server);
      server.awaitPong();
      assertThat(first)
          .as("a start that reads 700 MB was expected to take longer than a connection")
          .isEqualTo(new Reply.Failure("LOADING Redis is loading the dataset in memory"));
      assertThat(server.call("BF.EXISTS", "b0", "item").asLong()).isOne();
      assertThat(server.log()).containsIgnoringCase("load");
    }
  }

  /** Some 700 MB of filters, so that loading takes longer than connecting. */
  private static void fillWithBigFilters(ServerProcess server) {
    for (int i = 0; i < 6; i++) {
      server.call("BF.RESERVE", "b" + i, "0.001", "60000000");
      server.call("BF.ADD", "b" + i, "item");
    }
    assertThat(server.call("SAVE")).isEqualTo(OK);
  }

  private static Reply firstReply(ServerProcess server) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (System.nanoTime() < deadline) {
      try (RawConnection connection = RawConnection.open(server.port())) {
        return connection.call("GET", "k");
      } catch (UncheckedIOException _) {
        Thread.onSpinWait(); // not listening yet
      }
    }
    return Reply.Special.TIMEOUT;
  }

  @Test
  void directive_unknown_isRefusedByName() {
    assertRefused("no-such-directive", "--no-such-directive", "1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"maxmemory=lots", "port=70000", "databases=0", "appendonly=maybe"})
  void directive_withABadValue_isRefusedByName(String directive) {
    String[] nameAndValue = directive.split("=", 2);
    assertRefused(nameAndValue[0], "--" + nameAndValue[0], nameAndValue[1]);
  }

  private static void assertRefused(String said, String... arguments) {
    try (ServerProcess server = ServerProcess.prepared()) {
      assertThat(server.startExpectingExit(arguments)).isEqualTo(1);
      assertThat(server.log()).contains(said);
    }
  }

  @Test
  void configFile_givenFirst_isReadAndOverriddenByOptions() throws IOException {
    try (ServerProcess server = ServerProcess.prepared()) {
      Path config = server.directory().resolve("porteiro.conf");
      Files.writeString(config, "# ours\nmaxmemory 100mb\nhll-sparse-max-bytes 100\n");
      server.startWithConfig(config, "--maxmemory", "50mb");
      assertThat(config(server, "maxmemory")).isEqualTo("52428800");
      assertThat(config(server, "hll-sparse-max-bytes")).isEqualTo("100");
    }
  }

  private static String config(ServerProcess server, String name) {
    return server.call("CONFIG", "GET", name).asList().get(1).asBytes();
  }

  @Test
  void port_alreadyTaken_endsWithOneAndSaysSo() {
    try (ServerProcess first = ServerProcess.started();
        ServerProcess second = ServerProcess.prepared()) {
      String taken = Integer.toString(first.port());
      assertThat(second.startExpectingExit("--port", taken)).isEqualTo(1);
      assertThat(second.log()).contains(taken);
    }
  }

  @Test
  void version_askedFor_isPrintedWithoutStarting() {
    try (ServerProcess server = ServerProcess.prepared()) {
      assertThat(server.runAlone("--version")).isZero();
      assertThat(server.log()).containsPattern("v=\\d+\\.\\d+");
    }
  }

  @Test
  void logfile_given_takesTheLines() throws IOException {
    try (ServerProcess server = ServerProcess.started("--logfile", "ours.log")) {
      assertThat(Files.readString(server.directory().resolve("ours.log")))
          .contains("Ready to accept connections");
      assertThat(server.log()).doesNotContain("Ready to accept connections");
    }
  }

  @Test
  void server_withoutData_isSmall() {
    try (ServerProcess server = ServerProcess.started()) {
      assertThat(server.residentBytes()).isLessThan(200L << 20);
    }
  }

  /** What does not fit is passed over without a word; only the start takes longer. */
  @Test
  void start_usesWhatTheBuildMadeForIt() throws IOException {
    try (ServerProcess server = ServerProcess.started()) {
      assertThat(Files.readString(Path.of("/proc/" + server.pid() + "/maps")))
          .contains("porteiro-server.aot")
          .contains("target/native/libnetty");
    }
  }
}
