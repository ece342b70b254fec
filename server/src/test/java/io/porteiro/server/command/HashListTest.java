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

  @Test
  void extend_growsBehindWhatIsThere() {
    HashList hashes = new HashList();
    hashes.add(7);
    for (int count : new int[] {0, 3, 1000, 5000}) {
      int size = hashes.size();
      assertThat(hashes.extend(count)).isEqualTo(size);
      assertThat(hashes.size()).isEqualTo(size + count);
      assertThat(hashes.array().length).isGreaterThanOrEqualTo(size + count);
      assertThat(hashes.get(0)).isEqualTo(7);
    }
  }

  @Test
  void endCommand_tellsEachCommandsHashesApart() {
    HashList hashes = new HashList();
    for (int round = 0; round < 2; round++) {
      hashes.clear();
      hashes.add(1);
      hashes.add(2);
      hashes.endCommand();
      hashes.endCommand(); // has none
      hashes.add(4);
      hashes.endCommand();

      assertThat(hashes.start(0)).isZero();
      assertThat(hashes.end(0)).isEqualTo(2);
      assertThat(hashes.start(1)).isEqualTo(hashes.end(1)).isEqualTo(2);
      assertThat(hashes.start(2)).isEqualTo(2);
      assertThat(hashes.end(2)).isEqualTo(3);
      assertThat(hashes.get(2)).isEqualTo(4);
    }
  }
}
