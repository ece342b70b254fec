package io.porteiro.server.structure.bloom;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** A filter with items given as text, as the tests want to see it. */
record FilterProbe(BloomFilter filter) {
  static final long NO_LIMIT = Long.MAX_VALUE;

  static FilterProbe scaling(MemoryPool pool, long capacity, double errorRate) {
    return new FilterProbe(BloomFilter.create(pool, capacity, errorRate, 2, false));
  }

  static FilterProbe nonScaling(MemoryPool pool, long capacity, double errorRate) {
    return new FilterProbe(BloomFilter.create(pool, capacity, errorRate, 2, true));
  }

  static FilterProbe fromHeader(MemoryPool pool, byte[] header) {
    return new FilterProbe(
        BloomDump.fromHeader(pool, MemorySegment.ofArray(header), 0, header.length));
  }

  /** The pair of hashes of an item. */
  long[] hash(byte[] item) {
    long[] pair = new long[2];
    hash(item, pair, 0);
    return pair;
  }

  private void hash(byte[] item, long[] hashes, int at) {
    MemorySegment bytes = MemorySegment.ofArray(item);
    hashes[at] = filter.hashWidth().first(bytes, 0, item.length);
    hashes[at + 1] = filter.hashWidth().second(bytes, 0, item.length, hashes[at]);
  }

  /** The pairs of the items {@code prefix + from} to before {@code prefix + to}. */
  long[] hash(String prefix, int from, int to) {
    long[] hashes = new long[2 * (to - from)];
    for (int i = from; i < to; i++) {
      hash((prefix + i).getBytes(StandardCharsets.UTF_8), hashes, 2 * (i - from));
    }
    return hashes;
  }

  AddOutcome add(byte[] item) {
    long[] pair = hash(item);
    return filter.add(pair[0], pair[1]);
  }

  AddOutcome add(String item) {
    return add(item.getBytes(StandardCharsets.UTF_8));
  }

  boolean contains(String item) {
    long[] pair = hash(item.getBytes(StandardCharsets.UTF_8));
    return filter.contains(pair[0], pair[1]);
  }

  /** How many of the items were new. */
  int addAll(String prefix, int count) {
    long[] hashes = hash(prefix, 0, count);
    int added = 0;
    for (int i = 0; i < hashes.length; i += 2) {
      added += filter.add(hashes[i], hashes[i + 1]) == AddOutcome.ADDED ? 1 : 0;
    }
    return added;
  }

  /** How many of the items are in it. */
  int countOf(String prefix, int from, int to) {
    long[] hashes = hash(prefix, from, to);
    int found = 0;
    for (int i = 0; i < hashes.length; i += 2) {
      found += filter.contains(hashes[i], hashes[i + 1]) ? 1 : 0;
    }
    return found;
  }

  byte[] header() {
    return BloomDump.header(filter);
  }

  /** All bit arrays, one after the other. */
  byte[] bits() {
    ByteArrayOutputStream bits = new ByteArrayOutputStream();
    BloomDump.Chunk chunk = BloomDump.chunk(filter, 1);
    while (chunk != null) {
      bits.writeBytes(OffHeap.toArray(chunk.address(), (int) chunk.length()));
      chunk = BloomDump.chunk(filter, chunk.nextIterator());
    }
    return bits.toByteArray();
  }
}
