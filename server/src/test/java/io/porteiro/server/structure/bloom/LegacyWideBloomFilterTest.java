package io.porteiro.server.structure.bloom;

/** 64-bit hashes and sizes that are powers of two. */
class LegacyWideBloomFilterTest extends BloomFilterContract {
  @Override
  FilterProbe create() {
    return FilterProbe.fromHeader(pool, LegacyHeaders.emptyPowerOfTwo(4));
  }
}
