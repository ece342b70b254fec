package io.porteiro.server.rdb;

import static io.porteiro.server.rdb.RdbTesting.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryPool;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LengthCodeTest {
  private final MemoryPool pool = new MemoryPool(1 << 24);

  @AfterEach
  void close() {
    pool.close();
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        63,
        64,
        16383,
        16384,
        0x7fffffffL,
        0x80000000L,
        0xffffffffL,
        0x100000000L,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -1
      })
  void write_anyNumber_readsBack(long number) throws IOException {
    assertThat(RdbTesting.read(pool, written(number), LengthCode::read)).isEqualTo(number);
  }

  @Test
  void write_numbersAtTheBounds_takesTheShortestForm() {
    assertThat(written(63)).isEqualTo(bytes(63));
    assertThat(written(64)).isEqualTo(bytes(0x40, 64));
    assertThat(written(0x3fff)).isEqualTo(bytes(0x7f, 0xff));
    assertThat(written(0x4000)).isEqualTo(bytes(0x80, 0, 0, 0x40, 0));
    assertThat(written(0xffffffffL)).isEqualTo(bytes(0x80, 0xff, 0xff, 0xff, 0xff));
    assertThat(written(1L << 32)).isEqualTo(bytes(0x81, 0, 0, 0, 1, 0, 0, 0, 0));
  }

  /** 0x82 to 0xbf are unused, 0xc0 and above are string forms: neither may pass for a length. */
  @Test
  void read_noLength_isRefused() {
    for (int first = 0x82; first <= 0xff; first++) {
      byte[] encoding = bytes(first, 0, 0, 0, 0, 0, 0, 0, 0);
      assertThatThrownBy(() -> RdbTesting.read(pool, encoding, LengthCode::read))
          .as("first byte %x", first)
          .isInstanceOf(RdbFormatException.class)
          .hasMessageContaining("not a length");
    }
  }

  @Test
  void read_cutShort_isRefused() {
    for (byte[] cut : new byte[][] {{}, {0x40}, {(byte) 0x80, 0, 0, 0}, {(byte) 0x81, 0}}) {
      assertThatThrownBy(() -> RdbTesting.read(pool, cut, LengthCode::read))
          .isInstanceOf(RdbFormatException.class)
          .hasMessageContaining("unexpected end");
    }
  }

  private byte[] written(long number) {
    return RdbTesting.written(pool, out -> LengthCode.write(out, number));
  }
}
