package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.hash.MurmurHash64A;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Elements of tests, and their hashes. */
final class Elements {
  private Elements() {}

  static long hash(String element) {
    byte[] bytes = element.getBytes(StandardCharsets.UTF_8);
    return MurmurHash64A.hash(MemorySegment.ofArray(bytes), 0, bytes.length, ElementHash.SEED);
  }

  static long[] hashes(String... elements) {
    return Stream.of(elements).mapToLong(Elements::hash).toArray();
  }

  /** Hashes of prefix0, prefix1 and so on. */
  static long[] numbered(String prefix, int from, int to) {
    return IntStream.range(from, to).mapToLong(i -> hash(prefix + i)).toArray();
  }

  /** A hash that names the register and has the rank (1 to 51). */
  static long hash(int register, int rank) {
    return register | (rank == 51 ? 0 : 1L << (HyperLogLog.PRECISION + rank - 1));
  }
}
