package io.porteiro.server.structure.bloom;

import io.porteiro.server.hash.MurmurHash2;
import io.porteiro.server.hash.MurmurHash64A;
import io.porteiro.server.memory.OffHeap;
import java.lang.foreign.MemorySegment;

/**
 * How a chain hashes its items: to a pair (first, second) of which probe i is first + i * second
 * modulo the bits of the link.
 */
public enum HashWidth {
  /** All chains made today. */
  BITS_64(64) {
    @Override
    public long first(MemorySegment bytes, long offset, long length) {
      return MurmurHash64A.hash(bytes, offset, length, SEED_64);
    }

    @Override
    public long second(MemorySegment bytes, long offset, long length, long first) {
      return MurmurHash64A.hash(bytes, offset, length, first);
    }
  },

  /**
   * Chains from old files. Their probes are defined modulo 2^32 where the link has up to 2^31 bits,
   * but then the number of bits is a power of two, and the wider sum has the same remainder.
   */
  BITS_32(32) {
    @Override
    public long first(MemorySegment bytes, long offset, long length) {
      return Integer.toUnsignedLong(MurmurHash2.hash(bytes, offset, length, 0x9747b28c));
    }

    @Override
    public long second(MemorySegment bytes, long offset, long length, long first) {
      return Integer.toUnsignedLong(MurmurHash2.hash(bytes, offset, length, (int) first));
    }
  };

  private static final long SEED_64 = 0xc6a4a7935bd1e995L;

  private final int bits;

  HashWidth(int bits) {
    this.bits = bits;
  }

  /** Puts both hashes of an item in memory, as {@link #BITS_64} makes them, into an array. */
  public static void hash64(long address, int length, long[] pairs, int at) {
    MurmurHash64A.hashTwice(OffHeap.MEMORY, address, length, SEED_64, pairs, at);
  }

  /** Width of each hash. */
  public int bits() {
    return bits;
  }

  /** The first hash of an item. */
  public abstract long first(MemorySegment bytes, long offset, long length);

  /** The second hash of an item, which its first one seeds. */
  public abstract long second(MemorySegment bytes, long offset, long length, long first);
}
