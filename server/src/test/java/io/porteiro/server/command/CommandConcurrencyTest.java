package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.transaction.TransactionCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several dispatchers on several threads, as event loops have them, on the same few keys. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CommandConcurrencyTest {
  private static final int THREADS = 4;
  private static final long SEED = 1130;

  private final CommandHarness server =
      CommandHarness.of(CommandHarness.testCommands(), TransactionCommands.commands());

  @AfterEach
  void close() {
    server.close();
  }

  /** What one thread does with a client of its own. */
  private interface Work<T> {
    T run(HarnessClient client, Random random) throws Exception;
  }

  private <T> List<T> onAllThreads(Work<T> work) throws Exception {
    List<Callable<T>> tasks = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      HarnessClient client = server.client(server.newLoop());
      Random random = new Random(SEED + t);
      tasks.add(() -> work.run(client, random));
    }
    List<T> results = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
      for (Future<T> result : executor.invokeAll(tasks)) {
        results.add(result.get());
      }
    }
    return results;
  }

  private static int integer(String reply) {
    assertThat(reply).startsWith(":");
    return Integer.parseInt(reply.substring(1));
  }

  @Test
  void adds_ofTheSameItemsByAll_areAcknowledgedOnceEach() throws Exception {
    int items = 2_000;
    List<Integer> acknowledged =
        onAllThreads((client, random) -> {
          int sum = 0;
          for (int i = 0; i < items; i += 20) {
            String[] lines = new String[20];
            for (int j = 0; j < lines.length; j++) {
              lines[j] = (random.nextInt(4) == 0 ? "has" : "add") + " hot " + (i + j);
            }
            List<String> replies = client.batch(lines);
            for (int j = 0; j < lines.length; j++) {
              sum += lines[j].startsWith("add") ? integer(replies.get(j)) : 0;
            }
          }
          return sum;
        });

    int total = acknowledged.stream().mapToInt(Integer::intValue).sum();
    assertThat(integer(server.client().call("card", "hot"))).as("seed %d", SEED).isEqualTo(total);
    assertThat(server.effects().stream().mapToInt(unit -> unit.split("; ", -1).length).sum())
        .as("each in the journal once, seed %d", SEED)
        .isEqualTo(total);
  }

  @Test
  void items_onceAcknowledged_areNeverDenied() throws Exception {
    List<Integer> denied =
        onAllThreads((client, random) -> {
          int lost = 0;
          for (int i = 0; i < 1_500; i++) {
            String item = "x" + random.nextInt(3_000);
            client.batch("add hot " + item, "add other y" + i);
            lost += integer(client.call("has", "hot", item)) == 1 ? 0 : 1;
          }
          return lost;
        });

    assertThat(denied).as("seed %d", SEED).containsOnly(0);
  }

  @Test
  void transactions_areSeenWholeOrNotAtAll() throws Exception {
    server.client().batch("set a 0", "set b 0");
    List<Integer> torn =
        onAllThreads((client, random) -> {
          int seenTorn = 0;
          for (int i = 0; i < 1_000; i++) {
            if (random.nextBoolean()) {
              String value = client.session().id() + "." + i;
              client.batch("multi", "set a " + value, "set b " + value, "exec");
            } else {
              String both = client.batch("multi", "get b", "get a", "exec").getLast();
              String[] values = both.substring(1, both.length() - 1).split(" ", -1);
              seenTorn += values[0].equals(values[1]) ? 0 : 1;
            }
          }
          return seenTorn;
        });

    assertThat(torn).as("seed %d", SEED).containsOnly(0);
    for (String unit : server.effects()) {
      assertThat(unit).as("seed %d", SEED).matches("0: set (a|b) 0|0: set a (\\S+); 0: set b \\2");
    }
  }

  @Test
  void increments_underWatch_loseNothing() throws Exception {
    server.client().call("set", "n", 0);
    List<Integer> done =
        onAllThreads((client, random) -> {
          int successes = 0;
          while (successes < 200) {
            client.call("watch", "n");
            String value = client.call("get", "n");
            int number = Integer.parseInt(value.substring(1, value.length() - 1));
            List<String> replies = client.batch("multi", "set n " + (number + 1), "exec");
            successes += replies.getLast().equals("[+OK]") ? 1 : 0;
          }
          return successes;
        });

    assertThat(done).hasSize(THREADS);
    assertThat(server.client().call("get", "n")).isEqualTo("\"" + THREADS * 200 + "\"");
  }

  @Test
  void journal_ofAllClients_isInTheOrderInWhichEachKeyChanged() throws Exception {
    onAllThreads((client, random) -> {
      for (int i = 0; i < 1_000; i++) {
        client.call("set", "k" + random.nextInt(3), client.session().id() + "." + i);
      }
      return 0;
    });

    String[] last = new String[3];
    for (String unit : server.effects()) {
      String[] words = unit.split(" ", -1);
      last[words[2].charAt(1) - '0'] = words[3];
    }
    for (int k = 0; k < last.length; k++) {
      assertThat(server.client().call("get", "k" + k))
          .as("replaying the journal ends with what is there, seed %d", SEED)
          .isEqualTo("\"" + last[k] + "\"");
    }
  }

  @Test
  void everything_atOnce_leavesNoLockBehindAndNoMemory() throws Exception {
    long before = server.pool().usedBytes();
    String[] lines = {
      "set a 1", "del a b c", "add c x", "has c y", "copy b a", "expire a 1", "walk", "all",
      "flush", "swap 0 1", "select 1", "select 0", "multi", "exec", "watch a c", "unwatch",
      "get a", "card c", "break a", "nosuch",
    };
    onAllThreads((client, random) -> {
      for (int i = 0; i < 400; i++) {
        String[] batch = new String[1 + random.nextInt(20)];
        for (int j = 0; j < batch.length; j++) {
          batch[j] = lines[random.nextInt(lines.length)];
        }
        client.batch(batch);
        if (random.nextInt(50) == 0) {
          server.clock().advance(1);
        }
      }
      client.close();
      return 0;
    });
    HarnessClient last = server.client();
    for (int database = 0; database < 2; database++) {
      last.batch("select " + database, "flush");
    }
    for (int i = 0; i < 500 && server.pool().usedBytes() != before; i++) {
      Thread.sleep(10);
    }

    assertThat(server.pool().usedBytes()).as("seed %d", SEED).isEqualTo(before);
    assertThat(server.keyspace().heapBytes()).as("seed %d", SEED).isZero();
  }
}
