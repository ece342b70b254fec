package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.persistence.log.DiskFile;
import io.porteiro.server.persistence.log.FaultyDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is there after the machine has lost its power, and with it what was never synced. */
class PowerLossTest {
  private static final String[] ANSWERED = {":1", ":0"};

  /** A wrong bit makes 9 a 1, a version without a checksum; what follows is read as it is. */
  private static final int AFTER_VERSION = "REDIS0009".length();

  /** One bit of each byte, and not always the same. */
  private static final int BIT_STEP = 9;

  @TempDir private Path directory;
  private final FaultyDisk disk = new FaultyDisk();

  private DurableServer server(String... settings) throws IOException {
    return DurableServer.started(disk, directory, settings);
  }

  private Path log(String name) {
    return directory.resolve("appendonlydir").resolve(name);
  }

  /** By its duplicate, another client learns that an item is there. */
  @Test
  void always_itemThatAnybodyWasToldOf_isThere() throws IOException {
    for (int told = 1; told <= 10; told++) {
      try (DurableServer server = server("appendfsync", "always")) {
        assertThat(server.call("BF.ADD", "f", "item" + told)).isEqualTo(":1");
        assertThat(server.call(told % 2 == 0 ? "BF.ADD" : "BF.EXISTS", "f", "item" + told))
            .isIn((Object[]) ANSWERED);
        server.awaitReleased();
        disk.losePower();
      }
      try (DurableServer server = server()) {
        for (int item = 1; item <= told; item++) {
          assertThat(server.call("BF.EXISTS", "f", "item" + item)).as("%d", item).isEqualTo(":1");
        }
      }
    }
  }

  /** What a killed process wrote is in the kernel only; the next one answers with it at once. */
  @ParameterizedTest
  @ValueSource(strings = {"always", "everysec", "no"})
  void start_afterKill_syncsWhatItLoads(String policy) throws IOException {
    try (DurableServer server = server("appendfsync", "no")) {
      server.call("BF.ADD", "f", "item");
      server.awaitReleased();
    }
    try (DurableServer server = server("appendfsync", policy)) {
      assertThat(server.call("BF.EXISTS", "f", "item")).isEqualTo(":1");
      server.awaitReleased();
      disk.losePower();
    }
    try (DurableServer server = server()) {
      assertThat(server.call("BF.EXISTS", "f", "item")).isEqualTo(":1");
    }
  }

  /** A file that is not the last must be whole after a power failure, or the start refuses. */
  @Test
  void start_afterKillDuringARewrite_syncsAlsoTheFilesBeforeTheLast() throws IOException {
    try (DurableServer server = server("appendfsync", "no")) {
      server.call("SET", "k", "v");
      server.awaitReleased();
    }
    nameAnEmptyNextFile();
    try (DurableServer server = server("appendfsync", "always")) {
      server.call("SET", "l", "w");
      server.awaitReleased();
      disk.losePower();
    }
    try (DurableServer server = server()) {
      assertThat(server.call("MGET", "k", "l")).isEqualTo("[\"v\" \"w\"]");
    }
  }

  private void nameAnEmptyNextFile() throws IOException {
    Files.createFile(log("appendonly.aof.2.incr.aof"));
    try (DiskFile manifest = disk.append(log("appendonly.aof.manifest"))) {
      manifest.write(
          ByteBuffer.wrap(
              "file appendonly.aof.2.incr.aof seq 2 type i\n".getBytes(StandardCharsets.US_ASCII)));
      manifest.sync();
    }
  }

  @Test
  void everysec_losesAtMostTwoSeconds() throws Exception {
    int settled = 0;
    int count = 0;
    try (DurableServer server = server("appendfsync", "everysec")) {
      long end = System.nanoTime() + 5_000_000_000L;
      while (System.nanoTime() < end) {
        if (System.nanoTime() < end - 2_000_000_000L) {
          settled++;
        }
        server.call("BF.ADD", "f", "item" + count++);
        Thread.sleep(5);
      }
      disk.losePower();
    }
    try (DurableServer server = server()) {
      for (int item = 0; item < settled; item++) {
        assertThat(server.call("BF.EXISTS", "f", "item" + item)).as("%d", item).isEqualTo(":1");
      }
    }
  }

  // ---- damaged files

