package io.porteiro.server.structure.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.string.StringValue;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DenseHyperLogLogTest extends RegistersContract {
  @Override
  void represent(StringValue value) {
    assertThat(HyperLogLog.toDense(value, workspace)).isTrue();
  }

  @Test
  void toDense_ofADenseOne_isNothing() {
    assertThat(HyperLogLog.toDense(value, workspace)).isFalse();
  }

  @Test
  void add_rank51_isTheGreatest() {
    assertThat(ElementHash.rank(0)).isEqualTo(51);
    assertThat(add(0)).isTrue();
    assertThat(registers(value)[0]).isEqualTo(51);
  }

  @Test
  void count_withoutMemoryForTheHistogram_countsAllTheSame() {
    add(Elements.hash("a"));
    value.trim();
    pool.setLimitBytes(pool.usedBytes());
    assertThat(HyperLogLog.count(value, workspace)).isEqualTo(1);
    assertThat(value.attachmentBytes()).isZero();
  }

  @Test
  void count_afterTheBytesWereOverwritten_isThatOfTheNewBytes() {
    for (long hash : Elements.numbered("n", 0, 5000)) {
      add(hash);
    }
    HyperLogLog.count(value, workspace);
    assertThat(HyperLogLog.hasHistogram(value)).isTrue();
    OffHeap.fill(value.edit() + HyperLogLogHeader.BYTES, DenseRegisters.BYTES, (byte) 0);
    HyperLogLogHeader.markStale(value.edit());
    assertThat(HyperLogLog.count(value, workspace)).isZero();
  }

  /** All registers at 1, 2, 10 and 32; the counts are Redis's. */
  @ParameterizedTest
  @CsvSource({
    "0x041041, 23637",
    "0x082082, 47274",
    "0x28a28a, 12102203",
    "0x820820, 50760319129350"
  })
  void count_ofEqualRegisters_isRedisCount(int fourRegisters, long count) {
    long registers = value.edit() + HyperLogLogHeader.BYTES;
    for (int at = 0; at < DenseRegisters.BYTES; at += 3) {
      OffHeap.putShort(registers + at, (short) fourRegisters);
      OffHeap.putByte(registers + at + 2, (byte) (fourRegisters >> 16));
    }
    assertThat(HyperLogLog.count(value, workspace)).isEqualTo(count);
  }

  @Test
  void count_ofRegistersThatNoElementCanMake_doesNotFail() {
    byte[] bytes = value.toArray();
    Arrays.fill(bytes, HyperLogLogHeader.BYTES, bytes.length, (byte) 0xff);
    StringValue full = StringValue.copyOf(pool, bytes);
    assertThatCode(() -> HyperLogLog.count(full, workspace)).doesNotThrowAnyException();
    assertThat(HyperLogLog.wouldChange(full, 0, workspace)).isFalse();
    full.release();
  }
}
