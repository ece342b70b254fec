package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.porteiro.it.process.Eventually;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import io.porteiro.it.resp.Reply.Special;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real file system that fills up: 8 MiB of memory, mounted for the test, which root only may. */
class FullDiskIT {
  private static final String VALUE = "v".repeat(100_000);
  private static final int FILLER_BYTES = 2 << 20;
  private static final Duration STUCK = Duration.ofSeconds(3);

  @TempDir private Path mountPoint;
  private boolean isMounted;

  @BeforeEach
  void mount() throws Exception {
    isMounted = run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", mountPoint.toString());
    assumeTrue(isMounted, "mounting a tmpfs needs root (CAP_SYS_ADMIN)");
  }

  @AfterEach
  void unmount() throws Exception {
    if (isMounted) {
      assertThat(run("umount", mountPoint.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
  }

  private ServerProcess server(String... arguments) {
    ServerProcess server = ServerProcess.preparedWithLog(arguments);
    server.start("--dir", mountPoint.toString());
    return server;
  }

  private Path filler(String name) throws IOException {
    return Files.write(mountPoint.resolve(name), new byte[FILLER_BYTES]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"always", "everysec"})
  void fullDisk_refusesWritesAndRecovers_losingNothing(String policy) throws IOException {
    Path first = filler("first");
    Path second = filler("second");
    try (ServerProcess server = server("--appendfsync", policy);
        RawConnection writer = server.connect().patience(STUCK)) {
      int stuck = writeUntilStuck(server, writer, 0);
      assertWritesAreRefused(server);
      Files.delete(first);
      assertThat(writer.read(Duration.ofSeconds(20))).isEqualTo(new Reply.Simple("OK"));
      Eventually.holds("writes are accepted", () -> accepts(server));
      assertThat(server.call("INFO", "persistence").asBytes())
          .contains("aof_last_write_status:ok\r\n");
      int last = writeUntilStuck(server, writer, stuck + 1);
      server.kill();
      Files.delete(second);
      server.start("--dir", mountPoint.toString());
      for (int i = 0; i < last; i++) {
        assertThat(server.call("STRLEN", "k" + i)).isEqualTo(new Reply.Int(VALUE.length()));
      }
      assertThat(server.call("STRLEN", "k" + last).asLong()).isIn(0L, (long) VALUE.length());
    }
  }

  /** The number of the key that was not acknowledged, nor refused: it waits for the disk. */
  private static int writeUntilStuck(ServerProcess server, RawConnection writer, int from) {
    int next = from;
    Reply reply = writer.call("SET", "k" + next, VALUE);
    while (reply.equals(new Reply.Simple("OK"))) {
      next++;
      reply = writer.call("SET", "k" + next, VALUE);
    }
    assertThat(reply).isEqualTo(Special.TIMEOUT);
    assertThat(next).isGreaterThan(from);
    Eventually.holds(
        "INFO tells",
        () -> server.call("INFO", "persistence").asBytes().contains("aof_last_write_status:err"));
    return next;
  }

  private static boolean accepts(ServerProcess server) {
    return server.call("SET", "other", "v").equals(new Reply.Simple("OK"));
  }

  private static void assertWritesAreRefused(ServerProcess server) {
    Reply refusal =
        new Reply.Failure("MISCONF Errors writing to the AOF file: No space left on device");
    assertThat(server.call("SET", "other", "v")).isEqualTo(refusal);
    assertThat(server.call("BF.ADD", "f", "item")).isEqualTo(refusal);
    assertThat(server.call("PING")).isEqualTo(refusal);
    assertThat(server.call("STRLEN", "k0")).isEqualTo(new Reply.Int(VALUE.length()));
    assertThat(server.call("BF.EXISTS", "f", "item")).isEqualTo(new Reply.Int(0));
    assertThat(server.log()).contains("No space left on device");
  }

  /**
   * A save that finds no room leaves the last snapshot, no part of one, and a server that reads.
   */
  @Test
  void fullDisk_bgsave_keepsTheLastSnapshot() throws IOException {
    try (ServerProcess server =
        server("--appendonly", "no", "--dbfilename", "d.rdb", "--save", "3600 1")) {
      server.call("SET", "k", "v");
      assertThat(server.call("SAVE")).isEqualTo(new Reply.Simple("OK"));
      byte[] saved = Files.readAllBytes(mountPoint.resolve("d.rdb"));
      server.call("BF.RESERVE", "f", "0.001", "10000000");
      server.call("BF.ADD", "f", "item");
      server.call("BGSAVE");
      Eventually.holds(
          "the save fails",
          () -> server.call("INFO", "persistence").asBytes().contains("bgsave_status:err"));
      assertThat(server.call("SET", "k", "w").toString()).contains("MISCONF");
      assertThat(server.call("GET", "k")).isEqualTo(new Reply.Bulk("v"));
      assertThat(mountPoint.resolve("d.rdb")).hasBinaryContent(saved);
      assertThat(mountPoint.toFile().list()).doesNotContain("temp-" + server.pid() + ".rdb");
      assertThat(server.call("BF.EXISTS", "f", "item")).isEqualTo(new Reply.Int(1));
    }
  }
}
