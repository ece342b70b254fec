package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.persistence.log.FaultyDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogPersistenceTest {
  @TempDir private Path directory;

  private DurableServer server(String... settings) throws IOException {
    return DurableServer.started(directory, settings);
  }

  private Path log(String name) {
    return directory.resolve("appendonlydir").resolve(name);
  }

  /** Everything in the directory but the lock file. */
  private Map<String, String> files() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.toString().endsWith(".lock")) {
          contents.put(
              directory.relativize(file).toString(),
              Files.readString(file, StandardCharsets.ISO_8859_1));
        }
      }
    }
    return contents;
  }

  @Test
  void load_emptyDirectory_makesAnEmptyBaseAndAFile() throws IOException {
    try (DurableServer server = server()) {
      assertThat(server.journal().isActive()).isTrue();
      assertThat(files().keySet())
          .containsExactly(
              "appendonlydir/appendonly.aof.1.base.rdb",
              "appendonlydir/appendonly.aof.1.incr.aof",
              "appendonlydir/appendonly.aof.manifest");
    }
  }

  @Test
  void load_afterCommands_hasWhatTheyDid() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "k", "v");
      server.call("BF.ADD", "f", "item");
      server.call("SELECT", "3");
      server.call("PFADD", "h", "a", "b");
    }
    try (DurableServer server = server()) {
      assertThat(server.call("GET", "k")).isEqualTo("\"v\"");
      assertThat(server.call("BF.EXISTS", "f", "item")).isEqualTo(":1");
      server.call("SELECT", "3");
      assertThat(server.call("PFCOUNT", "h")).isEqualTo(":2");
    }
  }

  /** A gatekeeper that is given the log must not start empty. */
  @Test
  void load_snapshotAndNoLog_becomesTheFirstBase() throws IOException {
    try (DurableServer server = server("appendonly", "no")) {
      server.call("SET", "k", "v");
      server.save();
    }
    try (DurableServer server = server()) {
      assertThat(server.call("GET", "k")).isEqualTo("\"v\"");
    }
    Files.delete(directory.resolve("dump.rdb"));
    try (DurableServer server = server()) {
      assertThat(server.call("GET", "k")).isEqualTo("\"v\"");
    }
  }

  @Test
  void load_cutTail_isCutOffAndTold() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "k", "v");
      server.call("SET", "lost", "v");
    }
    Path file = log("appendonly.aof.1.incr.aof");
    String whole = Files.readString(file);
    Files.writeString(file, whole.substring(0, whole.length() - 3));
    try (DurableServer server = server()) {
      assertThat(server.call("MGET", "k", "lost")).isEqualTo("[\"v\" nil]");
      assertThat(Files.readString(file)).isEqualTo(whole.substring(0, whole.lastIndexOf("*3")));
    }
  }

  /** Redis leaves MULTI in the file, and the next acknowledged write goes into the transaction. */
  @Test
  void load_cutTransaction_isCutOffAsAWhole() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "k", "v");
    }
    Path file = log("appendonly.aof.1.incr.aof");
    String whole = Files.readString(file);
    String open = "*1\r\n$5\r\nMULTI\r\n*3\r\n$3\r\nSET\r\n$1\r\nt\r\n$1\r\n1\r\n";
    for (int length = 1; length <= open.length(); length++) {
      Files.writeString(file, whole + open.substring(0, length));
      try (DurableServer server = server()) {
        assertThat(server.call("MGET", "k", "t")).as("%d bytes", length).isEqualTo("[\"v\" nil]");
      }
      assertThat(Files.readString(file)).startsWith(whole).doesNotContain("MULTI");
    }
  }

  @Test
  void load_cutTailWhereItIsNotAllowed_refusesAndChangesNothing() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "k", "v");
    }
    Files.writeString(log("appendonly.aof.1.incr.aof"), "*3\r\n$3\r\n", StandardOpenOption.APPEND);
    assertRefused("appendonly.aof.1.incr.aof", "aof-load-truncated", "aof-load-truncated", "no");
  }

  private void assertRefused(String file, String reason, String... settings) throws IOException {
    Map<String, String> before = files();
    assertThatThrownBy(() -> server(settings))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining(file)
        .hasMessageContaining(reason);
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void load_missingManifestBesideLogFiles_isRefused() throws IOException {
    server().close();
    Files.delete(log("appendonly.aof.manifest"));
    assertRefused("appendonly.aof.manifest", "appendonly.aof.1.base.rdb");
  }

  @ParameterizedTest
  @ValueSource(strings = {"appendonly.aof.1.base.rdb", "appendonly.aof.1.incr.aof"})
  void load_missingFile_isRefused(String name) throws IOException {
    server().close();
    Files.delete(log(name));
    assertRefused(name, "not there");
  }

  @Test
  void load_cutBase_isRefused() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "k", "v");
      server.rewrite();
    }
    Path base = log("appendonly.aof.2.base.rdb");
    byte[] whole = Files.readAllBytes(base);
    for (int length = 0; length < whole.length; length++) {
      Files.write(base, Arrays.copyOf(whole, length));
      assertRefused("appendonly.aof.2.base.rdb", "");
    }
  }

  /** Flipped bits of a length look like a cut; what is behind them must not be thrown away. */
  @Test
  void load_anyFlippedBit_neverLosesWhatIsBehindSilently() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "first", "1");
      server.call("SET", "second", "2");
    }
    Path file = log("appendonly.aof.1.incr.aof");
    byte[] whole = Files.readAllBytes(file);
    int end = new String(whole, StandardCharsets.ISO_8859_1).lastIndexOf("*3");
    for (int bit = 0; bit < 8 * end; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, damaged);
      try (DurableServer server = server()) {
        assertThat(hasSecond(server)).as("bit %d", bit).isTrue();
      } catch (LoadException e) {
        assertThat(e).hasMessageContaining("appendonly.aof.1.incr.aof");
        assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
      }
    }
  }

  /** In whatever database: a digit of SELECT may be what was flipped. */
  private static boolean hasSecond(DurableServer server) {
    return IntStream.range(0, 16)
        .peek(database -> server.call("SELECT", Integer.toString(database)))
        .anyMatch(_ -> server.call("GET", "second").equals("\"2\""));
  }

  @Test
  void load_singleFileOfOldRedis_isMovedIn() throws IOException {
    String set = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n";
    Files.writeString(
        directory.resolve("appendonly.aof"), "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n" + set);
    try (DurableServer server = server()) {
      assertThat(server.call("GET", "k")).isEqualTo("\"v\"");
      server.call("SET", "l", "w");
    }
    assertThat(files().keySet())
        .containsExactly(
            "appendonlydir/appendonly.aof",
            "appendonlydir/appendonly.aof.1.incr.aof",
            "appendonlydir/appendonly.aof.manifest");
    try (DurableServer server = server()) {
      assertThat(server.call("MGET", "k", "l")).isEqualTo("[\"v\" \"w\"]");
    }
  }

  @Test
  void load_secondServer_isRefused() throws IOException {
    try (DurableServer first = server()) {
      assertThat(first.call("PING")).isEqualTo("+PONG");
      assertThatThrownBy(this::server)
          .isInstanceOf(LoadException.class)
          .hasMessageContaining("another server");
    }
    server().close();
  }

  private static final String[] SAVING = {"appendonly", "no", "save", "3600 1"};

  /** Whichever saved last would be all that is left of both. */
  @Test
  void load_secondServerThatSaves_isRefusedUntilTheFirstEnds() throws IOException {
    try (DurableServer first = server(SAVING)) {
      assertThat(first.call("PING")).isEqualTo("+PONG");
      assertThatThrownBy(() -> server(SAVING))
          .isInstanceOf(LoadException.class)
          .hasMessageContaining("another server");
      server("appendonly", "no", "save", "3600 1", "dbfilename", "other.rdb").close();
    }
    server(SAVING).close();
  }

  /** Test set-ups run many such servers in one folder, and Redis lets them. */
  @Test
  void save_ofServersThatNeverSaveByThemselves_isTheFirstOnesRight() throws IOException {
    try (DurableServer first = server("appendonly", "no");
        DurableServer second = server("appendonly", "no")) {
      first.call("SET", "of", "first");
      first.save();
      second.call("SET", "of", "second");
      assertThatThrownBy(second::save).hasMessageContaining("another server is writing");
      second.configure("dbfilename", "other.rdb");
      second.save();
    }
    try (DurableServer server = server("appendonly", "no")) {
      assertThat(server.call("GET", "of")).isEqualTo("\"first\"");
    }
  }

  /** A later PEXPIREAT may save a key that an earlier one seems to end. */
  @Test
  void load_pastExpiry_holdsOnlyAtTheEnd() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "saved", "v", "PX", "100");
      server.call("PERSIST", "saved");
      server.call("SET", "gone", "v", "PX", "100");
    }
    try (DurableServer server = server()) {
      server.clock().advance(1000);
      assertThat(server.call("MGET", "saved", "gone")).isEqualTo("[\"v\" nil]");
    }
  }

  @Test
  void rewrite_replacesEverything_andDeletesTheOld() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "k", "v");
      server.rewrite();
      server.call("SET", "l", "w");
    }
    assertThat(files().keySet())
        .containsExactly(
            "appendonlydir/appendonly.aof.2.base.rdb",
            "appendonlydir/appendonly.aof.2.incr.aof",
            "appendonlydir/appendonly.aof.manifest");
    try (DurableServer server = server()) {
      assertThat(server.call("MGET", "k", "l")).isEqualTo("[\"v\" \"w\"]");
    }
  }

  /** At every step of a rewrite what is on the disk holds everything. */
  @Test
  void rewrite_failingAtEachStep_losesNothing() throws IOException {
    for (int room = 0; room < 600; room += 30) {
      Path place = Files.createDirectory(directory.resolve("r" + room));
      try (DurableServer server = DurableServer.started(place)) {
        server.call("SET", "k", "v");
        server.awaitReleased();
        server.disk().setRoom(room);
        server.tryRewrite();
        server.disk().setRoom(Long.MAX_VALUE);
        server.awaitWritable();
        server.call("SET", "l", "w");
        server.awaitReleased(); // before that nobody is told of it
      }
      try (DurableServer server = DurableServer.started(place)) {
        assertThat(server.call("MGET", "k", "l")).as("room %d", room).isEqualTo("[\"v\" \"w\"]");
      }
    }
  }

  /** Between any two steps on the disk. */
  @Test
  void rewrite_killedAtEachStep_losesNothing() throws IOException {
    boolean died = true;
    for (int steps = 0; died; steps++) {
      Path place = Files.createDirectory(directory.resolve("k" + steps));
      try (DurableServer server = DurableServer.started(place)) {
        server.call("SET", "k", "v");
        server.awaitReleased();
        server.disk().dieAfter(steps);
        server.tryRewrite();
        died = server.disk().isDead();
      }
      try (DurableServer server = DurableServer.started(place)) {
        assertThat(server.call("GET", "k")).as("%d steps", steps).isEqualTo("\"v\"");
      }
    }
  }

  /** Files without a manifest refuse to start; those of a first start that was killed must not. */
  @Test
  void load_killedAtEachStepOfTheFirstStart_startsNextTime() throws IOException {
    boolean died = true;
    for (int steps = 0; died; steps++) {
      Path place = Files.createDirectory(directory.resolve("f" + steps));
      try (DurableServer server = DurableServer.started(place, "appendonly", "no")) {
        server.call("SET", "k", "v");
        server.save();
      }
      FaultyDisk disk = new FaultyDisk();
      disk.dieAfter(steps);
      startAndEnd(disk, place);
      died = disk.isDead();
      try (DurableServer server = DurableServer.started(place)) {
        assertThat(server.call("GET", "k")).as("%d steps", steps).isEqualTo("\"v\"");
      }
    }
  }

  private static void startAndEnd(FaultyDisk disk, Path place) throws IOException {
    try {
      DurableServer.started(disk, place).close();
    } catch (LoadException e) {
      assertThat(disk.isDead()).isTrue();
    }
  }

  @Test
  void write_diskFull_refusesWritesUntilThereIsRoom() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "k", "1");
      server.awaitReleased();
      server.disk().setRoom(7);
      server.call("SET", "k", "2");
      server.await(server.journal()::isFailing);
      assertThat(server.call("SET", "k", "3"))
          .isEqualTo("-MISCONF Errors writing to the AOF file: No space left on device");
      assertThat(server.call("PING")).startsWith("-MISCONF");
      assertThat(server.call("GET", "k")).isEqualTo("\"2\"");
      assertThat(server.info()).contains("aof_last_write_status:err\r\n");
      server.disk().setRoom(Long.MAX_VALUE);
      server.awaitWritable();
      server.awaitReleased();
      assertThat(server.call("SET", "k", "4")).isEqualTo("+OK");
    }
    assertThat(Files.readString(log("appendonly.aof.1.incr.aof")))
        .isEqualTo("*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n" + set("1") + set("2") + set("4"));
  }

  private static String set(String value) {
    return "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\n" + value + "\r\n";
  }

  /** After a failed sync the kernel may have dropped pages of the file, and never say so again. */
  @Test
  void sync_failingOnce_leadsToANewBase() throws IOException {
    FaultyDisk disk;
    try (DurableServer server = server("appendfsync", "always")) {
      server.call("SET", "k", "1");
      server.awaitReleased();
      server.disk().failSyncs(1);
      server.call("SET", "k", "2");
      server.await(server.journal()::isFailing);
      assertThat(server.call("SET", "k", "3"))
          .isEqualTo("-MISCONF Errors writing to the AOF file: Input/output error");
      server.awaitWritable();
      server.awaitReleased();
      assertThat(log("appendonly.aof.2.base.rdb")).exists(); // older files are being deleted
      disk = server.disk();
    }
    disk.losePower();
    try (DurableServer server = server()) {
      assertThat(server.call("GET", "k")).isEqualTo("\"2\"");
    }
  }

  @Test
  void losePower_always_keepsAllThatWasReleased() throws IOException {
    FaultyDisk disk;
    try (DurableServer server = server("appendfsync", "always")) {
      for (int i = 0; i < 20; i++) {
        server.call("BF.ADD", "f", "item" + i);
        server.awaitReleased();
      }
      disk = server.disk();
    }
    disk.losePower();
    try (DurableServer server = server()) {
      assertThat(server.call("BF.CARD", "f")).isEqualTo(":20");
    }
  }

  @Test
  void configSet_appendonly_endsAndBeginsTheLog() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "k", "1");
      server.configure("appendonly", "no");
      assertThat(server.journal().isActive()).isFalse();
      server.call("SET", "k", "2");
      server.configure("appendonly", "yes");
      server.await(() -> server.info().contains("aof_rewrite_in_progress:0"));
      server.call("SET", "l", "3");
    }
    try (DurableServer server = server()) {
      assertThat(server.call("MGET", "k", "l")).isEqualTo("[\"2\" \"3\"]");
    }
  }

  @Test
  void rewrite_asCommands_holdsTheSame() throws IOException {
    List<String> before;
    try (DurableServer server = server("aof-use-rdb-preamble", "no")) {
      server.call("SET", "text", "a\r\nb");
      server.call("SET", "number", "-17", "PXAT", "4102444800000");
      server.call("SETRANGE", "large", "3000000", "end");
      server.call("PFADD", "h", "a", "b", "c");
      server.call("SELECT", "3");
      server.call("BF.RESERVE", "chain", "0.01", "10", "EXPANSION", "4");
      for (int i = 0; i < 200; i++) {
        server.call("BF.ADD", "chain", "item" + i);
      }
      server.call("BF.RESERVE", "big", "0.001", "3000000", "NONSCALING");
      server.call("BF.MADD", "big", "x", "y");
      before = dumps(server);
      server.rewrite();
      assertThat(files().keySet())
          .containsExactly(
              "appendonlydir/appendonly.aof.2.base.aof",
              "appendonlydir/appendonly.aof.2.incr.aof",
              "appendonlydir/appendonly.aof.manifest");
    }
    assertThat(files().get("appendonlydir/appendonly.aof.2.base.aof"))
        .startsWith("*2\r\n$6\r\nSELECT");
    assertThat(files().get("appendonlydir/appendonly.aof.2.incr.aof")).isEmpty();
    try (DurableServer server = server()) {
      assertThat(dumps(server)).isEqualTo(before);
    }
  }

  private static List<String> dumps(DurableServer server) {
    List<String> dumps = new ArrayList<>();
    for (String key : List.of("0 text", "0 number", "0 large", "0 h", "3 chain", "3 big")) {
      String[] place = key.split(" ", -1);
      server.call("SELECT", place[0]);
      dumps.add(server.call("PEXPIRETIME", place[1]) + " " + server.call("DUMP", place[1]));
    }
    return dumps;
  }

  @Test
  void memoryBytes_countsWhatWaitsForTheDisk() throws IOException {
    try (DurableServer server = server()) {
      long before = server.journal().memoryBytes();
      server.disk().failWrites("full");
      server.call("SET", "k", "v".repeat(1 << 20));
      assertThat(server.journal().memoryBytes() - before).isGreaterThan(1 << 20);
      server.disk().failWrites(null);
      server.await(() -> server.journal().memoryBytes() < 1 << 18);
    }
  }

  @Test
  void timestamps_areWrittenAndPassedOver() throws IOException {
    try (DurableServer server = server("aof-timestamp-enabled", "yes")) {
      server.call("SET", "k", "1");
      server.clock().advance(1000);
      server.call("SET", "k", "2");
    }
    List<String> lines = Files.readAllLines(log("appendonly.aof.1.incr.aof"));
    assertThat(lines.stream().filter(line -> line.startsWith("#TS:"))).hasSize(2);
    try (DurableServer server = server()) {
      assertThat(server.call("GET", "k")).isEqualTo("\"2\"");
    }
  }
}
