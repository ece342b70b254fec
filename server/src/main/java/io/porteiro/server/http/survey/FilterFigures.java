package io.porteiro.server.http.survey;

import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.bloom.BloomFilter;

/**
 * One filter as it was a moment ago.
 *
 * @param key not to be changed
 * @param items added, an unsigned number
 * @param capacity of all sub-filters, an unsigned number
 * @param fill part of the bits that is set, estimated
 * @param errorRate of false positives now, estimated
 * @param promisedErrorRate what was asked for
 * @param expansion how many times larger each further sub-filter is; 0 if there will be none
 * @param bytes as MEMORY USAGE counts
 */
public record FilterFigures(
    int database,
    byte[] key,
    long items,
    long capacity,
    double fill,
    double errorRate,
    double promisedErrorRate,
    int subFilters,
    long expansion,
    long bytes) {
  /** In a scope that reads the entry's shard. */
  static FilterFigures of(int database, Entry entry, BloomFilter filter) {
    return new FilterFigures(
        database,
        entry.key(),
        filter.size(),
        filter.capacity(),
        filter.estimatedFill(),
        filter.estimatedErrorRate(),
        filter.promisedErrorRate(),
        filter.linkCount(),
        filter.isNonScaling() ? 0 : filter.expansion(),
        entry.memoryBytes());
  }

  /** The key as text; no two keys have the same. */
  public String name() {
    return KeyName.of(key);
  }
}
