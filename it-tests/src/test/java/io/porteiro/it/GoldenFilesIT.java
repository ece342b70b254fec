package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.porteiro.it.golden.GoldenCheck;
import io.porteiro.it.golden.GoldenFile;
import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.RespProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that real servers wrote mean here what they meant there, and broken ones are refused. */
class GoldenFilesIT {
  static List<GoldenFile> rdbFiles() {
    return Stream.of("rdb-r70", "rdb-r79")
        .flatMap(kind -> GoldenFile.all(kind).stream())
        .filter(file -> !file.name().equals("other-types"))
        .toList();
  }

  static List<GoldenFile> fullestRdbFiles() {
    return List.of(GoldenFile.of("rdb-r70", "plain"), GoldenFile.of("rdb-r79", "bloom"));
  }

  static List<GoldenFile> redisRdbFiles() {
    return GoldenFile.all("rdb-r70");
  }

  static List<GoldenFile> soundRdbFiles() {
    return brokenOrSound(true);
  }

  static List<GoldenFile> brokenRdbFiles() {
    return brokenOrSound(false).stream()
        .filter(file -> !file.name().equals("module-unknown")) // sound, but of a type we lack
        .toList();
  }

  private static List<GoldenFile> brokenOrSound(boolean sound) {
    return GoldenFile.all("rdb-broken").stream()
        .filter(file -> peer(file).get("starts").getAsBoolean() == sound)
        .toList();
  }

  private static JsonObject peer(GoldenFile file) {
    return file.description().getAsJsonObject("peer");
  }

  // ------------------------------------------------------------------ payloads and chunks

  @TestFactory
  Stream<DynamicTest> payloads_restored_holdWhatWasDumped() {
    ServerProcess server = ServerProcess.started();
    return restoreTests(server, GoldenFile.all("dump")).onClose(server::close);
  }

  @TestFactory
  Stream<DynamicTest> chunks_loaded_giveTheSameFilter() {
    ServerProcess server = ServerProcess.started();
    return restoreTests(server, GoldenFile.all("scandump")).onClose(server::close);
  }

  /** Tests the comparison itself: a real Redis holds what its own payloads say. */
  @TestFactory
  Stream<DynamicTest> payloads_restoredByRedis_holdWhatWasDumped() {
    RedisProcess redis = RedisProcess.started();
    List<GoldenFile> own =
        GoldenFile.all("dump").stream().filter(file -> file.name().endsWith("r70")).toList();
    return restoreTests(redis, own).onClose(redis::close);
  }

  private static Stream<DynamicTest> restoreTests(RespProcess server, List<GoldenFile> files) {
    return files.stream()
        .map(file -> DynamicTest.dynamicTest(file.name(), () -> restoreAndCheck(server, file)));
  }

  private static void restoreAndCheck(RespProcess server, GoldenFile file) {
    try (GoldenCheck check = new GoldenCheck(server.port())) {
      check.restore(file);
      check.check(file);
    }
  }

  // ------------------------------------------------------------------ snapshot files

  @ParameterizedTest
  @MethodSource("rdbFiles")
  void rdbFile_atStart_holdsWhatWasSaved(GoldenFile file) throws IOException {
    try (ServerProcess server = ServerProcess.prepared()) {
      startAndCheck(server, file);
    }
  }

  @ParameterizedTest
  @MethodSource("redisRdbFiles")
  void rdbFile_atStartOfRedis_holdsWhatWasSaved(GoldenFile file) throws IOException {
    try (RedisProcess redis = RedisProcess.prepared()) {
      startAndCheck(redis, file);
    }
  }

  /** Written and read again by us: nothing is lost or changed on the way. */
  @ParameterizedTest
  @MethodSource("fullestRdbFiles")
  void rdbFile_savedAgainAndRestarted_holdsWhatWasSaved(GoldenFile file) throws IOException {
    try (ServerProcess server = ServerProcess.prepared()) {
      Files.copy(file.data(), server.rdbFile());
      server.start();
      assertThat(server.call("SAVE")).isEqualTo(new Reply.Simple("OK"));
      server.kill();
      server.start();
      check(server, file);
    }
  }

  private static void startAndCheck(RespProcess server, GoldenFile file) throws IOException {
    Files.copy(file.data(), server.rdbFile());
    server.start();
    check(server, file);
  }

  private static void check(RespProcess server, GoldenFile file) {
    try (GoldenCheck check = new GoldenCheck(server.port())) {
      check.check(file);
    }
  }

  @Test
  void rdbFile_withTypesWeDoNotHave_isRefusedAndNamesTheFirst() throws IOException {
    GoldenFile file = GoldenFile.of("rdb-r79", "other-types");
    try (ServerProcess server = ServerProcess.prepared()) {
      Files.copy(file.data(), server.rdbFile());
      assertThat(server.startExpectingExit()).isEqualTo(1);
      assertThat(server.log()).contains("dump.rdb", "rdb-load-unsupported-types");
      assertThat(server.rdbFile()).hasSameBinaryContentAs(file.data());
    }
  }

  @Test
  void rdbFile_withAnUnknownModule_isRefusedAndNamesKeyAndType() throws IOException {
    GoldenFile file = GoldenFile.of("rdb-broken", "module-unknown");
    try (ServerProcess server = ServerProcess.prepared()) {
      Files.copy(file.data(), server.rdbFile());
      assertThat(server.startExpectingExit()).isEqualTo(1);
      assertThat(server.log()).contains("dump.rdb", "key \"b\"", "VVVVVVVVV");
      assertThat(server.rdbFile()).hasSameBinaryContentAs(file.data());
    }
  }

  @Test
  void rdbFile_withTypesWeDoNotHaveAndSkip_loadsTheRest() throws IOException {
    try (ServerProcess server = ServerProcess.prepared("--rdb-load-unsupported-types", "skip")) {
      startAndCheck(server, GoldenFile.of("rdb-r79", "other-types"));
    }
  }

  // ------------------------------------------------------------------ broken files

  @ParameterizedTest
  @MethodSource("brokenRdbFiles")
  void brokenRdbFile_atStart_isRefusedWithNameAndPlace(GoldenFile file) throws IOException {
    try (ServerProcess server = ServerProcess.prepared()) {
      Files.copy(file.data(), server.rdbFile());
      assertThat(server.startExpectingExit()).as(server.log()).isEqualTo(1);
      assertThat(server.log()).contains("dump.rdb").containsPattern("offset \\d+");
      assertThat(server.rdbFile()).hasSameBinaryContentAs(file.data());
    }
  }

  @ParameterizedTest
  @MethodSource("soundRdbFiles")
  void oddButSoundRdbFile_atStart_isLoaded(GoldenFile file) throws IOException {
    try (ServerProcess server = ServerProcess.prepared()) {
      Files.copy(file.data(), server.rdbFile());
      server.start();
      assertThat(server.call("DBSIZE").asLong()).isEqualTo(peer(file).get("dbsize").getAsLong());
      assertThat(server.call("GET", "a").asBytes()).isEqualTo("first");
      assertThat(server.call("GET", "z").asBytes()).isEqualTo("last");
      assertThat(positivesOf80(server)).isEqualTo(peer(file).get("bf_positives_of_80").getAsLong());
    }
  }

  private static long positivesOf80(ServerProcess server) {
    String[] command = new String[82];
    command[0] = "BF.MEXISTS";
    command[1] = "b";
    for (int i = 0; i < 80; i++) {
      command[i + 2] = "i:" + i;
    }
    return server.call(command).asList().stream().mapToLong(Reply::asLong).sum();
  }
}
