package io.porteiro.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyTableTest {
  private static final long SEED = 20_261_130;

  private static byte[] key(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  /** Some keys share the whole hash, many their home. */
  private static long hash(long number) {
    return (number % 3 == 0 ? number / 9 : number) * 0x9E3779B97F4A7C15L;
  }

  private static Entry entry(long number) {
    return new Entry(key(number), hash(number), new TestValue());
  }

  @Test
  void table_underRandomChanges_isAMap() {
    Random random = new Random(SEED);
    KeyTable table = new KeyTable();
    Map<Long, Entry> model = new HashMap<>();
    for (int step = 0; step < 60_000; step++) {
      long number = random.nextInt(step % 20_000 < 10_000 ? 2_000 : 50);
      change(table, model, number, random);
      if (step % 1_000 == 0) {
        assertSame(table, model, "seed " + SEED + ", step " + step);
      }
    }
    List.copyOf(model.values()).forEach(table::remove);
    assertSame(table, Map.of(), "seed " + SEED + ", emptied");
  }

  private static void change(KeyTable table, Map<Long, Entry> model, long number, Random random) {
    Entry known = model.remove(number);
    if (known != null) {
      table.remove(known);
      return;
    }
    Entry entry = entry(number);
    if (random.nextBoolean()) {
      entry.setExpireAtMs(5);
    }
    table.add(entry);
    model.put(number, entry);
  }

  private static void assertSame(KeyTable table, Map<Long, Entry> model, String when) {
    assertThat(table.size()).as(when).isEqualTo(model.size());
    assertThat(table.expiringSize())
        .as(when)
        .isEqualTo((int) model.values().stream().filter(Entry::hasExpiry).count());
    for (long number = 0; number < 2_000; number++) {
      assertThat(table.get(hash(number), key(number))).as(when).isSameAs(model.get(number));
    }
    Set<Entry> all = new HashSet<>();
    table.forEach(all::add);
    assertThat(all).as(when).isEqualTo(new HashSet<>(model.values()));
    assertThat(table.slotCount())
        .as("%s: at most half full, and not far below an eighth", when)
        .isBetween(Math.max(4, 2 * model.size()), Math.max(4, 16 * model.size()));
  }

  @Test
  void keys_withTheSameHash_areToldApart() {
    KeyTable table = new KeyTable();
    Entry[] entries = new Entry[20];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = new Entry(key(i), 77, new TestValue());
      table.add(entries[i]);
    }
    for (int i = 0; i < entries.length; i += 2) {
      table.remove(entries[i]);
    }
    for (int i = 0; i < entries.length; i++) {
      assertThat(table.get(77, key(i))).isSameAs(i % 2 == 0 ? null : entries[i]);
    }
  }

  @Test
  void cursor_overATableThatStays_returnsEachEntryOnce() {
    for (int size : new int[] {0, 1, 2, 3, 100, 1000}) {
      KeyTable table = new KeyTable();
      for (int i = 0; i < size; i++) {
        table.add(entry(i));
      }
      List<Entry> seen = new ArrayList<>();
      long cursor = 0;
      int calls = 0;
      do {
        cursor = table.visit(cursor, seen::add);
        calls++;
      } while (cursor != 0);

      assertThat(seen).hasSize(size).doesNotHaveDuplicates();
      assertThat(calls).as("one call per home").isEqualTo(table.slotCount());
    }
  }

  @Test
  void cursor_whileTheTableGrowsAndShrinks_returnsWhatIsPresentThroughout() {
    for (int round = 0; round < 300; round++) {
      long seed = SEED + round;
      Random random = new Random(seed);
      KeyTable table = new KeyTable();
      Map<Long, Entry> stable = new LinkedHashMap<>();
      for (long i = 0, count = random.nextInt(40); i < count; i++) {
        stable.put(i, entry(i));
        table.add(stable.get(i));
      }
      Set<Entry> seen = scanWhileChanging(table, random);
      assertThat(seen).as("seed %d", seed).containsAll(stable.values());
    }
  }

  /** Between the calls, hundreds of other keys come and go, so that the table is resized. */
  private static Set<Entry> scanWhileChanging(KeyTable table, Random random) {
    List<Entry> others = new ArrayList<>();
    long next = 1_000;
    Set<Entry> seen = new HashSet<>();
    long cursor = 0;
    do {
      cursor = table.visit(cursor, seen::add);
      if (random.nextInt(4) == 0) {
        for (int i = random.nextInt(400); i > 0; i--) {
          others.add(entry(next++));
          table.add(others.getLast());
        }
      } else {
        for (int i = random.nextInt(200); i > 0 && !others.isEmpty(); i--) {
          table.remove(others.remove(random.nextInt(others.size())));
        }
      }
    } while (cursor != 0);
    return seen;
  }

  @Test
  void cursor_fromAnybody_endsAndStaysWithinTheTable() {
    KeyTable table = new KeyTable();
    for (int i = 0; i < 100; i++) {
      table.add(entry(i));
    }
    for (long cursor : new long[] {-1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40, 12345}) {
      int calls = 0;
      for (long next = cursor; calls == 0 || next != 0; calls++) {
        next = table.visit(next, _ -> {});
        assertThat(next).isBetween(0L, (long) table.slotCount() - 1);
      }
      assertThat(calls).isLessThanOrEqualTo(table.slotCount());
    }
  }

  @Test
  void home_isEmptyOnlyWhereNothingWouldBeVisited() {
    KeyTable table = new KeyTable();
    for (int i = 0; i < 200; i++) {
      table.add(entry(i * 7L));
    }
    for (long home = 0; home < table.slotCount(); home++) {
      List<Entry> seen = new ArrayList<>();
      table.visit(home, seen::add);
      if (table.isHomeEmpty(home)) {
        assertThat(seen).as("home %d", home).isEmpty();
      }
    }
  }

  @Test
  void random_choosesEachEntryAlike() {
    KeyTable table = new KeyTable();
    Map<Entry, Integer> counts = new HashMap<>();
    for (int i = 0; i < 5; i++) { // all with one home, so that they lie in one run
      Entry entry = new Entry(key(i), 77, new TestValue());
      table.add(entry);
      counts.put(entry, 0);
    }
    Random random = new Random(SEED);
    int draws = 50_000;
    for (int i = 0; i < draws; i++) {
      counts.merge(java.util.Objects.requireNonNull(table.random(random)), 1, Integer::sum);
    }
    assertThat(counts.values())
        .as("seed %d; each 10000 expected, standard deviation 89", SEED)
        .allSatisfy(count -> assertThat(count).isBetween(9_500, 10_500));
  }

  @Test
  void random_ofAnEmptyTable_isNothing() {
    assertThat(new KeyTable().random(new Random(SEED))).isNull();
  }
}
