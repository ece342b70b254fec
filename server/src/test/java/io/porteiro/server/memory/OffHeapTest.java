package io.porteiro.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OffHeapTest {
  private final MemoryPool pool = new MemoryPool(1 << 20);
  private final Block block = pool.allocate(64);
  private final long at = block.address();

  @AfterEach
  void close() {
    block.release();
    pool.close();
  }

  @Test
  void numbers_lieLittleEndianAtAnyAddress() {
    OffHeap.putLong(at + 1, 0x0102030405060708L);

    assertThat(OffHeap.toArray(at, 10)).containsExactly(0, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    assertThat(OffHeap.getLong(at + 1)).isEqualTo(0x0102030405060708L);
    assertThat(OffHeap.getInt(at + 2)).isEqualTo(0x04050607);
    assertThat(OffHeap.getShort(at + 3)).isEqualTo((short) 0x0506);
    assertThat(OffHeap.getByte(at + 8)).isEqualTo((byte) 1);
  }

  @Test
  void parts_areWrittenWithoutTheirNeighbours() {
    OffHeap.fill(at, 16, (byte) 0x7f);
    OffHeap.putByte(at + 1, (byte) 1);
    OffHeap.putShort(at + 3, (short) 0x0203);
    OffHeap.putInt(at + 6, 0x04050607);

    assertThat(OffHeap.toArray(at, 11))
        .containsExactly(0x7f, 1, 0x7f, 3, 2, 0x7f, 7, 6, 5, 4, 0x7f);
  }

  @Test
  void copies_goBothWaysAndMayOverlap() {
    byte[] text = "abcdefgh".getBytes(StandardCharsets.US_ASCII);
    OffHeap.copyFrom(text, 2, at, 5);
    OffHeap.copy(at, at + 1, 5);
    byte[] back = new byte[7];
    OffHeap.copyTo(at, back, 1, 6);

    assertThat(new String(back, StandardCharsets.US_ASCII)).isEqualTo("\0ccdefg");
  }

  @Test
  void areEqual_rangesThatDifferInOneByte_areNotFromThatLengthOn() {
    for (int different = 0; different < 20; different++) {
      OffHeap.fill(at, 64, (byte) 7);
      OffHeap.putByte(at + 32 + different, (byte) 8);
      for (int length = 0; length <= 20; length++) {
        assertThat(OffHeap.areEqual(at, length, at + 32, length)).isEqualTo(length <= different);
      }
    }
  }
}
