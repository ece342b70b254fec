package io.porteiro.server.command.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PrefixOverlapsTest {
  private static final long SEED = 304;

  private static String word(Random random) {
    StringBuilder word = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      word.append("abc".charAt(random.nextInt(3)));
    }
    return word.toString();
  }

  /** As Redis finds it: each compared with all that exist, then with all behind it. */
  private static int compared(List<String> added, Iterable<String> existing) {
    for (int i = 0; i < added.size(); i++) {
      List<String> others = new ArrayList<>(added.subList(i + 1, added.size()));
      existing.forEach(others::add);
      for (String other : others) {
        if (other.startsWith(added.get(i)) || added.get(i).startsWith(other)) {
          return i;
        }
      }
    }
    return -1;
  }

  @Test
  void first_ofRandomPrefixes_isTheFirstThatOverlapsAnother() {
    Random random = new Random(SEED);
    for (int round = 0; round < 3000; round++) {
      List<String> added = new ArrayList<>();
      TreeSet<String> existing = new TreeSet<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        added.add(word(random));
      }
      for (int i = random.nextInt(4); i > 0; i--) {
        existing.add(word(random));
      }
      assertThat(PrefixOverlaps.first(added, existing))
          .as("seed %d, round %d, %s to %s", SEED, round, added, existing)
          .isEqualTo(compared(added, existing));
    }
  }
}
