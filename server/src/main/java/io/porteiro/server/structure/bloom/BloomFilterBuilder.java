package io.porteiro.server.structure.bloom;

import io.porteiro.server.memory.MemoryPool;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a filter of stored parts, link by link, oldest first. What is not built is given back when
 * it is closed.
 *
 * <pre>
 *   try (var builder = new BloomFilterBuilder(pool, size, options, expansion)) {
 *     SubFilter link = builder.addLink(LinkShape.stored(...));
 *     // fill link.block() with the bit array
 *     builder.countLink(itemsInLink);
 *     return builder.build();
 *   }
 * </pre>
 */
public final class BloomFilterBuilder implements AutoCloseable {
  private static final long MAX_EXPANSION = 0xffff_ffffL;

  private final MemoryPool pool;
  private final long size;
  private final int options;
  private final long expansion;
  private final List<SubFilter> links = new ArrayList<>(1);

  /**
   * @param size items in the whole chain; need not be the sum of the links'
   * @throws InvalidFilterException if an option is not known or the expansion has over 32 bits
   */
  public BloomFilterBuilder(MemoryPool pool, long size, long options, long expansion) {
    if (!ChainOptions.areKnown(options)) {
      throw new InvalidFilterException("unknown options " + Long.toUnsignedString(options));
    }
    if (expansion < 0 || expansion > MAX_EXPANSION) {
      throw new InvalidFilterException("bad expansion " + Long.toUnsignedString(expansion));
    }
    this.pool = pool;
    this.size = size;
    this.options = (int) options;
    this.expansion = expansion;
  }

  /**
   * Appends a link whose bits are all clear.
   *
   * @throws InvalidFilterException if there are too many links
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room for it
   */
  public SubFilter addLink(LinkShape shape) {
    if (links.size() == BloomFilter.MAX_LINKS) {
      throw new InvalidFilterException("too many links");
    }
    SubFilter link = SubFilter.allocate(pool, shape);
    links.add(link);
    return link;
  }

  /** Sets how many items the link appended last has, an unsigned number. */
  public void countLink(long size) {
    links.getLast().setSize(size);
  }

  /**
   * The filter. The builder is empty afterwards.
   *
   * @throws InvalidFilterException if it has no link
   */
  public BloomFilter build() {
    if (links.isEmpty()) {
      throw new InvalidFilterException("no links");
    }
    SubFilter[] chain = links.toArray(SubFilter[]::new);
    links.clear();
    return new BloomFilter(pool, size, options, expansion, chain);
  }

  @Override
  public void close() {
    links.forEach(SubFilter::release);
    links.clear();
  }
}
