package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HashListTest {
  @Test
  void list_growsAndIsUsedAgain() {
    HashList hashes = new HashList();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 100_000; i++) {
        hashes.add(i * 31L);
      }
      assertThat(hashes.size()).isEqualTo(100_000);
      assertThat(hashes.get(99_999)).isEqualTo(99_999 * 31L);
      hashes.clear();
      assertThat(hashes.size()).isZero();
      assertThat(hashes.array().length)
          .as("what a giant made it grow beyond is given back")
          .isLessThanOrEqualTo(1 << 16);
    }
  }
}
