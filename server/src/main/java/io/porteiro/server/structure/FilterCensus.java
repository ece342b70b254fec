package io.porteiro.server.structure;

/**
 * How many Bloom filters there are in one table of keys, and what they hold: kept up to date by the
 * filters themselves, so that nobody has to walk over them.
 *
 * <p>Written under the write lock of the table's shard, without any fence; whoever reads without
 * the lock sees whole numbers, perhaps a moment old.
 */
public final class FilterCensus {
  /** A value that is counted in the census of the table where it is. */
  public interface Counted {
    /** It is in the table now. */
    void enter(FilterCensus census);

    /** It is no longer in the table, but may be in another one already. */
    void leave(FilterCensus census);
  }

  private long filters;
  private long links;
  private long items;
  private long capacity;
  private long bytes;

  /**
   * Adds a whole filter.
   *
   * @param capacity modulo 2^64, as filters count
   */
  public void add(long links, long items, long capacity, long bytes) {
    filters++;
    count(links, items, capacity, bytes);
  }

  /** Takes a whole filter away. */
  public void remove(long links, long items, long capacity, long bytes) {
    filters--;
    count(-links, -items, -capacity, -bytes);
  }

  private void count(long moreLinks, long moreItems, long moreCapacity, long moreBytes) {
    links += moreLinks;
    items += moreItems;
    capacity += moreCapacity;
    bytes += moreBytes;
  }

  /** A filter has more items. */
  public void itemsAdded(int count) {
    items += count;
  }

  /** A filter has one more link. */
  public void linkAdded(long linkCapacity, long linkBytes) {
    count(1, 0, linkCapacity, linkBytes);
  }

  /** Adds the figures of another census to these. */
  public void addAll(FilterCensus other) {
    filters += other.filters;
    count(other.links, other.items, other.capacity, other.bytes);
  }

  public long filters() {
    return filters;
  }

  /** Sub-filters of all filters. */
  public long links() {
    return links;
  }

  /** Items that were added, an unsigned number. */
  public long items() {
    return items;
  }

  /** Items for which the filters were made, an unsigned number, modulo 2^64. */
  public long capacity() {
    return capacity;
  }

  /** Memory of the filters, as MEMORY USAGE counts it. */
  public long bytes() {
    return bytes;
  }
}
