package io.porteiro.server.structure.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.MemoryPool;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Byte identity with Redis over 48,000 states. What would get through without it: any update, merge
 * or count whose bytes differ only in rare neighbourhoods of opcodes.
 */
class FingerprintTest {
  @ParameterizedTest
  @CsvSource({
    "0, 1, fa6e2934393746d4",
    "0, 2, da143c9bd74d44d1",
    "1, 1, fa6e2934393746d4",
    "20, 1, fa6e2934393746d4",
    "100, 1, e2589ee80f5959d4",
    "100, 2, 4dba8b169235bae2",
    "500, 1, a5a03be87f947c3a",
    "500, 2, 0c419d56e7246d85",
    "3000, 1, 4a4d90b89f948352",
    "3000, 2, ff8f034f3b558168",
    "8000, 1, 7712c08be58d08e6",
    "8000, 2, ad233a9f23ea2d6e",
    "20000, 1, 91af49cfe33aba9d",
    "20000, 2, 0a388d826b9f657d"
  })
  void randomSeries_givesTheStatesThatRedisGave(long sparseMaxBytes, long seed, String digest)
      throws Exception {
    try (MemoryPool pool = new MemoryPool(Long.MAX_VALUE)) {
      StructureTarget target = new StructureTarget(pool);
      String actual = new Scenario(target, seed).run(sparseMaxBytes);
      assertThat(actual).as("seed %d", seed).isEqualTo(digest);
      target.deleteAll();
      assertThat(pool.usedBytes()).isZero();
    }
  }
}
