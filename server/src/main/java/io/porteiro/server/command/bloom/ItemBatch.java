package io.porteiro.server.command.bloom;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.HashList;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.HashWidth;

/**
 * The items of one request and their hashes.
 *
 * @param firstItem index of the argument that is the first item; all behind it are items too
 * @param hashes pairs, the first item's at {@code from}
 */
record ItemBatch(Request request, int firstItem, long[] hashes, int from) {
  /** Appends the hashes that all filters made today want. No lock is needed. */
  static void hash(Request request, int firstItem, HashList hashes) {
    int count = request.count();
    int at = hashes.extend(2 * Math.max(0, count - firstItem));
    long[] pairs = hashes.array();
    for (int i = firstItem; i < count; i++) {
      HashWidth.hash64(request.address(i), request.length(i), pairs, at);
      at += 2;
    }
  }

  /** Answers that of each item which commands answer most: it is not there, or was not new. */
  static void answerNo(int count, ReplyWriter reply) {
    for (int item = 0; item < count; item += Long.SIZE) {
      reply.bools(0, Math.min(Long.SIZE, count - item));
    }
  }

  /**
   * Answers for each item what its bit says.
   *
   * @param words the bits, those of the first 64 items in the word at {@code from}
   */
  static void answer(long[] words, int from, int count, ReplyWriter reply) {
    for (int item = 0; item < count; item += Long.SIZE) {
      reply.bools(words[from + item / Long.SIZE], Math.min(Long.SIZE, count - item));
    }
  }

  /** Hashes the items for filters of a width. */
  static ItemBatch of(Request request, int firstItem, HashWidth width) {
    long[] hashes = new long[2 * (request.count() - firstItem)];
    for (int i = firstItem; i < request.count(); i++) {
      int at = 2 * (i - firstItem);
      long address = request.address(i);
      int length = request.length(i);
      hashes[at] = width.first(OffHeap.MEMORY, address, length);
      hashes[at + 1] = width.second(OffHeap.MEMORY, address, length, hashes[at]);
    }
    return new ItemBatch(request, firstItem, hashes, 0);
  }

  /** Whether a filter has the first item; in the usual case without making an object. */
  static boolean isFirstIn(
      BloomFilter filter, Request request, int firstItem, HashList hashes, int from) {
    if (filter.hashWidth() == HashWidth.BITS_64) {
      return filter.contains(hashes.get(from), hashes.get(from + 1));
    }
    ItemBatch items = of(request, firstItem, filter.hashWidth());
    return filter.contains(items.first(0), items.second(0));
  }

  /** With the hashes that the filter wants: these, or for filters from old files others. */
  ItemBatch forWidth(HashWidth width) {
    return width == HashWidth.BITS_64 ? this : of(request, firstItem, width);
  }

  int count() {
    return request.count() - firstItem;
  }

  /** Where the pair of an item is. */
  int at(int item) {
    return from + 2 * item;
  }

  long first(int item) {
    return hashes[at(item)];
  }

  long second(int item) {
    return hashes[at(item) + 1];
  }
}
