package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What several clients do at once looks as if one had come after the other. */
class ConcurrencyIT {
  private static final int CLIENTS = 8;
  private static final int ITEMS = 20_000;
  private static final int PIPELINE = 100;

  /** A filter too exact for false positives here: so the sum of all 1 answers is exact too. */
  private static final String EXACT = "0.00000000001";

  @Test
  void add_ofTheSameItemsBySeveralClients_answersOneOncePerItem() {
    try (ServerProcess server = ServerProcess.started("--io-threads", "2")) {
      server.call("BF.RESERVE", "b", EXACT, Integer.toString(ITEMS));
      assertThat(sum(atOnce(_ -> addAll(server, "BF.ADD", "b")))).isEqualTo(ITEMS);
      assertThat(server.call("BF.CARD", "b").asLong()).isEqualTo(ITEMS);
    }
  }

  /**
   * Links of a few hundred bits have false positives whatever rate is asked for (one item in so
   * many has the same bit for all its probes), so not every item is new; but each is new only once.
   */
  @Test
  void add_toAFilterThatGrows_losesAndRepeatsNothing() {
    try (ServerProcess server = ServerProcess.started("--io-threads", "2")) {
      server.call("BF.RESERVE", "b", EXACT, "10");
      long added = sum(atOnce(_ -> addAll(server, "BF.ADD", "b")));
      assertThat(added).isBetween((long) (ITEMS * 0.99), (long) ITEMS);
      assertThat(server.call("BF.CARD", "b").asLong()).isEqualTo(added);
      assertThat(addAll(server, "BF.ADD", "b")).isZero();
    }
  }

  @Test
  void exists_besideAdds_neverForgetsAnAnsweredAdd() {
    try (ServerProcess server = ServerProcess.started("--io-threads", "2")) {
      server.call("BF.RESERVE", "b", EXACT, "10");
      assertThat(sum(atOnce(client -> addAndAsk(server, "c" + client + ":")))).isZero();
    }
  }

  @Test
  void pfadd_bySeveralClients_givesTheCountOfOneClient() {
    try (ServerProcess server = ServerProcess.started("--io-threads", "2")) {
      atOnce(_ -> addAll(server, "PFADD", "together"));
      addAll(server, "PFADD", "alone");
      assertThat(server.call("PFCOUNT", "together")).isEqualTo(server.call("PFCOUNT", "alone"));
    }
  }

  @Test
  void incr_bySeveralClients_countsEveryOne() {
    try (ServerProcess server = ServerProcess.started("--io-threads", "2")) {
      atOnce(_ -> {
        try (RawConnection connection = server.connect()) {
          for (int i = 0; i < 1000; i++) {
            connection.call("INCR", "n");
          }
          return 0L;
        }
      });
      assertThat(server.call("GET", "n").asBytes()).isEqualTo(Integer.toString(CLIENTS * 1000));
    }
  }

  /** Keys come and go under many shards at once: all commands that lock several are in the mix. */
  @Test
  void commandsOfManyKeys_inEveryOrder_neverBlockEachOther() {
    try (ServerProcess server = ServerProcess.started("--io-threads", "2")) {
      atOnce(client -> multiKeyTraffic(server, client));
      assertThat(server.call("PING")).isEqualTo(new Reply.Simple("PONG"));
    }
  }

  private static long multiKeyTraffic(ServerProcess server, int client) {
    try (RawConnection connection = server.connect()) {
      for (int i = 0; i < 500; i++) {
        String a = "k" + (i + client) % 7;
        String b = "k" + (i * 3 + client) % 7;
        for (String[] command :
            new String[][] {
              {"MSET", a, "1", b, "2"},
              {"PFADD", "h" + a, b},
              {"PFMERGE", "h" + b, "h" + a},
              {"RENAME", a, b},
              {"COPY", b, a, "REPLACE"},
              {"DEL", b, a},
              {"DBSIZE"},
              {"KEYS", "*"}
            }) {
          assertThat(connection.call(command)).isNotInstanceOf(Reply.Special.class);
        }
      }
      return 0;
    }
  }

  // ------------------------------------------------------------------ clients

  private interface Client {
    long run(int number);
  }

  private static List<Long> atOnce(Client client) {
    List<Callable<Long>> calls = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      int number = i;
      calls.add(() -> client.run(number));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      List<Long> results = new ArrayList<>();
      for (Future<Long> future : threads.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  private static long sum(List<Long> results) {
    return results.stream().mapToLong(Long::longValue).sum();
  }

  /** Adds all items one by one, pipelined; the sum of the answers. */
  private static long addAll(ServerProcess server, String command, String key) {
    long sum = 0;
    try (RawConnection connection = server.connect()) {
      for (int from = 0; from < ITEMS; from += PIPELINE) {
        StringBuilder requests = new StringBuilder();
        for (int i = from; i < from + PIPELINE; i++) {
          requests.append(RawConnection.encode(command, key, "item" + i));
        }
        connection.sendBytes(requests.toString());
        for (int i = 0; i < PIPELINE; i++) {
          sum += connection.read().asLong();
        }
      }
    }
    return sum;
  }

  /** Adds items and asks for all so far; how often one that was added was not found. */
  private static long addAndAsk(ServerProcess server, String prefix) {
    long missing = 0;
    List<String> question = new ArrayList<>(List.of("BF.MEXISTS", "b"));
    try (RawConnection connection = server.connect()) {
      for (int i = 0; i < 300; i++) {
        connection.call("BF.ADD", "b", prefix + i);
        question.add(prefix + i);
        Reply answers = connection.call(question.toArray(String[]::new));
        missing += answers.asList().stream().filter(answer -> answer.asLong() == 0).count();
      }
    }
    return missing;
  }
}
