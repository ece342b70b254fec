package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.command.Persistence.BackgroundSave;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.persistence.log.Disk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotPersistenceTest {
  private static final long FAR_MS = 4_102_444_800_000L;

  @TempDir Path directory;

  private final TestKeyspace data = new TestKeyspace();
  private final TestKeyspace again = new TestKeyspace();
  private ServerConfig config = new ServerConfig();
  private Path file = Path.of("dump.rdb");

  @BeforeEach
  void configure() {
    config = ServerConfig.of("dir", directory.toString());
    file = directory.resolve("dump.rdb");
  }

  @AfterEach
  void close() {
    data.close();
    again.close();
  }

  private SnapshotPersistence persistence(TestKeyspace keyspace) {
    return new SnapshotPersistence(keyspace.keyspace, config, InstantSource.system(), Disk.SYSTEM);
  }

  private SnapshotPersistence loaded(TestKeyspace keyspace) throws IOException {
    SnapshotPersistence persistence = persistence(keyspace);
    persistence.load();
    return persistence;
  }

  private static @Nullable String save(SnapshotPersistence persistence) throws Exception {
    CompletableFuture<String> done = new CompletableFuture<>();
    assertThat(persistence.save(error -> done.complete(error == null ? "" : error))).isTrue();
    String error = done.get(20, TimeUnit.SECONDS);
    return error.isEmpty() ? null : error;
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream in = SnapshotPersistenceTest.class.getResourceAsStream("/golden/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  /** Everything in the directory but the lock file. */
  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(name -> !name.endsWith(".lock"))
          .toList();
    }
  }

  @Test
  void load_noFile_startsEmpty() throws IOException {
    SnapshotPersistence persistence = persistence(data);
    assertThat(persistence.isLoading()).isTrue();
    persistence.load();
    assertThat(persistence.isLoading()).isFalse();
    assertThat(data.contents()).isEmpty();
  }

  @Test
  void save_thenLoad_isTheSame() throws Exception {
    SnapshotPersistence persistence = loaded(data);
    data.set(0, "text", "some text");
    data.set(0, "number", "-123456789012");
    data.set(3, "expiring", "soon", FAR_MS);
    data.set(15, "", "empty key");
    assertThat(save(persistence)).isNull();
    assertThat(files()).containsExactly("dump.rdb");
    loaded(again);
    assertThat(again.contents()).hasSize(4).isEqualTo(data.contents());
  }

  @Test
  void load_expiredKeys_areLeftOut() throws Exception {
    SnapshotPersistence persistence = loaded(data);
    data.set(0, "past", "x", 1000);
    data.set(0, "future", "x", FAR_MS);
    assertThat(save(persistence)).isNull();
    SnapshotPersistence second = loaded(again);
    assertThat(again.contents()).containsOnlyKeys("0:future");
    assertThat(info(second))
        .contains("rdb_last_load_keys_expired:1\r\n")
        .contains("rdb_last_load_keys_loaded:1\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "bad-magic, not an RDB file",
    "bloom-wrong-hashes, key \"b\"",
    "cut-before-checksum, unexpected end",
    "cut-before-eof, unexpected end",
    "cut-in-aux, unexpected end",
    "cut-in-bloom, key \"b\"",
    "cut-in-checksum, unexpected end",
    "cut-in-hll, key \"h\"",
    "cut-in-key, unexpected end",
    "empty-file, unexpected end",
    "flip-bloom-bits, wrong checksum",
    "flip-checksum, wrong checksum",
    "flip-type-byte, type 99",
    "flip-value, wrong checksum",
    "magic-only, unexpected end",
    "module-unknown, VVVVVVVVV",
    "version-future, version 0099",
    "version-zero, version 0000"
  })
  void load_brokenFile_isRefusedByNameAndLeftAsItIs(String name, String reason) throws Exception {
    byte[] broken = golden("rdb-broken/" + name + ".rdb");
    Files.write(file, broken);
    SnapshotPersistence persistence = persistence(data);
    assertThatThrownBy(persistence::load)
        .isInstanceOf(LoadException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(reason);
    assertThat(persistence.isLoading()).isTrue();
    assertThat(save(persistence)).isNotNull();
    assertThat(Files.readAllBytes(file)).isEqualTo(broken);
  }

  @Test
  void load_foreignTypes_refusesWithTheFirstAndTheirNumber() throws IOException {
    Files.write(file, golden("rdb-r79/other-types.rdb"));
    assertThatThrownBy(() -> loaded(data))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("14 keys")
        .hasMessageMatching("(?s).*key \"\\w+\" in database 0 has the type \\S+, the first.*");
  }

  @Test
  void load_foreignTypesToBeSkipped_loadsTheRest() throws IOException {
    config = ServerConfig.of("dir", directory.toString(), "rdb-load-unsupported-types", "skip");
    Files.write(file, golden("rdb-r79/other-types.rdb"));
    loaded(data);
    assertThat(data.contents())
        .containsOnlyKeys("0:a", "0:h", "0:e", "0:bloom", "0:zz-after-all")
        .containsEntry("0:zz-after-all", "still readable");
  }

  @Test
  void load_moreDatabasesThanConfigured_isRefused() throws IOException {
    Files.write(file, golden("rdb-r70/plain.rdb"));
    TestKeyspace few = new TestKeyspace(9);
    assertThatThrownBy(() -> persistence(few).load())
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("database 9");
    few.close();
  }

  @Test
  void save_directoryGone_failsAndLeavesNothing() throws Exception {
    Path gone = Files.createDirectory(directory.resolve("gone"));
    config = ServerConfig.of("dir", gone.toString());
    SnapshotPersistence persistence = loaded(data);
    Files.delete(gone);
    assertThat(save(persistence)).contains("gone");
    assertThat(persistence.writeRefusal()).as("only background saves refuse writes").isNull();
  }

  /** A directory in the place of the file makes the last step fail. */
  @Test
  void backgroundSave_fails_keepsWhatIsThereAndRefusesWrites() throws Exception {
    SnapshotPersistence persistence = loaded(data);
    Files.createDirectories(file.resolve("occupied"));
    assertThat(persistence.backgroundSave(false)).isEqualTo(BackgroundSave.STARTED);
    awaitBackground(persistence);
    assertThat(persistence.writeRefusal()).startsWith("MISCONF ");
    assertThat(info(persistence)).contains("rdb_last_bgsave_status:err\r\n");
    assertThat(files()).containsExactly("dump.rdb");
    Files.delete(file.resolve("occupied"));
    Files.delete(file);
    assertThat(persistence.backgroundSave(false)).isEqualTo(BackgroundSave.STARTED);
    awaitBackground(persistence);
    assertThat(persistence.writeRefusal()).isNull();
    assertThat(info(persistence)).contains("rdb_last_bgsave_status:ok\r\n");
  }

  @Test
  void writeRefusal_withoutSavePointsOrTheSetting_isNone() throws Exception {
    SnapshotPersistence persistence = loaded(data);
    Files.createDirectories(file.resolve("occupied"));
    persistence.backgroundSave(false);
    awaitBackground(persistence);
    config.set(List.of("stop-writes-on-bgsave-error", "no"), true);
    assertThat(persistence.writeRefusal()).isNull();
    config.set(List.of("stop-writes-on-bgsave-error", "yes", "save", ""), true);
    assertThat(persistence.writeRefusal()).isNull();
  }

  /** A save that a client waits for holds the thread, so that the background one stays pending. */
  @Test
  void backgroundSave_whileOneRuns_isRefusedAndSoIsSave() throws Exception {
    SnapshotPersistence persistence = loaded(data);
    CountDownLatch release = new CountDownLatch(1);
    persistence.save(_ -> await(release));
    assertThat(persistence.backgroundSave(false)).isEqualTo(BackgroundSave.STARTED);
    assertThat(info(persistence)).contains("rdb_bgsave_in_progress:1\r\n");
    assertThat(persistence.backgroundSave(false)).isEqualTo(BackgroundSave.ALREADY_RUNNING);
    assertThat(persistence.backgroundSave(true)).isEqualTo(BackgroundSave.ALREADY_RUNNING);
    assertThat(persistence.save(_ -> {})).isFalse();
    release.countDown();
    awaitBackground(persistence);
    assertThat(info(persistence))
        .contains("rdb_saves:2\r\n")
        .contains("rdb_current_bgsave_time_sec:-1\r\n");
  }

  @Test
  void stop_givesUpTheBackgroundSaveAndSaveStillWorks() throws Exception {
    SnapshotPersistence persistence = loaded(data);
    data.set(0, "k", "v");
    CountDownLatch saved = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    persistence.save(_ -> {
      saved.countDown();
      await(release);
    });
    persistence.backgroundSave(false);
    await(saved);
    Files.delete(file);
    Thread stopping = Thread.ofPlatform().start(persistence::stop);
    while (stopping.getState() != Thread.State.WAITING) {
      Thread.onSpinWait(); // until the running save is told
    }
    release.countDown();
    stopping.join(20_000);
    assertThat(info(persistence))
        .contains("rdb_bgsave_in_progress:0\r\n")
        .contains("rdb_saves:1\r\n");
    assertThat(files()).isEmpty();
    assertThat(save(persistence)).isNull();
    assertThat(files()).containsExactly("dump.rdb");
  }

  @Test
  void start_savePointReached_saves() throws Exception {
    config = ServerConfig.of("dir", directory.toString(), "save", "1 2");
    SnapshotPersistence persistence = loaded(data);
    persistence.start();
    data.set(0, "a", "1");
    Thread.sleep(2500);
    assertThat(files()).as("one change is not enough").isEmpty();
    data.set(0, "b", "2");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    String saved = "rdb_changes_since_last_save:0\r\n";
    while (!info(persistence).contains(saved) && System.nanoTime() - deadline < 0) {
      Thread.sleep(20);
    }
    persistence.stop();
    assertThat(info(persistence)).contains(saved);
    loaded(again);
    assertThat(again.contents()).isEqualTo(Map.of("0:a", "1", "0:b", "2"));
  }

  @Test
  void reload_savesEmptiesAndLoads() throws Exception {
    SnapshotPersistence persistence = loaded(data);
    data.set(0, "k", "v");
    data.set(5, "e", "v", FAR_MS);
    Map<String, String> before = data.contents();
    CompletableFuture<String> done = new CompletableFuture<>();
    persistence.reload(error -> done.complete(error == null ? "" : error));
    assertThat(done.get(20, TimeUnit.SECONDS)).isEmpty();
    assertThat(data.contents()).isEqualTo(before);
    assertThat(persistence.isLoading()).isFalse();
    assertThat(info(persistence)).contains("rdb_changes_since_last_save:0\r\n");
  }

  @Test
  void appendInfo_beginsWithLoading() throws IOException {
    SnapshotPersistence persistence = persistence(data);
    assertThat(info(persistence)).startsWith("loading:1\r\n");
    persistence.load();
    assertThat(info(persistence)).startsWith("loading:0\r\n");
  }

  private static String info(SnapshotPersistence persistence) {
    StringBuilder info = new StringBuilder();
    persistence.appendInfo(info);
    return info.toString();
  }

  private static void awaitBackground(SnapshotPersistence persistence) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (info(persistence).contains("rdb_bgsave_in_progress:1")) {
      assertThat(System.nanoTime() - deadline).isNegative();
      Thread.sleep(5);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
