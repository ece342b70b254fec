package io.porteiro.server.structure.bloom;

class ScalingBloomFilterTest extends BloomFilterContract {
  @Override
  FilterProbe create() {
    return FilterProbe.scaling(pool, 10, 0.01);
  }
}
