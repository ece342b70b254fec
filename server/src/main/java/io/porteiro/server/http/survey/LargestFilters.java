package io.porteiro.server.http.survey;

import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.bloom.BloomFilter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Keeps the largest of the filters it is shown: those that fewest others push out again. */
final class LargestFilters {
  private static final Comparator<FilterFigures> LARGEST_FIRST =
      Comparator.comparingLong(FilterFigures::bytes)
          .reversed()
          .thenComparingInt(FilterFigures::database)
          .thenComparing(FilterFigures::key, Arrays::compareUnsigned);

  private final int limit;
  private final PriorityQueue<FilterFigures> smallestFirst =
      new PriorityQueue<>(LARGEST_FIRST.reversed());
  private long seen;

  LargestFilters(int limit) {
    this.limit = limit;
  }

  void offer(int database, Entry entry, BloomFilter filter) {
    seen++;
    if (isTooSmall(entry)) {
      return;
    }
    smallestFirst.add(FilterFigures.of(database, entry, filter));
    if (smallestFirst.size() > limit) {
      smallestFirst.remove();
    }
  }

  /** Known before its figures are worked out. */
  private boolean isTooSmall(Entry entry) {
    FilterFigures smallest = smallestFirst.peek();
    boolean full = smallestFirst.size() >= limit;
    return full && (smallest == null || entry.memoryBytes() < smallest.bytes());
  }

  long seen() {
    return seen;
  }

  List<FilterFigures> largestFirst() {
    return smallestFirst.stream().sorted(LARGEST_FIRST).toList();
  }
}
