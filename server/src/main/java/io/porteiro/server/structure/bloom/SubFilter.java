package io.porteiro.server.structure.bloom;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.memory.SnapshotMemory;
import org.jspecify.annotations.Nullable;

/**
 * One link of a chain: a bit array in which an item owns {@code hashes} bits. Bit x is bit {@code x
 * & 7} of byte {@code x >>> 3}.
 */
public final class SubFilter {
  /** From here on a probe is a cache miss as a rule, and fetching memory ahead pays. */
  static final long BIG_BYTES = 4L << 20;

  /** Half of the bits of a full filter are set: two probes tell three absent items of four. */
  private static final int FIRST_WAVE_PROBES = 2;

  /** One item of 16 that are asked for alone sets the guess: those whose hash has these bits 0. */
  private static final long SAMPLED = 15;

  private final LinkShape shape;
  private final Block block;
  private final long address;
  private final MemoryPool pool;
  private final Modulus modulus;
  private long size;
  private boolean populated;

  /**
   * Whether the last items that were looked up were here, most of them. A guess at the next ones,
   * which decides only how fast they are answered; set without a lock.
   */
  private boolean mostlyFound;

  /** Where a snapshot wants to know of changes; also for a while after it has ended. */
  private @Nullable UndoLog undo;

  private SubFilter(MemoryPool pool, LinkShape shape, Block block) {
    this.pool = pool;
    this.shape = shape;
    this.block = block;
    this.address = block.address(); // never resized
    this.modulus = new Modulus(shape.modulus());
    this.populated = !isBig();
  }

  /**
   * A link without items.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room for its bits
   */
  static SubFilter allocate(MemoryPool pool, LinkShape shape) {
    return new SubFilter(pool, shape, pool.allocate((shape.bytes() + 7) & -8));
  }

  public LinkShape shape() {
    return shape;
  }

  /** The bit array, {@code shape().bytes()} long. */
  public Block block() {
    return block;
  }

  /** How many items set a bit of it, an unsigned number. */
  public long size() {
    return size;
  }

  /**
   * Which part of the bits is set, 0 to 1: after n items with k probes each a bit of m is still
   * clear with probability (1 - 1/m)^kn, about e^(-kn/m) (Broder and Mitzenmacher 2004, "Network
   * Applications of Bloom Filters", section 2). Counting the bits of a large filter would hold its
   * lock for seconds.
   */
  public double estimatedFill() {
    double probes = shape.hashes() * unsigned(size);
    return -Math.expm1(-probes / shape.modulus());
  }

  /** How likely an absent item finds all its bits set: the fill to the power of the probes. */
  public double estimatedErrorRate() {
    return Math.pow(estimatedFill(), shape.hashes());
  }

  private static double unsigned(long number) {
    return number >= 0 ? number : number + 0x1p64;
  }

  void setSize(long size) {
    this.size = size;
  }

  boolean isFull() {
    return Long.compareUnsigned(size, shape.entries()) >= 0;
  }

  /** Whether it is not full before so many more items are in it. */
  boolean hasRoomFor(int items) {
    return !isFull() && Long.compareUnsigned(shape.entries() - size, items) >= 0;
  }

  private boolean isBig() {
    return shape.bytes() >= BIG_BYTES;
  }

  /** Whether an item that is asked for alone is in it. */
  boolean lookUp(long first, long second) {
    boolean found = contains(first, second);
    if ((second & SAMPLED) == 0) {
      guess(found);
    }
    return found;
  }

  private boolean contains(long first, long second) {
    long x = first;
    for (int i = 0; i < shape.hashes(); i++) {
      if (bit(x) == 0) {
        return false;
      }
      x += second;
    }
    return true;
  }

  /**
   * Which of the items are in it.
   *
   * @param hashes pairs of hashes, the first item's at {@code from}
   * @param pending bit i stands for the i-th item
   * @return those bits of {@code pending} whose items are in it
   */
  long test(long[] hashes, int from, long pending) {
    long found =
        mostlyFound ? testOneByOne(hashes, from, pending) : testInWaves(hashes, from, pending);
    guess(4 * Long.bitCount(found) > 3 * Long.bitCount(pending));
    return found;
  }

  /** Several threads read the guess, so it is not written without need. */
  private void guess(boolean mostFound) {
    if (mostFound != mostlyFound) {
      mostlyFound = mostFound;
    }
  }

  /** The quickest way for items that are there: no branch is guessed wrong before the last. */
  private long testOneByOne(long[] hashes, int from, long pending) {
    long found = 0;
    for (long rest = pending; rest != 0; rest &= rest - 1) {
      int i = Long.numberOfTrailingZeros(rest);
      if (contains(hashes[from + 2 * i], hashes[from + 2 * i + 1])) {
        found |= 1L << i;
      }
    }
    return found;
  }

  /** The quickest way for absent items: which of their probes ends the search is not to guess. */
  private long testInWaves(long[] hashes, int from, long pending) {
    int firstWave = Math.min(FIRST_WAVE_PROBES, shape.hashes());
    long candidates = testProbes(hashes, from, pending, 0, firstWave);
    return testProbes(hashes, from, candidates, firstWave, shape.hashes());
  }

  /** See {@link io.porteiro.server.structure.Value#touchObjects}. */
  long touchObjects() {
    return shape.hashes() + modulus.place(0) + address;
  }

  /**
   * Makes the memory be fetched that an item will need: most absent ones no more than that of the
   * first probes.
   */
  void touchForTest(long first, long second) {
    int firstWave = Math.min(FIRST_WAVE_PROBES, shape.hashes());
    touch(first, second, mostlyFound ? shape.hashes() : firstWave);
  }

