package io.porteiro.server.structure.bloom;

import io.porteiro.server.structure.bloom.BloomDump.LinkState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The header that BF.SCANDUMP begins with, packed and little-endian.
 *
 * <pre>
 *    0        8        12        16        20
 *   +--------+--------+---------+---------+- - - - - - - - - -+- -
 *   |  size  | links  | options | growth  |  link 0           | link 1 ...
 *   +--------+--------+---------+---------+- - - - - - - - - -+- -
 *
 *    0       8      16     24       32     40       44       52   53
 *   +-------+------+------+--------+------+--------+---------+----+
 *   | bytes | bits | size | error  | bpe  | hashes | entries | n2 |
 *   +-------+------+------+--------+------+--------+---------+----+
 *      u64    u64    u64    double  double   u32       u64     u8
 * </pre>
 */
final class DumpHeader {
  private static final int CHAIN_BYTES = 20;
  private static final int LINK_BYTES = 53;

  private static final int SIZE = 0;
  private static final int LINKS = 8;
  private static final int OPTIONS = 12;
  private static final int GROWTH = 16;

  private static final int LINK_BIT_ARRAY_BYTES = 0;
  private static final int LINK_BITS = 8;
  private static final int LINK_SIZE = 16;
  private static final int LINK_ERROR = 24;
  private static final int LINK_BPE = 32;
  private static final int LINK_HASHES = 40;
  private static final int LINK_ENTRIES = 44;
  private static final int LINK_N2 = 52;

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment memory;
  private final long offset;

  /** A view of {@code length} bytes from {@code offset} on, which must hold a whole header. */
  DumpHeader(MemorySegment memory, long offset, long length) {
    this.memory = memory;
    this.offset = offset;
    if (length < CHAIN_BYTES || length != lengthBytes(links())) {
      throw new InvalidFilterException("header of " + length + " bytes");
    }
  }

  private DumpHeader(byte[] bytes) {
    this.memory = MemorySegment.ofArray(bytes);
    this.offset = 0;
  }

  static long lengthBytes(long links) {
    return CHAIN_BYTES + LINK_BYTES * links;
  }

  static byte[] of(long size, int options, long growth, List<LinkState> links) {
    byte[] bytes = new byte[(int) lengthBytes(links.size())];
    DumpHeader header = new DumpHeader(bytes);
    header.writeChain(size, links.size(), options, (int) growth);
    for (int i = 0; i < links.size(); i++) {
      header.writeLink(i, links.get(i));
    }
    return bytes;
  }

  private void writeChain(long size, int links, int options, int growth) {
    memory.set(LONG, offset + SIZE, size);
    memory.set(INT, offset + LINKS, links);
    memory.set(INT, offset + OPTIONS, options);
    memory.set(INT, offset + GROWTH, growth);
  }

  private void writeLink(int index, LinkState link) {
    LinkShape shape = link.shape();
    long at = at(index);
    memory.set(LONG, at + LINK_BIT_ARRAY_BYTES, shape.bytes());
    memory.set(LONG, at + LINK_BITS, shape.bits());
    memory.set(LONG, at + LINK_SIZE, link.size());
    memory.set(DOUBLE, at + LINK_ERROR, shape.errorRate());
    memory.set(DOUBLE, at + LINK_BPE, shape.bitsPerEntry());
    memory.set(INT, at + LINK_HASHES, shape.hashes());
    memory.set(LONG, at + LINK_ENTRIES, shape.entries());
    memory.set(BYTE, at + LINK_N2, (byte) shape.log2());
  }

  private long at(int link) {
    return offset + CHAIN_BYTES + (long) LINK_BYTES * link;
  }

  long size() {
    return memory.get(LONG, offset + SIZE);
  }

  long links() {
    return Integer.toUnsignedLong(memory.get(INT, offset + LINKS));
  }

  long options() {
    return Integer.toUnsignedLong(memory.get(INT, offset + OPTIONS));
  }

  long growth() {
    return Integer.toUnsignedLong(memory.get(INT, offset + GROWTH));
  }

  long size(int link) {
    return memory.get(LONG, at(link) + LINK_SIZE);
  }

  /** The shape of a link, checked. */
  LinkShape shape(int link) {
    long at = at(link);
    return LinkShape.stored(
        memory.get(LONG, at + LINK_ENTRIES),
        memory.get(DOUBLE, at + LINK_ERROR),
        memory.get(DOUBLE, at + LINK_BPE),
        Integer.toUnsignedLong(memory.get(INT, at + LINK_HASHES)),
        memory.get(LONG, at + LINK_BIT_ARRAY_BYTES),
        memory.get(LONG, at + LINK_BITS),
        Byte.toUnsignedLong(memory.get(BYTE, at + LINK_N2)));
  }
}
