package io.porteiro.server.structure.bloom;

import io.porteiro.server.memory.MemoryPool;

/** 32-bit hashes, but sizes as today. */
class LegacyUnroundedBloomFilterTest extends BloomFilterContract {
  @Override
  FilterProbe create() {
    try (MemoryPool elsewhere = new MemoryPool(FilterProbe.NO_LIMIT)) {
      byte[] header = FilterProbe.scaling(elsewhere, 10, 0.01).header();
      header[LegacyHeaders.OPTIONS_OFFSET] = 1;
      return FilterProbe.fromHeader(pool, header);
    }
  }
}
