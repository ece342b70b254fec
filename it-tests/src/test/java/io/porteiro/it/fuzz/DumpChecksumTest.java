package io.porteiro.it.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.golden.GoldenFile;
import org.junit.jupiter.api.Test;

class DumpChecksumTest {
  @Test
  void crc64_ofTheCheckInput_isTheCheckValue() {
    assertThat(DumpChecksum.crc64("123456789", 9)).isEqualTo(0xe9c6d914c4b8d9caL);
  }

  /** Sealing what a Redis wrote gives its checksum, but for the version number. */
  @Test
  void seal_ofARealValue_endsInVersionAndChecksum() {
    GoldenFile file = GoldenFile.of("dump", "string.r70");
    String payload = file.bytes(file.text("file"));
    String value = DumpChecksum.withoutTrailer(payload);
    assertThat(DumpChecksum.seal(value)).startsWith(value + "\t\0").hasSameSizeAs(payload);
  }
}
