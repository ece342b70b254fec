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
  /** From here on a probe is a cache miss as a rule, and looking at items in waves pays. */
  static final long BIG_BYTES = 4L << 20;

  /** Half of the bits of a full filter are set: two probes tell three absent items of four. */
  private static final int FIRST_WAVE_PROBES = 2;

  private final LinkShape shape;
  private final Block block;
  private final long address;
  private final MemoryPool pool;
  private final Reciprocal modulus;
  private long size;
  private boolean populated;

  /** Where a snapshot wants to know of changes; also for a while after it has ended. */
  private @Nullable UndoLog undo;

  private SubFilter(MemoryPool pool, LinkShape shape, Block block) {
    this.pool = pool;
    this.shape = shape;
    this.block = block;
    this.address = block.address(); // never resized
    this.modulus = new Reciprocal(shape.modulus());
    this.populated = !isBig();
  }

  /**
   * A link without items.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room for its bits
   */
  static SubFilter allocate(MemoryPool pool, LinkShape shape) {
    return new SubFilter(pool, shape, pool.allocate(shape.bytes()));
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

  boolean contains(long first, long second) {
    long x = first;
    for (int i = 0; i < shape.hashes(); i++) {
      if (bit(modulus.remainder(x)) == 0) {
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
    if (!isBig()) {
      return testOneByOne(hashes, from, pending);
    }
    int firstWave = Math.min(FIRST_WAVE_PROBES, shape.hashes());
    long candidates = testProbes(hashes, from, pending, 0, firstWave);
    return testProbes(hashes, from, candidates, firstWave, shape.hashes());
  }

  /** Makes the memory of the first probes be fetched, which is all that most absent items need. */
  void touchForTest(long first, long second) {
    touch(first, second, Math.min(FIRST_WAVE_PROBES, shape.hashes()));
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
      sum += OffHeap.getByte(address + (modulus.remainder(x) >>> 3));
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
      found |= (long) allSet(x, second, endProbe - probe) << i;
    }
    return found;
  }

  private int allSet(long start, long step, int probes) {
    long x = start;
    int set = 1;
    for (int i = 0; i < probes; i++) {
      set &= bit(modulus.remainder(x));
      x += step;
    }
    return set;
  }

  private int bit(long index) {
    return (OffHeap.getByte(address + (index >>> 3)) >>> (index & 7)) & 1;
  }

  /**
   * Sets the bits of an item and counts it, if one of them was clear.
   *
   * @return whether one was
   */
  boolean add(long first, long second) {
    UndoLog log = undo;
    int added = log == null ? setAll(first, second) : setAllNoting(log, first, second);
    if (added == 0) {
      return false;
    }
    size++;
    populate();
    return true;
  }

  private int setAll(long first, long second) {
    int added = 0;
    long x = first;
    for (int i = 0; i < shape.hashes(); i++) {
      added |= set(modulus.remainder(x));
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
      int changed = setAll(hashes[from + 2 * i], hashes[from + 2 * i + 1]);
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
      int changed = log == null ? setAll(first, second) : setAllNoting(log, first, second);
      added |= (changed == 0 ? 0L : 1L) << i;
    }
    return added;
  }

  private int setAllNoting(UndoLog log, long first, long second) {
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
   * Where a bit is set while no snapshot wants to know. Writes also what is there already: whether
   * it is, is as good as random, and a mispredicted branch per probe costs more.
   *
   * @return 0 if it was set already
   */
  private int set(long index) {
    long at = address + (index >>> 3);
    int before = OffHeap.getByte(at);
    int after = before | 1 << (index & 7);
    OffHeap.putByte(at, (byte) after);
    return (byte) (after ^ before);
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
