package io.porteiro.server.store;

import io.porteiro.server.structure.FilterCensus;
import io.porteiro.server.structure.Value;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one shard in one database: a hash table looked up straight from the bytes of a
 * request.
 *
 * <p>Open addressing with linear probing. An entry's <em>home</em> is the slot its hash names; it
 * lies there or in the run of filled slots behind it. Removal shifts the run back, so that there
 * are no tombstones. The table is at most half full: runs stay short, and since it is one of 256 it
 * is resized in one step.
 *
 * <p>A cursor visits homes in reverse-binary order (as Redis's SCAN, by Pieter Noordhuis): the high
 * bits count first, so that after any doubling or halving the homes visited before are those below
 * the cursor again, and an entry that is present throughout is returned at least once.
 *
 * <p>Guarded by the shard's lock, except {@link #size}, {@link #expiringSize} and {@link
 * #addCensusTo}, which may be read at any time, and what {@link Lookahead} reads.
 */
public final class KeyTable {
  private static final int MIN_SLOTS = 4;
  private static final int MAX_SLOTS = 1 << 30;

  /** The lowest bits of a hash choose the shard, so the slot comes from those above. */
  private static final int SHARD_BITS = 8;

  private @Nullable Entry[] slots = new Entry[MIN_SLOTS];
  private int mask = MIN_SLOTS - 1;
  private volatile int size;
  private volatile int expiringSize;

  /** Made with the first filter: there are thousands of tables, most of them empty. */
  private volatile @Nullable FilterCensus census;

  KeyTable() {
    // Who looks ahead sees tables without a lock, and must not see one without slots.
    VarHandle.storeStoreFence();
  }

  public int size() {
    return size;
  }

  /** How many keys have an expiry. */
  public int expiringSize() {
    return expiringSize;
  }

  int slotCount() {
    return slots.length;
  }

  private int home(long hash) {
    return (int) (hash >>> SHARD_BITS) & mask;
  }

  @Nullable Entry get(Key key) {
    long hash = key.hash();
    int slot = home(hash);
    for (Entry entry = slots[slot]; entry != null; entry = slots[slot]) {
      if (entry.hash == hash && key.matches(entry.key())) {
        return entry;
      }
      slot = (slot + 1) & mask;
    }
    return null;
  }

  /**
   * What lies at the home of a key of this hash, or so many slots behind it: mostly its entry. For
   * {@link Lookahead}, without the lock.
   */
  @Nullable Entry guess(long hash, int behind) {
    @Nullable Entry[] array = slots;
    return array[((int) (hash >>> SHARD_BITS) + behind) & (array.length - 1)];
  }

  @Nullable Entry get(long hash, byte[] key) {
    int slot = home(hash);
    for (Entry entry = slots[slot]; entry != null; entry = slots[slot]) {
      if (entry.hash == hash && Arrays.equals(key, entry.key())) {
        return entry;
      }
      slot = (slot + 1) & mask;
    }
    return null;
  }

  /** Adds an entry whose key is not there. */
  void add(Entry entry) {
    if ((size + 1) * 2L > slots.length && slots.length < MAX_SLOTS) {
      resize(slots.length * 2);
    }
    insert(entry);
    setSize(size + 1);
    enter(entry.value());
    if (entry.hasExpiry()) {
      countExpiring(1);
    }
  }

  private void insert(Entry entry) {
    int slot = home(entry.hash);
    while (slots[slot] != null) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = entry;
  }

  /** Removes an entry that is there. */
  void remove(Entry entry) {
    int slot = home(entry.hash);
    while (slots[slot] != entry) {
      slot = (slot + 1) & mask;
    }
    closeGap(slot);
    setSize(size - 1);
    leave(entry.value());
    if (entry.hasExpiry()) {
      countExpiring(-1);
    }
    if (slots.length > MIN_SLOTS && size * 8L < slots.length) {
      resize(slots.length / 2);
    }
  }

  /** Gives an entry that is there another value; the old one is the caller's. */
  Value replace(Entry entry, Value value) {
    Value old = entry.value();
    leave(old);
    entry.setValue(value);
    enter(value);
    return old;
  }

  private void enter(Value value) {
    if (value instanceof FilterCensus.Counted counted) {
      FilterCensus known = census;
      if (known == null) {
        known = new FilterCensus();
        census = known;
      }
      counted.enter(known);
    }
  }

  private void leave(Value value) {
    FilterCensus known = census;
    if (known != null && value instanceof FilterCensus.Counted counted) {
      counted.leave(known);
    }
  }

  /** Adds what there is to be said of the filters here. */
  void addCensusTo(FilterCensus sum) {
    FilterCensus known = census;
    if (known != null) {
      sum.addAll(known);
    }
  }

  /** Moves entries of the run behind the gap forward, each as far as its home allows. */
  private void closeGap(int gap) {
    int slot = gap;
    while (true) {
      slot = (slot + 1) & mask;
      Entry entry = slots[slot];
      if (entry == null) {
        slots[gap] = null;
        return;
      }
      int home = home(entry.hash);
      if (((slot - home) & mask) >= ((slot - gap) & mask)) {
        slots[gap] = entry;
        gap = slot;
      }
    }
  }

  private void resize(int slotCount) {
    @Nullable Entry[] old = slots;
    slots = new Entry[slotCount];
    mask = slotCount - 1;
    for (Entry entry : old) {
      if (entry != null) {
        insert(entry);
      }
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer: the holder of the shard's write lock
  void countExpiring(int delta) {
    expiringSize += delta;
  }

  private void setSize(int newSize) {
    size = newSize;
  }

  /**
   * Hands over the entries whose home is the one the cursor stands at.
   *
   * @param cursor 0 to begin, else what the last call returned
   * @return the next cursor, or 0 when all homes were visited
   */
  public long visit(long cursor, Consumer<Entry> visitor) {
    int home = (int) cursor & mask;
    int slot = home;
    for (Entry entry = slots[slot]; entry != null; entry = slots[slot]) {
      if (home(entry.hash) == home) {
        visitor.accept(entry);
      }
      slot = (slot + 1) & mask;
    }
    return nextCursor(cursor);
  }

  /** Whether no entry lies at the home of the cursor or is displaced from it. */
  public boolean isHomeEmpty(long cursor) {
    return slots[(int) cursor & mask] == null;
  }

  /** Adds one to the cursor with its bits reversed, within the bits that the table has. */
  public long nextCursor(long cursor) {
    return Long.reverse(Long.reverse(cursor | ~(long) mask) + 1);
  }

  /** Hands over every entry. The visitor must not add or remove. */
  public void forEach(Consumer<Entry> visitor) {
    for (Entry entry : slots) {
      if (entry != null) {
        visitor.accept(entry);
      }
    }
  }

  /** An entry, each with the same probability; null if there is none. */
  public @Nullable Entry random(RandomGenerator random) {
    if (size == 0) {
      return null;
    }
    Entry entry;
    do { // at least an eighth of the slots is filled, or one of four
      entry = slots[random.nextInt(slots.length)];
    } while (entry == null);
    return entry;
  }
}
