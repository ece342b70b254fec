package io.porteiro.server.command.bloom;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.HashList;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.HashWidth;

/**
 * The items of a request: from the argument {@code firstItem} on all are. Of each there is a pair
 * of hashes, and an answer of one bit.
 */
final class Items {
  private Items() {}

  /** Appends the hashes that all filters made today want. No lock is needed. */
  static void hash(Request request, int firstItem, HashList hashes) {
    int at = hashes.extend(2 * Math.max(0, request.count() - firstItem));
    hash(request, firstItem, hashes.array(), at);
  }

  private static void hash(Request request, int firstItem, long[] pairs, int from) {
    int count = request.count();
    int at = from;
    for (int i = firstItem; i < count; i++) {
      HashWidth.hash64(request.address(i), request.length(i), pairs, at);
      at += 2;
    }
  }

  /** The hashes that filters of a width want. */
  static long[] pairs(Request request, int firstItem, HashWidth width) {
    long[] pairs = new long[2 * (request.count() - firstItem)];
    if (width == HashWidth.BITS_64) {
      hash(request, firstItem, pairs, 0);
      return pairs;
    }
    for (int i = firstItem; i < request.count(); i++) {
      int at = 2 * (i - firstItem);
      long address = request.address(i);
      int length = request.length(i);
      pairs[at] = width.first(OffHeap.MEMORY, address, length);
      pairs[at + 1] = width.second(OffHeap.MEMORY, address, length, pairs[at]);
    }
    return pairs;
  }

  /** Whether a filter has the first item; in the usual case without making an object. */
  static boolean isFirstIn(
      BloomFilter filter, Request request, int firstItem, HashList hashes, int from) {
    if (filter.hashWidth() == HashWidth.BITS_64) {
      return filter.contains(hashes.get(from), hashes.get(from + 1));
    }
    long[] pairs = pairs(request, firstItem, filter.hashWidth());
    return filter.contains(pairs[0], pairs[1]);
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
   * @param words the bits, those of the first 64 items in the first
   */
  static void answer(long[] words, int count, ReplyWriter reply) {
    for (int item = 0; item < count; item += Long.SIZE) {
      reply.bools(words[item / Long.SIZE], Math.min(Long.SIZE, count - item));
    }
  }
}
