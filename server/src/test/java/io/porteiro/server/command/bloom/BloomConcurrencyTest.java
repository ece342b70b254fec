package io.porteiro.server.command.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.CommandHarness;
import io.porteiro.server.command.HarnessClient;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * One hot filter, several event loops: adds, duplicates and look-ups in pipelines, while it grows.
 */
class BloomConcurrencyTest {
  private static final int LOOPS = 4;
  private static final int ROUNDS = 300;
  private static final int ITEMS_PER_ROUND = 10;

  @Test
  void add_fromSeveralLoops_losesNoItemAndCountsEachOnce() throws Exception {
    long seed = Long.getLong("porteiro.fuzz.seed", 20261130);
    try (CommandHarness server = CommandHarness.of(BloomCommands.commands());
        ExecutorService threads = Executors.newFixedThreadPool(LOOPS)) {
      server.journal().setActive(false);
      HarnessClient client = server.client();
      client.call("BF.RESERVE", "hot", "0.0001", "50");
      List<Future<Integer>> added = new ArrayList<>();
      for (Callable<Integer> adder : adders(server, seed)) {
        added.add(threads.submit(adder));
      }
      int sum = 0;
      for (Future<Integer> one : added) {
        sum += one.get();
      }
      assertThat(client.call("BF.CARD", "hot")).as("seed %d", seed).isEqualTo(":" + sum);
    }
  }

  private static List<Callable<Integer>> adders(CommandHarness server, long seed) {
    List<Callable<Integer>> adders = new ArrayList<>();
    for (int i = 0; i < LOOPS; i++) {
      HarnessClient client = server.client(server.newLoop());
      SplittableRandom random = new SplittableRandom(seed + i);
      adders.add(() -> add(client, random));
    }
    return adders;
  }

  /** Adds items of a range that all loops share; each must be found right behind its add. */
  private static int add(HarnessClient client, SplittableRandom random) {
    int added = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String[] lines = new String[2 * ITEMS_PER_ROUND];
      for (int i = 0; i < ITEMS_PER_ROUND; i++) {
        String item = "item:" + random.nextInt(LOOPS * ROUNDS * ITEMS_PER_ROUND / 2);
        lines[2 * i] = (random.nextBoolean() ? "BF.ADD hot " : "BF.MADD hot ") + item;
        lines[2 * i + 1] = "BF.EXISTS hot " + item;
      }
      List<String> replies = client.batch(lines);
      for (int i = 0; i < ITEMS_PER_ROUND; i++) {
        added += replies.get(2 * i).contains(":1") ? 1 : 0;
        assertThat(replies.get(2 * i + 1)).as(lines[2 * i]).isEqualTo(":1");
      }
    }
    return added;
  }
}
