package io.porteiro.server.structure.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DenseRegistersTest {
  private static final int GUARD_BYTES = 16;
  private static final long GUARD = 0x5a5a5a5a5a5a5a5aL;

  private final MemoryPool pool = new MemoryPool(Long.MAX_VALUE);
  private final Block block = pool.allocate(DenseRegisters.BYTES + 2 * GUARD_BYTES);
  private final long registers = block.address() + GUARD_BYTES;

  @BeforeEach
  void putGuards() {
    OffHeap.fill(block.address(), GUARD_BYTES, (byte) GUARD);
    OffHeap.fill(registers + DenseRegisters.BYTES, GUARD_BYTES, (byte) GUARD);
  }

  @AfterEach
  void guards_areUntouched() {
    for (int i = 0; i < GUARD_BYTES; i += Long.BYTES) {
      assertThat(OffHeap.getLong(block.address() + i)).isEqualTo(GUARD);
      assertThat(OffHeap.getLong(registers + DenseRegisters.BYTES + i)).isEqualTo(GUARD);
    }
    block.release();
    pool.close();
  }

  @Test
  void set_oneRegister_leavesAllOthers() {
    OffHeap.fill(registers, DenseRegisters.BYTES, (byte) 0xff);
    for (int register = 0; register < HyperLogLog.REGISTERS; register++) {
      DenseRegisters.set(registers, register, register % 63);
      assertThat(DenseRegisters.get(registers, register)).isEqualTo(register % 63);
      if (register + 1 < HyperLogLog.REGISTERS) {
        assertThat(DenseRegisters.get(registers, register + 1)).isEqualTo(63);
      }
      if (register > 0) {
        assertThat(DenseRegisters.get(registers, register - 1)).isEqualTo((register - 1) % 63);
      }
    }
  }

  @Test
  void set_firstRegisters_fillBytesFromTheLeastSignificantBitOn() {
    DenseRegisters.set(registers, 0, 0b000001);
    DenseRegisters.set(registers, 1, 0b000110);
    DenseRegisters.set(registers, 2, 0b111111);
    assertThat(OffHeap.toArray(registers, 3)).containsExactly(0b10000001, 0b11110001, 0b00000011);
  }

  @Test
  void unpackedRegisters_areThoseGotOneByOne() {
    long seed = 6;
    int[] model = fillAtRandom(seed);
    UnpackedRegisters unpacked = new UnpackedRegisters();
    unpacked.load(registers);
    for (int i = 0; i < model.length; i++) {
      assertThat(unpacked.get(i)).as("seed %d, register %d", seed, i).isEqualTo(model[i]);
    }
  }

  @Test
  void pack_ofUnpackedRegisters_givesTheSameBytes() {
    fillAtRandom(7);
    byte[] before = OffHeap.toArray(registers, DenseRegisters.BYTES);
    UnpackedRegisters unpacked = new UnpackedRegisters();
    unpacked.load(registers);
    OffHeap.fill(registers, DenseRegisters.BYTES, (byte) 0);
    unpacked.pack(registers);
    assertThat(OffHeap.toArray(registers, DenseRegisters.BYTES)).isEqualTo(before);
  }

  @Test
  void raise_byAnotherSet_isTheMaximumOfEachRegister() {
    int[] first = fillAtRandom(8);
    UnpackedRegisters unpacked = new UnpackedRegisters();
    unpacked.load(registers);
    int[] second = fillAtRandom(9);
    unpacked.raise(registers);
    for (int i = 0; i < first.length; i++) {
      assertThat(unpacked.get(i)).isEqualTo(Math.max(first[i], second[i]));
    }
  }

  @Test
  void count_addsUpEachValue() {
    int[] model = fillAtRandom(10);
    Histogram expected = new Histogram();
    for (int registerValue : model) {
      expected.add(registerValue, 1);
    }
    UnpackedRegisters unpacked = new UnpackedRegisters();
    unpacked.load(registers);
    Histogram histogram = new Histogram();
    unpacked.count(histogram);
    for (int i = 0; i < Histogram.CLASSES; i++) {
      assertThat(histogram.count(i)).isEqualTo(expected.count(i));
    }
  }

  private int[] fillAtRandom(long seed) {
    Random random = new Random(seed);
    int[] model = random.ints(HyperLogLog.REGISTERS, 0, 64).toArray();
    for (int i = 0; i < model.length; i++) {
      DenseRegisters.set(registers, i, model[i]);
    }
    return model;
  }
}
