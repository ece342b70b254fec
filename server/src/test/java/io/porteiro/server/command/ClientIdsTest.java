package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClientIdsTest {
  private static final long SEED = 301;

  private final ClientIds ids = new ClientIds();

  /** Ids are given out one after the other; others come from a server that runs for long. */
  @Test
  void add_manyIds_areAllThereOnce() {
    Random random = new Random(SEED);
    Set<Long> expected = new HashSet<>();
    for (int i = 1; i <= 10_000; i++) {
      long id = i % 2 == 0 ? i : 1 + random.nextLong(Long.MAX_VALUE);
      assertThat(ids.contains(id)).isEqualTo(expected.contains(id));
      if (expected.add(id)) {
        ids.add(id);
      }
    }
    Set<Long> found = new HashSet<>();
    ids.forEach(found::add);
    assertThat(found).as("seed %d", SEED).isEqualTo(expected);
    assertThat(ids.size()).isEqualTo(expected.size());
  }

  /** What is counted as its memory before an id is added is what it grows by. */
  @Test
  void growthBytes_beforeAdding_isTheGrowth() {
    for (long id = 1; id < 1000; id++) {
      long before = ids.heapBytes();
      long growth = ids.growthBytes();
      ids.add(id);
      assertThat(ids.heapBytes()).isEqualTo(before + growth);
    }
    assertThat(ids.heapBytes()).isLessThanOrEqualTo(8 * 2 * 1024);
  }
}