  /** A single wrong bit of a base is found by its checksum, wherever it is. */
  @Test
  void base_flippedBits_areRefused() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "k", "v");
      server.call("BF.RESERVE", "f", "0.1", "10");
      server.call("BF.ADD", "f", "item");
      server.call("PFADD", "h", "a");
      server.rewrite();
    }
    flipBits(log("appendonly.aof.2.base.rdb"));
  }

  @Test
  void snapshot_flippedBits_areRefused() throws IOException {
    try (DurableServer server = server("appendonly", "no")) {
      server.call("SET", "k", "v");
      server.call("BF.RESERVE", "f", "0.1", "10");
      server.call("BF.ADD", "f", "item");
      server.save();
    }
    flipBits(directory.resolve("dump.rdb"), "appendonly", "no");
  }

  private void flipBits(Path file, String... settings) throws IOException {
    byte[] whole = Files.readAllBytes(file);
    for (int bit = 8 * AFTER_VERSION; bit < 8 * whole.length; bit += BIT_STEP) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, damaged);
      assertRefused(file, "bit " + bit, settings);
      assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
    }
  }

  private void assertRefused(Path file, String what, String... settings) {
    assertThatThrownBy(() -> server(settings).close())
        .as(what)
        .isInstanceOf(LoadException.class)
        .hasMessageContaining(String.valueOf(file.getFileName()))
        .hasMessageContaining("offset");
  }

  @Test
  void snapshot_cutAnywhere_isRefused() throws IOException {
    try (DurableServer server = server("appendonly", "no")) {
      server.call("SET", "k", "v");
      server.save();
    }
    Path file = directory.resolve("dump.rdb");
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertRefused(file, length + " bytes", "appendonly", "no");
      assertThat(file).hasSize(length);
    }
  }

  /** Each unit is a command or a transaction; what is left of the last one counts for nothing. */
  @Test
  void log_cutAnywhere_holdsTheUnitsBefore() throws IOException {
    try (DurableServer server = server()) {
      server.call("SET", "a", "1");
      server.call("MULTI");
      server.call("SET", "b", "1");
      server.call("BF.ADD", "f", "item");
      server.call("EXEC");
      server.call("SET", "c", "1");
    }
    Path file = log("appendonly.aof.1.incr.aof");
    String whole = Files.readString(file, StandardCharsets.ISO_8859_1);
    for (int length = 0; length < whole.length(); length++) {
      Files.writeString(file, whole.substring(0, length), StandardCharsets.ISO_8859_1);
      try (DurableServer server = server()) {
        assertThat(server.call("EXISTS", "a", "b", "f", "c"))
            .as("%d bytes", length)
            .isEqualTo(":" + keysIn(whole, length));
      }
      assertThat(whole).startsWith(Files.readString(file, StandardCharsets.ISO_8859_1));
    }
  }

  private static int keysIn(String whole, int length) {
    int transaction = whole.indexOf("*1\r\n$5\r\nMULTI");
    int last = whole.indexOf("*3\r\n$3\r\nSET\r\n$1\r\nc");
    if (length >= last) {
      return 3;
    }
    return length >= transaction ? 1 : 0;
  }

  /**
   * Going on without the incremental file would start empty and overwrite it. Damage done to the
   * manifest of a Redis, which has no checksum.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void manifest_withoutItsIncrementalFile_isRefusedAndChangesNothing(int rewrites)
      throws IOException {
    try (DurableServer server = server()) {
      for (int i = 0; i < rewrites; i++) {
        server.rewrite();
      }
      server.call("SET", "k", "v");
    }
    Path file = log("appendonly.aof." + (1 + rewrites) + ".incr.aof");
    byte[] content = Files.readAllBytes(file);
    Path manifest = log("appendonly.aof.manifest");
    String written = Files.readString(manifest);
    String whole = written.substring(0, written.indexOf('#'));
    for (String damaged :
        List.of(whole.replace("type i", "type h"), whole.substring(0, whole.indexOf('\n') + 1))) {
      Files.writeString(manifest, damaged);
      assertThatThrownBy(() -> server().close())
          .isInstanceOf(LoadException.class)
          .hasMessageContaining("appendonly.aof.manifest")
          .hasMessageContaining(String.valueOf(file.getFileName()));
      assertThat(manifest).hasContent(damaged);
      assertThat(file).hasBinaryContent(content);
    }
  }
}
