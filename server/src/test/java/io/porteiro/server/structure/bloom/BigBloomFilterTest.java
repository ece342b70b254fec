package io.porteiro.server.structure.bloom;

/** Links of 4 MB and more, where batches go through memory in waves. */
class BigBloomFilterTest extends BloomFilterContract {
  @Override
  FilterProbe create() {
    return FilterProbe.scaling(pool, 4_000_000, 0.01);
  }
}
