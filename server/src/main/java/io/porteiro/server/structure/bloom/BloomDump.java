package io.porteiro.server.structure.bloom;

import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter in pieces, as BF.SCANDUMP hands them out and BF.LOADCHUNK takes them: a header, then
 * chunks of the bit arrays. Iterators count through the concatenation of all arrays, oldest link
 * first, and are 1 ahead: iterator 1 is offset 0, because 0 asks for the header. The iterator that
 * comes with a chunk is that of its end.
 *
 * <pre>
 *   offset    0            144                            456
 *             | link 0      | link 1                       |
 *   iterator  1            145                            457
 *   BF.SCANDUMP key 1 -> 145, 144 bytes       BF.LOADCHUNK key 145 (144 bytes)
 * </pre>
 */
public final class BloomDump {
  /** Longest chunk. */
  public static final long MAX_CHUNK_BYTES = 16L << 20;

  private BloomDump() {}

  /** Bytes of a bit array; valid as long as the lock under which it was asked for is held. */
  public record Chunk(long address, long length, long nextIterator) {}

  /** What a header says of a link. */
  public record LinkState(LinkShape shape, long size) {}

  /** The header of a filter. */
  public static byte[] header(BloomFilter filter) {
    List<LinkState> links = new ArrayList<>(filter.linkCount());
    for (int i = 0; i < filter.linkCount(); i++) {
      links.add(new LinkState(filter.link(i).shape(), filter.link(i).size()));
    }
    return header(filter.size(), filter.options(), filter.expansion(), links);
  }

  /** The header of a filter that is, or was, like this. */
  public static byte[] header(long size, int options, long expansion, List<LinkState> links) {
    return DumpHeader.of(size, options, expansion, links);
  }

  /** The length of the header of a filter with so many links. */
  public static long headerBytes(int links) {
    return DumpHeader.lengthBytes(links);
  }

  /**
   * What BF.SCANDUMP answers to an iterator of 1 or more; null at the end and for any iterator that
   * leads nowhere.
   */
  public static @Nullable Chunk chunk(BloomFilter filter, long iterator) {
    long offset = iterator - 1;
    for (int i = 0; i < filter.linkCount() && iterator > 0; i++) {
      SubFilter link = filter.link(i);
      long bytes = link.shape().bytes();
      if (offset < bytes) {
        long length = Math.min(MAX_CHUNK_BYTES, bytes - offset);
        return new Chunk(link.block().address() + offset, length, iterator + length);
      }
      offset -= bytes;
    }
    return null;
  }

  /**
   * Lays a chunk into the bit arrays, over what is there. Counts stay as they are.
   *
   * @param iterator the one that came with the chunk
   * @param address of the chunk, {@code length} bytes outside of the filter
   */
  public static LoadOutcome load(BloomFilter filter, long iterator, long address, long length) {
    if (iterator <= 0 || iterator < length) {
      return LoadOutcome.BAD_DATA;
    }
    long offset = iterator - 1 - length;
    for (int i = 0; i < filter.linkCount() && offset >= 0; i++) {
      SubFilter link = filter.link(i);
      if (offset < link.shape().bytes()) {
        return load(link, offset, address, length);
      }
      offset -= link.shape().bytes();
    }
    return LoadOutcome.NO_LINK;
  }

  private static LoadOutcome load(SubFilter link, long offset, long address, long length) {
    if (length > link.shape().bytes() - offset) {
      return LoadOutcome.TOO_BIG;
    }
    link.overwrite(offset, address, length);
    return LoadOutcome.LOADED;
  }

  /**
   * The filter that a header describes, all bits clear. Everything is checked before anything is
   * allocated.
   *
   * @throws InvalidFilterException if it contradicts itself or would not fit into memory
   */
  public static BloomFilter fromHeader(
      MemoryPool pool, MemorySegment memory, long offset, long length) {
    DumpHeader header = new DumpHeader(memory, offset, length);
    check(header, pool.limitBytes());
    try (BloomFilterBuilder builder =
        new BloomFilterBuilder(pool, header.size(), header.options(), header.growth())) {
      for (int i = 0; i < header.links(); i++) {
        builder.addLink(header.shape(i));
        builder.countLink(header.size(i));
      }
      return builder.build();
    } catch (MemoryLimitException e) {
      throw new InvalidFilterException(String.valueOf(e.getMessage()));
    }
  }

  private static void check(DumpHeader header, long limitBytes) {
    if (header.links() > BloomFilter.MAX_LINKS) {
      throw new InvalidFilterException(header.links() + " links");
    }
    long bytes = 0;
    long size = 0;
    for (int i = 0; i < header.links(); i++) {
      bytes += header.shape(i).bytes(); // no overflow: 1100 times 2^46 at most
      size += header.size(i);
    }
    if (size != header.size() || bytes > limitBytes) {
      throw new InvalidFilterException("size " + header.size() + ", " + bytes + " bytes");
    }
  }
}
