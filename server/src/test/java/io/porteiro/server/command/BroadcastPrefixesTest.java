package io.porteiro.server.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BroadcastPrefixesTest {
  private static final long SEED = 302;

  private final CommandHarness server = CommandHarness.of(CommandHarness.testCommands());
  private final Session one = server.client().session();
  private final Session two = server.client().session();

  @AfterEach
  void close() {
    server.close();
  }

  private static List<String> prefixesOf(BroadcastPrefixes prefixes, String key) {
    return prefixes.prefixesOf(key.getBytes(ISO_8859_1)).stream()
        .map(prefix -> new String(prefix.bytes(), ISO_8859_1))
        .toList();
  }

  /** Few letters, so that prefixes of prefixes and near misses are the rule. */
  private static String word(Random random, int maxLength) {
    StringBuilder word = new StringBuilder();
    for (int i = random.nextInt(maxLength + 1); i > 0; i--) {
      word.append("ab\u00ff".charAt(random.nextInt(3)));
    }
    return word.toString();
  }

  @Test
  void prefixesOf_anyKey_areAllThatItBeginsWith() {
    Random random = new Random(SEED);
    for (int round = 0; round < 500; round++) {
      Set<String> words = new TreeSet<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        words.add(word(random, 5));
      }
      BroadcastPrefixes prefixes = new BroadcastPrefixes(server.keyspace());
      prefixes.add(one, words);
      String key = word(random, 7);
      assertThat(prefixesOf(prefixes, key))
          .as("seed %d, round %d, %s in %s", SEED, round, key, words)
          .isEqualTo(
              words.stream()
                  .filter(key::startsWith)
                  .sorted(Comparator.comparingInt(String::length).reversed())
                  .toList());
    }
  }

  @Test
  void remove_oneOfTwoClients_leavesThePrefixesOfTheOther() {
    long before = server.keyspace().heapBytes();
    BroadcastPrefixes prefixes = new BroadcastPrefixes(server.keyspace());
    prefixes.add(one, List.of("a", "b"));
    prefixes.add(two, List.of("b", "c"));
    assertThat(prefixes.size()).isEqualTo(3);
    assertThat(prefixes.clientsOf(new byte[] {'b'})).containsExactlyInAnyOrder(one, two);
    prefixes.remove(one, List.of("a", "b"));
    assertThat(prefixes.size()).isEqualTo(2);
    assertThat(prefixes.clientsOf(new byte[] {'a'})).isEmpty();
    assertThat(prefixes.clientsOf(new byte[] {'b'})).containsExactly(two);
    prefixes.remove(two, List.of("b", "c"));
    assertThat(prefixes.size()).isZero();
    assertThat(server.keyspace().heapBytes()).isEqualTo(before);
  }
}