  /** Makes the memory of all probes be fetched. */
  void touchForAdd(long first, long second) {
    touch(first, second, shape.hashes());
  }

  private void touch(long first, long second, int probes) {
    if (!isBig()) {
      return;
    }
    int sum = 0;
    long x = first;
    for (int i = 0; i < probes; i++) {
      sum += OffHeap.getByte(address + modulus.wordOffset(x));
      x += second;
    }
    requireUsed(sum);
  }

  /** Cannot fail; but the compiler does not know, and so does not leave the reads out. */
  private static void requireUsed(int sumOfBytes) {
    if (sumOfBytes == Integer.MIN_VALUE) {
      throw new IllegalStateException();
    }
  }

  /**
   * Which items have the bits of all probes in the range set. No branch depends on what is read, so
   * that the processor waits for the memory of several items at once.
   */
  private long testProbes(long[] hashes, int from, long pending, int probe, int endProbe) {
    long found = 0;
    for (long rest = pending; rest != 0; rest &= rest - 1) {
      int i = Long.numberOfTrailingZeros(rest);
      long second = hashes[from + 2 * i + 1];
      long x = hashes[from + 2 * i] + probe * second;
      found |= allSet(x, second, endProbe - probe) << i;
    }
    return found;
  }

  private long allSet(long start, long step, int probes) {
    long x = start;
    long set = 1;
    for (int i = 0; i < probes; i++) {
      set &= bit(x);
      x += step;
    }
    return set;
  }

  /** 1 if the bit that a probe means is set, else 0. */
  private long bit(long probe) {
    return OffHeap.getLong(address + modulus.wordOffset(probe)) >>> modulus.place(probe) & 1;
  }

  /**
   * Sets the bits of an item and counts it, if one of them was clear.
   *
   * @return whether one was
   */
  boolean add(long first, long second) {
    UndoLog log = undo;
    long added = log == null ? setAll(first, second) : setAllNoting(log, first, second);
    if (added == 0) {
      return false;
    }
    size++;
    populate();
    return true;
  }

  private long setAll(long first, long second) {
    long added = 0;
    long x = first;
    for (int i = 0; i < shape.hashes(); i++) {
      added |= set(x);
      x += second;
    }
    return added;
  }

  /**
   * Adds items as {@link #add}, each of which may be new: there is {@link #hasRoomFor room} for
   * all.
   *
   * @param hashes pairs of hashes, the first item's at {@code from}
   * @param pending bit i stands for the i-th item
   * @return those bits of {@code pending} whose items set a bit
   */
  long add(long[] hashes, int from, long pending) {
    long added =
        undo == null ? setEach(hashes, from, pending) : setEachNoting(hashes, from, pending);
    if (added != 0) {
      size += Long.bitCount(added);
      populate();
    }
    return added;
  }

  private long setEach(long[] hashes, int from, long pending) {
    long added = 0;
    for (long rest = pending; rest != 0; rest &= rest - 1) {
      int i = Long.numberOfTrailingZeros(rest);
      long changed = setAll(hashes[from + 2 * i], hashes[from + 2 * i + 1]);
      added |= (changed == 0 ? 0L : 1L) << i;
    }
    return added;
  }

  private long setEachNoting(long[] hashes, int from, long pending) {
    long added = 0;
    for (long rest = pending; rest != 0; rest &= rest - 1) {
      int i = Long.numberOfTrailingZeros(rest);
      long first = hashes[from + 2 * i];
      long second = hashes[from + 2 * i + 1];
      UndoLog log = undo;
      long changed = log == null ? setAll(first, second) : setAllNoting(log, first, second);
      added |= (changed == 0 ? 0L : 1L) << i;
    }
    return added;
  }

  private long setAllNoting(UndoLog log, long first, long second) {
    synchronized (log) {
      if (!log.hasEnded()) {
        int added = 0;
        long x = first;
        for (int i = 0; i < shape.hashes(); i++) {
          added |= log.set(modulus.remainder(x));
          x += second;
        }
        return added;
      }
    }
    undo = null;
    return setAll(first, second);
  }

  /**
   * Begins to keep what a snapshot needs to write the bits as they are now. Under the shard's lock,
   * for the snapshot's thread also if it is only for reading.
   */
  public UndoLog beginUndo(SnapshotMemory memory) {
    UndoLog log = UndoLog.begin(memory, block, shape.bytes());
    undo = log;
    return log;
  }

  /**
   * Sets the bit that a probe means, while no snapshot wants to know. Writes also what is there
   * already: whether it is, is as good as random, and a mispredicted branch per probe costs more.
   *
   * @return 0 if it was set already
   */
  private long set(long probe) {
    long at = address + modulus.wordOffset(probe);
    long before = OffHeap.getLong(at);
    long after = before | 1L << modulus.place(probe);
    OffHeap.putLong(at, after);
    return after ^ before;
  }

  /** The only place where bits are overwritten. */
  void overwrite(long offsetBytes, long from, long length) {
    UndoLog log = undo;
    if (log == null) {
      OffHeap.copy(from, address + offsetBytes, length);
    } else {
      overwritePreserving(log, offsetBytes, from, length);
    }
  }

  private void overwritePreserving(UndoLog log, long offsetBytes, long from, long length) {
    synchronized (log) {
      log.preserve(offsetBytes, length);
      OffHeap.copy(from, address + offsetBytes, length);
    }
  }

  /** With the first change: a filter that is only reserved takes no pages. */
  private void populate() {
    if (!populated) {
      populated = true;
      pool.populate(block);
    }
  }

  void copyBitsFrom(SubFilter other) {
    overwrite(0, other.address, shape.bytes());
  }

  void release() {
    block.release();
  }
}
