package io.porteiro.server.structure.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.string.StringValue;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a HyperLogLog does in whatever representation. */
abstract class RegistersContract {
  static final long UNLIMITED = Long.MAX_VALUE;

  final MemoryPool pool = new MemoryPool(UNLIMITED);
  final Workspace workspace = new Workspace();
  StringValue value = HyperLogLog.create(pool);

  /** Brings a new one into the representation under test, where it then stays. */
  abstract void represent(StringValue value);

  @BeforeEach
  void represent() {
    represent(value);
  }

  @AfterEach
  void close() {
    value.release();
    assertThat(pool.usedBytes()).isZero();
    pool.close();
  }

  boolean add(long hash) {
    return HyperLogLog.add(value, _ -> hash, 0, 1, UNLIMITED, workspace) == 1;
  }

  int[] registers(StringValue of) {
    StringValue dense = of.copy();
    HyperLogLog.toDense(dense, workspace);
    int[] registers = new int[HyperLogLog.REGISTERS];
    for (int i = 0; i < registers.length; i++) {
      registers[i] = HyperLogLog.denseRegister(dense, i);
    }
    dense.release();
    return registers;
  }

  @Test
  void newOne_isValidAndCountsNothing() {
    assertThat(HyperLogLog.isValid(value)).isTrue();
    assertThat(HyperLogLog.isCounted(value)).isFalse();
    assertThat(HyperLogLog.count(value, workspace)).isZero();
    assertThat(HyperLogLog.isCounted(value)).isTrue();
  }

  @Test
  void add_newElement_changesAndMakesTheCountStale() {
    HyperLogLog.count(value, workspace);
    long hash = Elements.hash("a");
    assertThat(HyperLogLog.wouldChange(value, hash, workspace)).isTrue();
    assertThat(add(hash)).isTrue();
    assertThat(HyperLogLog.isCounted(value)).isFalse();
    assertThat(HyperLogLog.count(value, workspace)).isEqualTo(1);
  }

  @Test
  void add_knownElement_changesNoByte() {
    long hash = Elements.hash("a");
    add(hash);
    HyperLogLog.count(value, workspace);
    byte[] before = value.toArray();
    assertThat(HyperLogLog.wouldChange(value, hash, workspace)).isFalse();
    assertThat(add(hash)).isFalse();
    assertThat(value.toArray()).isEqualTo(before);
  }

  @Test
  void add_lowerRank_changesNothing() {
    add(Elements.hash(77, 9));
    assertThat(add(Elements.hash(77, 8))).isFalse();
    assertThat(add(Elements.hash(77, 9))).isFalse();
    assertThat(add(Elements.hash(77, 10))).isTrue();
    assertThat(registers(value)[77]).isEqualTo(10);
  }

  @Test
  void add_firstAndLastRegister_areIndependent() {
    add(Elements.hash(0, 3));
    add(Elements.hash(HyperLogLog.REGISTERS - 1, 4));
    int[] registers = registers(value);
    assertThat(registers[0]).isEqualTo(3);
    assertThat(registers[1]).isZero();
    assertThat(registers[HyperLogLog.REGISTERS - 2]).isZero();
    assertThat(registers[HyperLogLog.REGISTERS - 1]).isEqualTo(4);
  }

  @Test
  void add_randomRanks_keepsTheGreatestOfEachRegister() {
    long seed = 51;
    Random random = new Random(seed);
    int[] model = new int[HyperLogLog.REGISTERS];
    for (int i = 0; i < 20_000; i++) {
      int register = random.nextInt(2000) * 8 + random.nextInt(3);
      int rank = 1 + random.nextInt(32);
      boolean higher = rank > model[register];
      long hash = Elements.hash(register, rank);
      assertThat(HyperLogLog.wouldChange(value, hash, workspace)).isEqualTo(higher);
      assertThat(add(hash)).as("seed %d, step %d", seed, i).isEqualTo(higher);
      model[register] = Math.max(model[register], rank);
    }
    assertThat(registers(value)).as("seed %d", seed).isEqualTo(model);
  }

  @Test
  void add_severalAtOnce_isTheSameAsOneByOne() {
    long[] hashes = Elements.numbered("n", 0, 3000);
    StringValue other = HyperLogLog.create(pool);
    represent(other);
    int changed = HyperLogLog.add(other, i -> hashes[i], 0, hashes.length, UNLIMITED, workspace);
    int changedOneByOne = 0;
    for (long hash : hashes) {
      changedOneByOne += add(hash) ? 1 : 0;
    }
    assertThat(changed).isEqualTo(changedOneByOne);
    assertThat(other.toArray()).isEqualTo(value.toArray());
    other.release();
  }

  @Test
  void count_afterEachOfManyAdditions_isThatOfACopyCountedAnew() {
    for (long hash : Elements.numbered("c", 0, 2000)) {
      add(hash);
      StringValue copy = value.copy();
      long fresh = HyperLogLog.count(copy, workspace);
      copy.release();
      assertThat(HyperLogLog.count(value, workspace)).isEqualTo(fresh);
    }
  }

  @Test
  void count_believesTheCachedNumber() {
    add(Elements.hash("a"));
    HyperLogLogHeader.setCardinality(value.edit(), 4711);
    assertThat(HyperLogLog.count(value, workspace)).isEqualTo(4711);
  }

  @Test
  void change_whileASnapshotHoldsTheBlock_leavesTheSnapshotsBytes() {
    add(Elements.hash("a"));
    HyperLogLog.count(value, workspace);
    byte[] before = value.toArray();
    Block held = value.block();
    held.retain();
    add(Elements.hash("b"));
    HyperLogLog.count(value, workspace);
    assertThat(OffHeap.toArray(held.address(), before.length)).isEqualTo(before);
    held.release();
  }
}
