package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was acknowledged is there again after any end of the process. */
class LogIT {
  private static final int KILLS = 5;
  private static final int WRITERS = 4;
  private static final long SEED = Long.getLong("porteiro.fuzz.seed", 20261130);

  @ParameterizedTest
  @ValueSource(strings = {"always", "everysec", "no"})
  void restart_afterSigtermAndKill_losesNothingAcknowledged(String policy) {
    try (ServerProcess server = ServerProcess.startedWithLog("--appendfsync", policy)) {
      assertThat(server.call("BF.ADD", "f", "one")).isEqualTo(new Reply.Int(1));
      assertThat(server.stop()).isZero();
      assertThat(server.rdbFile()).doesNotExist();
      server.start();
      assertThat(server.call("BF.ADD", "f", "one")).isEqualTo(new Reply.Int(0));
      assertThat(server.call("BF.ADD", "f", "two")).isEqualTo(new Reply.Int(1));
      server.kill();
      server.start();
      assertThat(server.call("BF.MEXISTS", "f", "one", "two").asList())
          .containsExactly(new Reply.Int(1), new Reply.Int(1));
      assertThat(server.call("BF.CARD", "f")).isEqualTo(new Reply.Int(2));
    }
  }

  /**
   * Writers add one item after the other, each in its own filter, and a pair of keys in a
   * transaction, while the log is rewritten and the process killed. Without waiting for the log
   * before answering, the last items are lost.
   */
  @Test
  void kill_underLoad_losesNothingAcknowledged() throws InterruptedException {
    SplittableRandom random = new SplittableRandom(SEED);
    try (ServerProcess server =
        ServerProcess.startedWithLog("--auto-aof-rewrite-min-size", "1kb")) {
      int[] acknowledged = new int[WRITERS];
      for (int kill = 0; kill < KILLS; kill++) {
        List<Thread> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
          int number = writer;
          writers.add(
              Thread.ofPlatform()
                  .start(() -> acknowledged[number] = write(server, number, acknowledged[number])));
        }
        Thread.sleep(300 + random.nextInt(700));
        if (kill % 2 == 0) {
          server.call("BGREWRITEAOF");
          Thread.sleep(random.nextInt(30));
        }
        server.kill();
        for (Thread writer : writers) {
          writer.join();
        }
        server.start();
        for (int writer = 0; writer < WRITERS; writer++) {
          check(server, writer, acknowledged[writer]);
        }
      }
      assertThat(acknowledged[0]).isPositive();
    }
  }

  /** Adds until the connection breaks; the number of the last item that was acknowledged. */
  private static int write(ServerProcess server, int writer, int from) {
    int next = from;
    try (RawConnection connection = server.connect()) {
      while (true) {
        String item = Integer.toString(next + 1);
        connection.call("BF.ADD", "filter" + writer, item);
        connection.call("MULTI");
        connection.call("SET", "left" + writer, item);
        connection.call("SET", "right" + writer, item);
        Reply reply = connection.call("EXEC");
        if (!(reply instanceof Reply.Aggregate)) {
          return next;
        }
        next++;
      }
    } catch (UncheckedIOException | IllegalStateException _) {
      return next;
    }
  }

  private static void check(ServerProcess server, int writer, int acknowledged) {
    if (acknowledged == 0) {
      return;
    }
    try (RawConnection connection = server.connect().patience(Duration.ofMinutes(1))) {
      List<String> command = new ArrayList<>(List.of("BF.MEXISTS", "filter" + writer));
      for (int i = 1; i <= acknowledged; i++) {
        command.add(Integer.toString(i));
      }
      assertThat(connection.call(command.toArray(String[]::new)).asList())
          .as("items of writer %d, seed %d", writer, SEED)
          .allMatch(reply -> reply.asLong() == 1);
      String left = connection.call("GET", "left" + writer).asBytes();
      assertThat(connection.call("GET", "right" + writer).asBytes()).isEqualTo(left);
      assertThat(Integer.parseInt(left)).isBetween(acknowledged, acknowledged + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "no"})
  void rewrite_underLoad_keepsAllAndLeavesOneSetOfFiles(String preamble)
      throws InterruptedException {
    try (ServerProcess server = ServerProcess.startedWithLog("--aof-use-rdb-preamble", preamble)) {
      AtomicInteger acknowledged = new AtomicInteger();
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                try (RawConnection connection = server.connect()) {
                  for (int i = 1; i <= 20_000; i++) {
                    connection.call("BF.ADD", "f", Integer.toString(i));
                    acknowledged.set(i);
                  }
                }
              });
      for (int i = 0; i < 5 && writer.isAlive(); i++) {
        server.call("BGREWRITEAOF");
        Thread.sleep(100);
      }
      writer.join();
      assertThat(acknowledged.get()).isEqualTo(20_000);
      awaitNoRewrite(server);
      assertThat(server.logDirectory().toFile().list()).hasSize(3);
      String dump = server.call("DUMP", "f").asBytes();
      server.kill();
      server.start();
      assertThat(server.call("DUMP", "f").asBytes()).isEqualTo(dump);
    }
  }

  private static void awaitNoRewrite(ServerProcess server) {
    while (!server
        .call("INFO", "persistence")
        .asBytes()
        .contains("aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0")) {
      Thread.onSpinWait();
    }
  }

  @Test
  void secondServer_onTheSameDirectory_isRefusedUntilTheFirstIsKilled() {
    try (ServerProcess first = ServerProcess.startedWithLog();
        ServerProcess second =
            ServerProcess.preparedWithLog("--dir", first.directory().toString())) {
      assertThat(second.startExpectingExit()).isEqualTo(1);
      assertThat(second.log()).contains("another server is using it");
      first.kill();
      second.start();
      assertThat(second.call("PING")).isEqualTo(new Reply.Simple("PONG"));
    }
  }

  @Test
  void waitAof_everysec_answersWhenTheDiskHasIt() {
    try (ServerProcess server = ServerProcess.startedWithLog();
        RawConnection connection = server.connect()) {
      connection.call("SET", "k", "v");
      assertThat(connection.call("WAITAOF", "1", "0", "0").asList())
          .containsExactly(new Reply.Int(1), new Reply.Int(0));
      connection.call("SET", "k", "w");
      assertThat(connection.call("WAITAOF", "1", "1", "50").asList()).hasSize(2);
    }
  }

  @Test
  void debugLoadAof_emptiesAndLoadsAgain() {
    try (ServerProcess server = ServerProcess.startedWithLog("--enable-debug-command", "yes")) {
      server.call("SET", "k", "v");
      server.call("BF.ADD", "f", "x");
      assertThat(server.call("DEBUG", "LOADAOF")).isEqualTo(new Reply.Simple("OK"));
      assertThat(server.call("GET", "k").asBytes()).isEqualTo("v");
      assertThat(server.call("BF.EXISTS", "f", "x")).isEqualTo(new Reply.Int(1));
      server.call("SET", "k", "w");
      server.kill();
      server.start();
      assertThat(server.call("GET", "k").asBytes()).isEqualTo("w");
    }
  }

  @Test
  void configSet_appendonly_turnsTheLogOffAndOn() {
    try (ServerProcess server = ServerProcess.startedWithLog()) {
      server.call("SET", "k", "1");
      assertThat(server.call("CONFIG", "SET", "appendonly", "no"))
          .isEqualTo(new Reply.Simple("OK"));
      assertThat(server.call("WAITAOF", "1", "0", "0"))
          .isEqualTo(
              new Reply.Failure(
                  "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled."));
      server.call("SET", "k", "2");
      assertThat(server.call("CONFIG", "SET", "appendonly", "yes"))
          .isEqualTo(new Reply.Simple("OK"));
      awaitNoRewrite(server);
      server.call("SET", "l", "3");
      server.kill();
      server.start();
      assertThat(server.call("MGET", "k", "l").asList())
          .extracting(Reply::asBytes)
          .containsExactly("2", "3");
    }
  }
}
