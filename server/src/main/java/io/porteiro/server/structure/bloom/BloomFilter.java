package io.porteiro.server.structure.bloom;

import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.FilterCensus;
import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.ValueType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A scalable Bloom filter (Almeida et al. 2007, "Scalable Bloom Filters"): a chain of sub-filters,
 * here <i>links</i>. An item is in it if any link has it. When the newest link is full, the next
 * add appends one with {@code expansion} times the capacity and half the error rate, so that the
 * rates of all links together stay below twice the first one's; that is why a chain that may scale
 * gives its first link half of the rate that was asked for.
 *
 * <pre>
 *   BF.RESERVE key 0.01 100          after 350 items
 *   +---------------------+     +---------------------+     +---------------------+
 *   | 100 items  rate .005 | -> | 200 items rate .0025 | -> | 400 items rate .00125|
 *   | 8 probes, 1152 bits  |    | 9 probes, 2496 bits  |    | 10 probes, 5568 bits |
 *   +---------------------+     +---------------------+     +---------------------+
 * </pre>
 *
 * Items come as pairs of hashes (see {@link HashWidth}), made before the lock is taken. A chain
 * with another {@link #hashWidth} than {@link HashWidth#BITS_64} needs them made again.
 */
public final class BloomFilter implements Value, FilterCensus.Counted {
  /** A link has half the rate of the one before, and the smallest double is 2^-1074. */
  public static final int MAX_LINKS = 1100;

  /** How many items {@link #test} looks at in one call; bits of a long. */
  public static final int MAX_BATCH = Long.SIZE;

  /** A requested rate above is taken as this, as in the Bloom module. */
  public static final double MAX_ERROR_RATE = 0.25;

  private static final long HEAP_BYTES = 64;
  private static final long HEAP_BYTES_PER_LINK = 184;
  private static final long REPORTED_BYTES = 32;
  private static final long REPORTED_BYTES_PER_LINK = 64;

  private final MemoryPool pool;
  private final int options;
  private final long expansion;
  private SubFilter[] links;
  private long size;

  /** Of the table where it is; null while it is in none. */
  private @Nullable FilterCensus census;

  /** Takes over the links, at least one, oldest first. */
  BloomFilter(MemoryPool pool, long size, int options, long expansion, SubFilter[] links) {
    this.pool = pool;
    this.size = size;
    this.options = options;
    this.expansion = expansion;
    this.links = links;
    pool.count(heapBytes());
  }

  /**
   * An empty filter.
   *
   * @param capacity items it is made for, at least 1
   * @param errorRate wanted, between 0 and 1; above {@link #MAX_ERROR_RATE} that is taken
   * @param expansion how many times larger each further link is; 0 makes it non-scaling
   * @throws ImpossibleLinkException if no link can be made for these
   * @throws MemoryLimitException if there is no room for it
   */
  public static BloomFilter create(
      MemoryPool pool, long capacity, double errorRate, long expansion, boolean nonScaling) {
    boolean fixed = nonScaling || expansion == 0;
    double cappedRate = Math.min(errorRate, MAX_ERROR_RATE);
    LinkShape shape = LinkShape.of(capacity, fixed ? cappedRate : cappedRate * 0.5);
    SubFilter[] links = {SubFilter.allocate(pool, shape)};
    return new BloomFilter(pool, 0, ChainOptions.ofNew(fixed), expansion, links);
  }

  /** Whether the item is in it, for certain if not, with the error rate if so. */
  public boolean contains(long first, long second) {
    return isInNewest(links.length, first, second);
  }

  /**
   * Looks in the first {@code count} links only; newest to oldest, because newer ones are larger.
   */
  private boolean isInNewest(int count, long first, long second) {
    for (int i = count - 1; i >= 0; i--) {
      if (links[i].lookUp(first, second)) {
        return true;
      }
    }
    return false;
  }

  /**
   * How many of some items are in it before the first that is not. Where that is the first of all
   * it looks no further, otherwise up to {@link #MAX_BATCH} items further.
   *
   * @param hashes pairs of hashes, the first item's at {@code from}
   */
  public int countPresent(long[] hashes, int from, int items) {
    if (items == 0 || !contains(hashes[from], hashes[from + 1])) {
      return 0;
    }
    int present = 1;
    while (present < items) {
      int batch = Math.min(MAX_BATCH, items - present);
      int found = Long.numberOfTrailingZeros(~test(hashes, from + 2 * present, batch));
      present += found;
      if (found < batch) {
        break;
      }
    }
    return present;
  }

  /**
   * Which of some items, at most {@link #MAX_BATCH}, are in it.
   *
   * @param hashes pairs of hashes, the first item's at {@code from}
   * @return bit i stands for the i-th item
   */
  public long test(long[] hashes, int from, int items) {
    long pending = allOf(items);
    long found = 0;
    for (int i = links.length - 1; i >= 0 && pending != 0; i--) {
      found |= links[i].test(hashes, from, pending);
      pending &= ~found;
    }
    return found;
  }

  /**
   * Makes the memory be fetched that {@link #contains} will look at first, where there is so much
   * of it that it pays.
   */
  public void touchForTest(long first, long second) {
    for (int i = links.length - 1; i >= 0; i--) {
      links[i].touchForTest(first, second);
    }
  }

  /** Makes the memory be fetched that {@link #add} will look at. */
  public void touchForAdd(long first, long second) {
    newest().touchForAdd(first, second);
    for (int i = links.length - 2; i >= 0; i--) {
      links[i].touchForTest(first, second);
    }
  }

  private static long allOf(int count) {
    if (count > MAX_BATCH) {
      throw new IllegalArgumentException("batch of " + count);
    }
    return count == 0 ? 0 : -1L >>> (Long.SIZE - count);
  }

  /** Adds an item. Only for the holder of the write lock. */
  public AddOutcome add(long first, long second) {
    if (isInNewest(links.length - 1, first, second)) {
      return AddOutcome.PRESENT;
    }
    return newest().isFull() ? addToFull(first, second) : addToNewest(first, second);
  }

  /**
   * Whether {@link #addAll} may be asked to add so many items: none of them can find the newest
   * link full.
   */
  public boolean hasRoomFor(int items) {
    return newest().hasRoomFor(items);
  }

  /**
   * Adds some items, at most {@link #MAX_BATCH}, for which there is {@link #hasRoomFor room}. Only
   * for the holder of the write lock.
   *
   * @param hashes pairs of hashes, the first item's at {@code from}
   * @return bit i stands for the i-th item: whether it was added, or else was there
   */
  public long addAll(long[] hashes, int from, int items) {
    if (!hasRoomFor(items)) {
      throw new IllegalStateException("no room for " + items);
    }
    long pending = allOf(items);
    for (int i = links.length - 2; i >= 0 && pending != 0; i--) {
      pending &= ~links[i].test(hashes, from, pending);
    }
    long added = newest().add(hashes, from, pending);
    countAdded(Long.bitCount(added));
    return added;
  }

  private void countAdded(int items) {
    size += items;
    FilterCensus counting = census;
    if (counting != null && items > 0) {
      counting.itemsAdded(items);
    }
  }

  private AddOutcome addToNewest(long first, long second) {
    if (!newest().add(first, second)) {
      return AddOutcome.PRESENT;
    }
    countAdded(1);
    return AddOutcome.ADDED;
  }

  private AddOutcome addToFull(long first, long second) {
    if (newest().lookUp(first, second)) {
      return AddOutcome.PRESENT;
    }
    if (isNonScaling()) {
      return AddOutcome.FULL;
    }
    return grow() ? addToNewest(first, second) : AddOutcome.CANNOT_GROW;
  }

  /** Appends a link. All that can fail comes before the chain is changed. */
  private boolean grow() {
    if (!ChainOptions.canGrow(options) || links.length == MAX_LINKS) {
      return false;
    }
    try {
      LinkShape shape = newest().shape().next(expansion, ChainOptions.arePowersOfTwo(options));
      append(SubFilter.allocate(pool, shape));
      return true;
    } catch (ImpossibleLinkException | MemoryLimitException e) {
      return false;
    }
  }

  private void append(SubFilter link) {
    SubFilter[] longer = Arrays.copyOf(links, links.length + 1);
    longer[links.length] = link;
    links = longer;
    pool.count(HEAP_BYTES_PER_LINK);
    if (census != null) {
      census.linkAdded(link.shape().entries(), HEAP_BYTES_PER_LINK + link.shape().bytes());
    }
  }

  private SubFilter newest() {
    return links[links.length - 1];
  }

  /** How many items were added, an unsigned number. */
  public long size() {
    return size;
  }

  /** For how many items the links were made, together; modulo 2^64, as the Bloom module counts. */
  public long capacity() {
    long capacity = 0;
    for (SubFilter link : links) {
      capacity += link.shape().entries();
    }
    return capacity;
  }

  public int linkCount() {
    return links.length;
  }

  /** A link by its age, 0 for the oldest. */
  public SubFilter link(int index) {
    return links[index];
  }

  /** As stored in headers and files. */
  public int options() {
    return options;
  }

  /** As given, also where the chain does not scale. */
  public long expansion() {
    return expansion;
  }

  public boolean isNonScaling() {
    return ChainOptions.isNonScaling(options);
  }

  public HashWidth hashWidth() {
    return ChainOptions.hashWidth(options);
  }

  /** Length of all bit arrays. */
  public long bitArrayBytes() {
    long bytes = 0;
    for (SubFilter link : links) {
      bytes += link.shape().bytes();
    }
    return bytes;
  }

  /** What BF.INFO calls the size: the bit arrays, and the Bloom module's structures about them. */
  public long reportedBytes() {
    return REPORTED_BYTES + REPORTED_BYTES_PER_LINK * links.length + bitArrayBytes();
  }

  /**
   * The rate of false positives that was asked for when it was made, or what {@link
   * #MAX_ERROR_RATE} left of it: the bound for a chain of any length. A chain that may scale gave
   * half of it to its first link.
   */
  public double promisedErrorRate() {
    double first = links[0].shape().errorRate();
    return isNonScaling() ? first : Math.min(1, 2 * first);
  }

  /**
   * The rate of false positives to be expected now: an absent item is taken for present unless each
   * link knows it is not. Estimated, as {@link SubFilter#estimatedErrorRate}.
   */
  public double estimatedErrorRate() {
    double known = 1;
    for (SubFilter link : links) {
      known *= 1 - link.estimatedErrorRate();
    }
    return 1 - known;
  }

  /**
   * Which part of the bits of all links is set, 0 to 1. Estimated, as {@link
   * SubFilter#estimatedFill}.
   */
  public double estimatedFill() {
    double set = 0;
    double bits = 0;
    for (SubFilter link : links) {
      set += link.estimatedFill() * link.shape().modulus();
      bits += link.shape().modulus();
    }
    return set / bits;
  }

  @Override
  public void enter(FilterCensus table) {
    census = table;
    table.add(links.length, size, capacity(), memoryBytes());
  }

  @Override
  public void leave(FilterCensus table) {
    table.remove(links.length, size, capacity(), memoryBytes());
    if (census == table) {
      census = null;
    }
  }

  /** Looked at without the lock, what is not final may not be there yet. */
  @Override
  public long touchObjects() {
    @Nullable SubFilter[] racing = links;
    if (racing == null) {
      return 0;
    }
    SubFilter newest = racing[racing.length - 1];
    return newest == null ? 0 : newest.touchObjects();
  }

  @Override
  public ValueType type() {
    return ValueType.BLOOM;
  }

  @Override
  public long memoryBytes() {
    return heapBytes() + bitArrayBytes();
  }

  @Override
  public long countedBytes() {
    return memoryBytes();
  }

  private long heapBytes() {
    return HEAP_BYTES + HEAP_BYTES_PER_LINK * links.length;
  }

  @Override
  public BloomFilter copy() {
    try (BloomFilterBuilder builder = new BloomFilterBuilder(pool, size, options, expansion)) {
      for (SubFilter link : links) {
        builder.addLink(link.shape()).copyBitsFrom(link);
        builder.countLink(link.size());
      }
      return builder.build();
    }
  }

  @Override
  public void release() {
    pool.count(-heapBytes());
    for (SubFilter link : links) {
      link.release();
    }
  }
}
