package io.porteiro.server.rdb;

import io.porteiro.server.memory.Block;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.LinkShape;
import io.porteiro.server.structure.bloom.SubFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * A filter with its counters and links as they were at some moment. Its bits are not copied: they
 * may be set meanwhile.
 */
record BloomImage(long size, int options, long expansion, List<Link> links)
    implements CapturedValue {
  /** A link with the items it counted. */
  record Link(LinkShape shape, long size, Block bits) {}

  static BloomImage of(BloomFilter filter) {
    List<Link> links = new ArrayList<>(filter.linkCount());
    for (int i = 0; i < filter.linkCount(); i++) {
      SubFilter link = filter.link(i);
      links.add(new Link(link.shape(), link.size(), link.block()));
    }
    return new BloomImage(filter.size(), filter.options(), filter.expansion(), links);
  }

  @Override
  public void retain() {
    links.forEach(link -> link.bits().retain());
  }

  @Override
  public void release() {
    links.forEach(link -> link.bits().release());
  }
}
