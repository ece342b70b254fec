package io.porteiro.server.structure.bloom;

class NonScalingBloomFilterTest extends BloomFilterContract {
  @Override
  FilterProbe create() {
    return FilterProbe.nonScaling(pool, ITEMS, 0.01);
  }
}
