package io.porteiro.server.structure.bloom;

/** 32-bit hashes and sizes that are powers of two, as the first versions saved them. */
class LegacyNarrowBloomFilterTest extends BloomFilterContract {
  @Override
  FilterProbe create() {
    return FilterProbe.fromHeader(pool, LegacyHeaders.emptyPowerOfTwo(0));
  }
}
