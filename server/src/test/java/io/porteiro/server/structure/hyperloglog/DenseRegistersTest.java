package io.porteiro.server.structure.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.util.Arrays;
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
  void registerGroups_areTheRegistersGotOneByOne() {
    int[] model = fillAtRandom(6);
    RegisterGroups groups = new RegisterGroups();
    groups.load(registers);
    for (int i = 0; i < model.length; i++) {
      assertThat(groups.get(i)).as("register %d", i).isEqualTo(model[i]);
    }
  }

  @Test
  void store_ofLoadedGroups_givesTheSameBytes() {
    fillAtRandom(7);
    byte[] before = OffHeap.toArray(registers, DenseRegisters.BYTES);
    RegisterGroups groups = new RegisterGroups();
    groups.load(registers);
    OffHeap.fill(registers, DenseRegisters.BYTES, (byte) 0);
    groups.store(registers);
    assertThat(OffHeap.toArray(registers, DenseRegisters.BYTES)).isEqualTo(before);
  }

  @Test
  void raise_byAnotherSet_isTheMaximumOfEachRegister() {
    int[] first = fillAtRandom(8);
    RegisterGroups groups = new RegisterGroups();
    groups.load(registers);
    int[] second = fillAtRandom(9);
    groups.raise(registers);
    for (int i = 0; i < first.length; i++) {
      assertThat(groups.get(i)).isEqualTo(Math.max(first[i], second[i]));
    }
  }

  @Test
  void loadMax_ofTwoSets_isTheMaximumOfEachRegister() {
    int[] first = fillAtRandom(13);
    try (Copy copy = new Copy()) {
      int[] second = fillAtRandom(14);
      RegisterGroups groups = new RegisterGroups();
      groups.loadMax(registers, copy.address());
      for (int i = 0; i < first.length; i++) {
        assertThat(groups.get(i)).isEqualTo(Math.max(first[i], second[i]));
      }
    }
  }

  /** Every pair of values, beside neighbours that borrow, too. */
  @Test
  void max_ofAllPairs_isThatOfEachRegister() {
    for (int left = 0; left < 64; left++) {
      for (int right = 0; right < 64; right++) {
        long mixed = RegisterGroups.max(group(left, right), group(right, left));
        int greater = Math.max(left, right);
        assertThat(mixed).as("%d, %d", left, right).isEqualTo(group(greater, greater));
      }
    }
  }

  private static long group(int even, int odd) {
    return 0x001001001001L * even | 0x040040040040L * odd;
  }

  @Test
  void raise_aRun_leavesHigherOnesAndItsNeighbours() {
    RegisterGroups groups = new RegisterGroups();
    groups.raise(10, 1, 40);
    groups.raise(5, 12, 30);
    for (int i = 0; i < 24; i++) {
      int expected = i == 10 ? 40 : i >= 5 && i < 17 ? 30 : 0;
      assertThat(groups.get(i)).as("register %d", i).isEqualTo(expected);
    }
    assertThat(groups.countNonZero()).isEqualTo(12);
    assertThat(groups.nextNonZero(0)).isEqualTo(5);
    assertThat(groups.nextNonZero(17)).isEqualTo(-1);
  }

  @Test
  void cover_oneRegisterAbove_isFalseWhereverItIs() {
    int[] model = fillAtRandom(11);
    try (Copy copy = new Copy()) {
      assertThat(DenseRegisters.cover(registers, copy.address())).isTrue();
      for (int i = 0; i < HyperLogLog.REGISTERS; i++) {
        if (model[i] > 0) {
          DenseRegisters.set(registers, i, model[i] - 1);
          assertThat(DenseRegisters.cover(registers, copy.address()))
              .as("register %d", i)
              .isFalse();
          assertThat(DenseRegisters.cover(copy.address(), registers)).isTrue();
          DenseRegisters.set(registers, i, model[i]);
        }
      }
    }
  }

  @Test
  void cover_lowerRegistersAtRandom_isTrue() {
    Random random = new Random(12);
    int[] model = fillAtRandom(12);
    try (Copy copy = new Copy()) {
      for (int i = 0; i < model.length; i++) {
        DenseRegisters.set(copy.address(), i, random.nextInt(model[i] + 1));
      }
      assertThat(DenseRegisters.cover(registers, copy.address())).isTrue();
    }
  }

  /** The registers once more, elsewhere. */
  private final class Copy implements AutoCloseable {
    private final Block bytes = pool.allocate(DenseRegisters.BYTES);

    Copy() {
      OffHeap.copy(registers, bytes.address(), DenseRegisters.BYTES);
    }

    long address() {
      return bytes.address();
    }

    @Override
    public void close() {
      bytes.release();
    }
  }

  @Test
  void count_addsUpEachValue() {
    assertCounts(fillAtRandom(10));
  }

  @Test
  void count_allOfOneValue_isAllRegisters() {
    OffHeap.fill(registers, DenseRegisters.BYTES, (byte) 0xff);
    int[] model = new int[HyperLogLog.REGISTERS];
    Arrays.fill(model, 63);
    assertCounts(model);
  }

  private void assertCounts(int[] model) {
    int[] expected = new int[Histogram.CLASSES];
    for (int registerValue : model) {
      expected[registerValue]++;
    }
    RegisterGroups groups = new RegisterGroups();
    groups.load(registers);
    Histogram histogram = new Histogram();
    groups.count(histogram);
    for (int i = 0; i < Histogram.CLASSES; i++) {
      assertThat(histogram.count(i)).as("value %d", i).isEqualTo(expected[i]);
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
