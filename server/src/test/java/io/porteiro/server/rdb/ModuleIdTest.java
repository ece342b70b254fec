package io.porteiro.server.rdb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ModuleIdTest {
  /** From a payload that the Bloom module wrote. */
  private static final long BLOOM_VERSION_4 = 0x3016e5a289bef804L;

  @Test
  void of_bloomType_isWhatTheModuleWrites() {
    assertThat(ModuleId.of("MBbloom--", 4)).isEqualTo(BLOOM_VERSION_4);
  }

  @Test
  void name_ofId_isTheName() {
    assertThat(ModuleId.name(BLOOM_VERSION_4)).isEqualTo("MBbloom--");
    assertThat(ModuleId.version(BLOOM_VERSION_4)).isEqualTo(4);
  }

  /** The first letter and the last version bit are the ends of the 64 bits. */
  @Test
  void name_ofExtremeIds_hasNineCharacters() {
    assertThat(ModuleId.name(0)).isEqualTo("AAAAAAAAA");
    assertThat(ModuleId.name(-1)).isEqualTo("_________");
    assertThat(ModuleId.version(-1)).isEqualTo(1023);
  }
}
