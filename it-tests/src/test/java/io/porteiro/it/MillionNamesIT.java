package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.RedisProcess.Output;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.Bytes;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The promise of the product: a million names, a crash, and every name is still there. */
class MillionNamesIT {
  private static final int NAMES = 1_000_000;
  private static final int STRANGERS = 200_000;
  private static final long SEED = 20261130;
  private static final double ERROR_RATE = 0.001;
  private static final int BATCH = 1000;

  @Test
  void names_savedThenKilledAndRestarted_areAllThere() throws IOException {
    RedisProcess.assumeInstalled("redis-cli");
    Assumptions.assumeTrue(Names.available(), "no word list in /usr/share/dict");
    Names names = Names.draw(NAMES, STRANGERS, SEED);
    try (ServerProcess server = ServerProcess.started()) {
      server.call("BF.RESERVE", "fixed", Double.toString(ERROR_RATE), Integer.toString(NAMES));
      server.call("BF.RESERVE", "grown", "0.01", Integer.toString(NAMES / 100));
      pipeIn(server, names.added());
      Counts before = Counts.of(server);
      assertThat(server.call("SAVE")).isEqualTo(new Reply.Simple("OK"));
      server.kill();
      server.start();
      assertThat(Counts.of(server)).isEqualTo(before);
      assertRight(server, "fixed", names, ERROR_RATE);
      assertRight(server, "grown", names, 0.01);
      assertCountsFit(before);
    }
  }

  /** Each name to a filter of fixed capacity, one that grows seven times, and a counter. */
  private static void pipeIn(ServerProcess server, List<String> names) throws IOException {
    Path commands = server.directory().resolve("commands.txt");
    try (BufferedWriter out = Files.newBufferedWriter(commands, StandardCharsets.ISO_8859_1)) {
      for (String name : names) {
        String bytes = Bytes.utf8(name);
        out.write(RawConnection.encode("BF.ADD", "fixed", bytes));
        out.write(RawConnection.encode("BF.ADD", "grown", bytes));
        out.write(RawConnection.encode("PFADD", "counter", bytes));
      }
    }
    Output output =
        RedisProcess.runWithInput(
            commands, "redis-cli", "-p", Integer.toString(server.port()), "--pipe");
    assertThat(output.text()).contains("errors: 0, replies: " + 3 * names.size());
    Files.delete(commands);
  }

  private record Counts(long fixed, long grown, long counter) {
    static Counts of(ServerProcess server) {
      return new Counts(
          server.call("BF.CARD", "fixed").asLong(),
          server.call("BF.CARD", "grown").asLong(),
          server.call("PFCOUNT", "counter").asLong());
    }
  }

  /** No name is missing; strangers are taken for names as rarely as promised. */
  private static void assertRight(ServerProcess server, String key, Names names, double errorRate) {
    assertThat(hits(server, key, names.added())).as("names in %s", key).isEqualTo(NAMES);
    double falsePositives = (double) hits(server, key, names.others()) / STRANGERS;
    double threeSigma = 3 * Math.sqrt(errorRate / STRANGERS);
    assertThat(falsePositives)
        .as("false-positive rate of %s, seed %d", key, SEED)
        .isLessThan(errorRate + threeSigma);
  }

  private static long hits(ServerProcess server, String key, List<String> names) {
    long hits = 0;
    try (RawConnection connection = server.connect()) {
      for (int from = 0; from < names.size(); from += BATCH) {
        List<String> command = new ArrayList<>(List.of("BF.MEXISTS", key));
        names.subList(from, from + BATCH).forEach(name -> command.add(Bytes.utf8(name)));
        Reply reply = connection.call(command.toArray(String[]::new));
        hits += reply.asList().stream().mapToLong(Reply::asLong).sum();
      }
    }
    return hits;
  }

  /**
   * A name that was a false positive when it was added is not counted, so never more than added.
   */
  private static void assertCountsFit(Counts counts) {
    assertThat(counts.fixed()).isBetween((long) (NAMES * (1 - ERROR_RATE)), (long) NAMES);
    assertThat(counts.grown()).isBetween((long) (NAMES * 0.99), (long) NAMES);
    assertThat((double) counts.counter()).isBetween(NAMES * 0.97, NAMES * 1.03);
  }
}
