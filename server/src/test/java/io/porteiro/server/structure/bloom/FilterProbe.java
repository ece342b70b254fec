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

  ItemHashes hash(byte[] item) {
    ItemHashes hashes = new ItemHashes();
    hashes.add(filter.hashWidth(), MemorySegment.ofArray(item), 0, item.length);
    return hashes;
  }

  /** The items {@code prefix + from} to before {@code prefix + to}. */
  ItemHashes hash(String prefix, int from, int to) {
    ItemHashes hashes = new ItemHashes();
    for (int i = from; i < to; i++) {
      byte[] item = (prefix + i).getBytes(StandardCharsets.UTF_8);
      hashes.add(filter.hashWidth(), MemorySegment.ofArray(item), 0, item.length);
    }
    return hashes;
  }

  AddOutcome add(byte[] item) {
    return filter.add(hash(item), 0);
  }

  AddOutcome add(String item) {
    return add(item.getBytes(StandardCharsets.UTF_8));
  }

  boolean contains(String item) {
    return filter.contains(hash(item.getBytes(StandardCharsets.UTF_8)), 0);
  }

  /** How many of the items were new. */
  int addAll(String prefix, int count) {
    ItemHashes items = hash(prefix, 0, count);
    int added = 0;
    for (int i = 0; i < count; i++) {
      added += filter.add(items, i) == AddOutcome.ADDED ? 1 : 0;
    }
    return added;
  }

  /** How many of the items are in it. */
  int countOf(String prefix, int from, int to) {
    ItemHashes items = hash(prefix, from, to);
    int found = 0;
    for (int i = 0; i < items.count(); i++) {
      found += filter.contains(items, i) ? 1 : 0;
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
