package io.porteiro.server.rdb;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.BloomFilterBuilder;
import io.porteiro.server.structure.bloom.InvalidFilterException;
import io.porteiro.server.structure.bloom.LinkShape;
import io.porteiro.server.structure.bloom.SubFilter;
import java.io.IOException;

/**
 * Filters as values of the Bloom module's type, in all versions of its encoding.
 *
 * <pre>
 *   module id | size | links | options (2) | expansion (4) | link | link | ... | end
 *   link: entries | error rate | hashes | bits per entry | bits (1) | log2 (1) | bit array | size
 *   (n): from version n on
 * </pre>
 */
final class BloomCodec {
  private static final String TYPE_NAME = "MBbloom--";
  private static final int NEWEST_VERSION = 4;
  private static final int OPTIONS_SINCE = 2;
  private static final int EXPANSION_SINCE = 4;
  private static final int BITS_SINCE = 1;
  private static final long DEFAULT_EXPANSION = 2;

  /** Two doubles, three numbers, a string; each at least a byte and with its kind before it. */
  private static final long MIN_LINK_BYTES = 2 * 9 + 4 * 2;

  private static final long MAX_NUMBER_BYTES = 10;
  private static final long MAX_LINK_BYTES = 8 * MAX_NUMBER_BYTES;
  private static final long MAX_CHAIN_BYTES = 6 * MAX_NUMBER_BYTES;

  private BloomCodec() {}

  static boolean isBloom(long moduleId) {
    return ModuleId.name(moduleId).equals(TYPE_NAME);
  }

  /**
   * Reads what follows the module id. Every number is checked before anything is allocated by it.
   */
  static BloomFilter read(RdbInput in, MemoryPool pool, int version) throws IOException {
    if (version > NEWEST_VERSION) {
      throw in.bad("unknown version " + version + " of the encoding of " + TYPE_NAME);
    }
    try {
      return readChain(in, pool, version);
    } catch (InvalidFilterException e) {
      throw in.bad("contradictory Bloom filter: " + e.getMessage());
    }
  }

  private static BloomFilter readChain(RdbInput in, MemoryPool pool, int version)
      throws IOException {
    long size = ModuleItem.readUnsigned(in);
    long links = readLinkCount(in);
    long options = version >= OPTIONS_SINCE ? ModuleItem.readUnsigned(in) : 0;
    long expansion = version >= EXPANSION_SINCE ? ModuleItem.readUnsigned(in) : DEFAULT_EXPANSION;
    try (BloomFilterBuilder builder = new BloomFilterBuilder(pool, size, options, expansion)) {
      for (long i = 0; i < links; i++) {
        readLink(in, builder, version);
      }
      ModuleItem.expect(in, ModuleItem.EOF);
      return builder.build();
    }
  }

  private static long readLinkCount(RdbInput in) throws IOException {
    long links = ModuleItem.readUnsigned(in);
    if (links < 0 || links > in.remaining() / MIN_LINK_BYTES) {
      throw in.bad("no room for " + Long.toUnsignedString(links) + " sub-filters");
    }
    return links;
  }

  private static void readLink(RdbInput in, BloomFilterBuilder builder, int version)
      throws IOException {
    long entries = ModuleItem.readUnsigned(in);
    double errorRate = ModuleItem.readDouble(in);
    long hashes = ModuleItem.readUnsigned(in);
    double bitsPerEntry = ModuleItem.readDouble(in);
    boolean hasBits = version >= BITS_SINCE;
    long bits = hasBits ? ModuleItem.readUnsigned(in) : (long) (entries * bitsPerEntry);
    long log2 = hasBits ? ModuleItem.readUnsigned(in) : 0;
    ModuleItem.expect(in, ModuleItem.STRING);
    StringForm form = StringForm.read(in);
    SubFilter link =
        builder.addLink(
            LinkShape.stored(entries, errorRate, bitsPerEntry, hashes, form.length(), bits, log2));
    StringInput.readContent(in, form, link.block().address());
    builder.countLink(ModuleItem.readUnsigned(in));
  }

  /** An upper bound of what the filter takes. */
  static long maxBytes(BloomFilter filter) {
    return MAX_CHAIN_BYTES + MAX_LINK_BYTES * filter.linkCount() + filter.bitArrayBytes();
  }

  static void write(RdbOutput out, BloomImage filter) throws IOException {
    LengthCode.write(out, ModuleId.of(TYPE_NAME, NEWEST_VERSION));
    ModuleItem.writeUnsigned(out, filter.size());
    ModuleItem.writeUnsigned(out, filter.links().size());
    ModuleItem.writeUnsigned(out, filter.options());
    ModuleItem.writeUnsigned(out, filter.expansion());
    for (BloomImage.Link link : filter.links()) {
      writeLink(out, link);
    }
    ModuleItem.writeEof(out);
  }

  private static void writeLink(RdbOutput out, BloomImage.Link link) throws IOException {
    LinkShape shape = link.shape();
    ModuleItem.writeUnsigned(out, shape.entries());
    ModuleItem.writeDouble(out, shape.errorRate());
    ModuleItem.writeUnsigned(out, shape.hashes());
    ModuleItem.writeDouble(out, shape.bitsPerEntry());
    ModuleItem.writeUnsigned(out, shape.bits());
    ModuleItem.writeUnsigned(out, shape.log2());
    LengthCode.write(out, ModuleItem.STRING);
    LengthCode.write(out, shape.bytes());
    link.bits().write(out, shape.bytes());
    ModuleItem.writeUnsigned(out, link.size());
  }
}
