package io.porteiro.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SnapshotMemoryTest {
  private static final long MIB = 1 << 20;
  private static final long FREE_BYTES = 8 * MIB;

  private final MemoryPool pool = new MemoryPool(64 * MIB);
  private final SnapshotMemory memory = new SnapshotMemory(pool, Long.MAX_VALUE);

  @AfterEach
  void close() {
    memory.close();
    await(() -> pool.usedBytes() == 0 && pool.snapshotBytes() == 0);
    pool.close();
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private Block slab() {
    return Objects.requireNonNull(memory.takeSlab());
  }

  @Test
  void prepare_keepsFourSlabs_whichAreHandedOutFirst() {
    memory.prepare();
    assertThat(pool.snapshotBytes()).isEqualTo(4 * MIB);
    List<Block> slabs = List.of(slab(), slab(), slab(), slab());
    assertThat(pool.snapshotBytes()).isEqualTo(4 * MIB);
    memory.prepare();
    assertThat(pool.snapshotBytes()).isEqualTo(8 * MIB);
    slabs.forEach(memory::giveBack);
    await(() -> pool.snapshotBytes() == 4 * MIB);
  }

  @Test
  void cells_areDistinctAndComeBack() {
    Set<Long> cells = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      long cell = memory.takeCell();
      OffHeap.fill(cell, SnapshotMemory.CELL_BYTES, (byte) i);
      assertThat(cells.add(cell)).isTrue();
    }
    assertThat(pool.snapshotBytes()).isEqualTo(2 * MIB);
    cells.forEach(memory::giveBackCell);
    for (int i = 0; i < 300; i++) {
      assertThat(cells.remove(memory.takeCell())).isTrue();
    }
  }

  @Test
  void take_withinWhatIsFree_isNeverRefused() {
    pool.allocate(64 * MIB - 10).release();
    Block data = pool.allocate(64 * MIB);
    for (int i = 0; i < FREE_BYTES / MIB; i++) {
      memory.giveBack(slab());
    }
    memory.checkLimit();
    assertThat(memory.isGivenUp()).isFalse();
    data.release();
  }

  @Test
  void take_beyondTheLimit_givesUpForGoodWithTheFigure() {
    Block data = pool.allocate(60 * MIB);
    List<Block> slabs = new ArrayList<>();
    Block next = memory.takeSlab();
    while (next != null) {
      slabs.add(next);
      next = memory.takeSlab();
    }
    assertThat(memory.isGivenUp()).isTrue();
    assertThat(memory.excessBytes()).isEqualTo(slabs.size() * MIB).isEqualTo(13 * MIB);
    slabs.forEach(memory::giveBack);
    data.release();
    await(() -> pool.usedBytes() <= 4 * MIB);
    assertThat(memory.takeSlab()).isNull();
    assertThat(memory.takeCell()).isZero();
    assertThat(memory.take(10)).isNull();
  }

  @Test
  void take_beyondTheMachine_givesUp() {
    try (SnapshotMemory little = new SnapshotMemory(pool, MIB)) {
      List<Block> slabs = new ArrayList<>();
      Block next = little.takeSlab();
      while (next != null) {
        slabs.add(next);
        next = little.takeSlab();
      }
      assertThat(slabs).hasSize(10);
      slabs.forEach(little::giveBack);
    }
  }

  /** Clients are compared with the limit without the snapshot. */
  @Test
  void snapshotsMemory_doesNotCountAgainstClients() {
    Block data = pool.allocate(60 * MIB);
    Block slab = slab();
    Block more = pool.allocate(4 * MIB);
    assertThat(pool.lastingBytes()).isEqualTo(64 * MIB);
    assertThatThrownBy(() -> pool.allocate(1)).isInstanceOf(MemoryLimitException.class);
    memory.giveBack(slab);
    data.release();
    more.release();
  }

  @Test
  void heldBlock_isTheSnapshotsOnlyWhenNobodyElseHoldsIt() {
    Block block = pool.allocate(100);
    block.holdForSnapshot();
    assertThat(block.isShared()).isTrue();
    assertThat(pool.snapshotBytes()).isZero();
    block.retain();
    block.release();
    assertThat(pool.snapshotBytes()).isZero();
    block.release();
    assertThat(pool.snapshotBytes()).isEqualTo(100);
    assertThat(pool.lastingBytes()).isZero();
    block.releaseFromSnapshot();
    assertThat(pool.usedBytes()).isZero();
    assertThat(pool.snapshotBytes()).isZero();
  }

  @Test
  void heldBlock_letGoByTheSnapshotFirst_neverWasTheSnapshots() {
    Block block = pool.allocate(100);
    block.holdForSnapshot();
    block.releaseFromSnapshot();
    assertThat(block.isShared()).isFalse();
    block.release();
    assertThat(pool.usedBytes()).isZero();
    assertThat(pool.snapshotBytes()).isZero();
  }

  @Test
  void heldBlock_heldTwiceOrReleasedWithoutHolding_isAnError() {
    Block block = pool.allocate(100);
    block.holdForSnapshot();
    assertThatThrownBy(block::holdForSnapshot).isInstanceOf(IllegalStateException.class);
    Block other = pool.allocate(0);
    assertThatThrownBy(other::releaseFromSnapshot).isInstanceOf(IllegalStateException.class);
    pool.count(-100);
  }

  /** The copy takes the place of what the snapshot keeps, so only growth can be refused. */
  @Test
  void allocateInPlaceOf_memoryFull_isRefusedOnlyForGrowth() {
    Block block = pool.allocate(64 * MIB);
    block.holdForSnapshot();
    Block copy = pool.allocateInPlaceOf(block, 64 * MIB);
    assertThatThrownBy(() -> pool.allocateInPlaceOf(block, 64 * MIB + 1))
        .isInstanceOf(MemoryLimitException.class);
    assertThat(pool.usedBytes()).isEqualTo(128 * MIB);
    block.release();
    assertThat(pool.lastingBytes()).isEqualTo(64 * MIB);
    block.releaseFromSnapshot();
    copy.release();
  }
}
