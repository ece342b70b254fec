package io.porteiro.server.rdb;

import io.porteiro.server.memory.SnapshotMemory;
import io.porteiro.server.structure.bloom.BloomDump;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.LinkShape;
import io.porteiro.server.structure.bloom.SubFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A filter with its counters and links as they were at some moment. */
record BloomImage(long size, int options, long expansion, List<Link> links)
    implements CapturedValue {
  /** A link with the items it counted. */
  record Link(LinkShape shape, long size, BitSource bits) {
    long bytes() {
      return shape.bytes();
    }
  }

  /** A filter as it stands: to be written while its shard is locked. */
  static BloomImage ofLocked(BloomFilter filter) {
    return of(filter, link -> new LockedBits(link.block().address()));
  }

  /** A filter as it is now, under its shard's lock, to be written later and without. */
  static BloomImage ofCaptured(BloomFilter filter, SnapshotMemory memory) {
    return of(filter, link -> new CapturedBits(link.beginUndo(memory)));
  }

  private static BloomImage of(BloomFilter filter, Function<SubFilter, BitSource> source) {
    List<Link> links = new ArrayList<>(filter.linkCount());
    for (int i = 0; i < filter.linkCount(); i++) {
      SubFilter link = filter.link(i);
      links.add(new Link(link.shape(), link.size(), source.apply(link)));
    }
    return new BloomImage(filter.size(), filter.options(), filter.expansion(), links);
  }

  @Override
  public long bytes() {
    return links.stream().mapToLong(Link::bytes).sum();
  }

  /** What BF.SCANDUMP begins with. */
  byte[] dumpHeader() {
    return BloomDump.header(
        size,
        options,
        expansion,
        links.stream().map(link -> new BloomDump.LinkState(link.shape(), link.size())).toList());
  }

  @Override
  public void release() {
    links.forEach(link -> link.bits().release());
  }
}
