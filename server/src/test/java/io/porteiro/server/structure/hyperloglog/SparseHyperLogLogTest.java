package io.porteiro.server.structure.hyperloglog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.structure.string.StringValue;
import org.junit.jupiter.api.Test;

class SparseHyperLogLogTest extends RegistersContract {
  @Override
  void represent(StringValue value) {
    assertThat(HyperLogLog.isDense(value)).isFalse();
  }

  private int add(long[] hashes, long sparseMaxBytes) {
    return HyperLogLog.add(value, i -> hashes[i], 0, hashes.length, sparseMaxBytes, workspace);
  }

  @Test
  void create_isOneLongRunOfZeros() {
    assertThat(value.length()).isEqualTo(18);
    assertThat(HyperLogLog.describeSparse(value, workspace)).isEqualTo("Z:16384");
  }

  @Test
  void add_neighboursOfOneValue_mergeUpToRunsOfFour() {
    for (int register = 10; register < 15; register++) {
      add(Elements.hash(register, 2));
    }
    assertThat(HyperLogLog.describeSparse(value, workspace)).isEqualTo("z:10 v:2,4 v:2,1 Z:16369");
  }

  @Test
  void add_withinARun_splitsIt() {
    for (int register = 0; register < 4; register++) {
      add(Elements.hash(register, 1));
    }
    add(Elements.hash(1, 5));
    assertThat(HyperLogLog.describeSparse(value, workspace)).isEqualTo("v:1,1 v:5,1 v:1,2 Z:16380");
  }

  @Test
  void add_rank32_staysSparseAndRank33TurnsDense() {
    add(Elements.hash(5, 32));
    assertThat(HyperLogLog.isDense(value)).isFalse();
    assertThat(add(Elements.hash(5, 33))).isTrue();
    assertThat(HyperLogLog.isDense(value)).isTrue();
    assertThat(registers(value)[5]).isEqualTo(33);
  }

  @Test
  void add_pastTheLimit_turnsDenseAndKeepsTheRegistersAndTheStaleCount() {
    add(Elements.numbered("e:", 0, 300), UNLIMITED);
    long count = HyperLogLog.count(value, workspace);
    long length = value.length();
    int[] before = registers(value);
    long hash = Elements.hash(0, 30);
    add(new long[] {hash}, length);
    assertThat(HyperLogLog.isDense(value)).isTrue();
    assertThat(value.length()).isEqualTo(HyperLogLog.DENSE_LENGTH);
    before[0] = 30;
    assertThat(registers(value)).isEqualTo(before);
    assertThat(HyperLogLogHeader.cardinality(value.address()) & Long.MAX_VALUE).isEqualTo(count);
  }

  @Test
  void add_severalOfWhichTheMiddleOneTurnsDense_isTheSameAsOneByOne() {
    long[] hashes = {Elements.hash(9, 3), Elements.hash(8, 40), Elements.hash(9, 4)};
    assertThat(add(hashes, UNLIMITED)).isEqualTo(3);
    assertThat(registers(value)[8]).isEqualTo(40);
    assertThat(registers(value)[9]).isEqualTo(4);
  }

  @Test
  void add_severalWithoutMemory_changesNothing() {
    add(Elements.numbered("e:", 0, 100), UNLIMITED);
    value.trim();
    byte[] before = value.toArray();
    pool.setLimitBytes(pool.usedBytes() + 100);
    long[] hashes = Elements.numbered("f:", 0, 2000);
    assertThatThrownBy(() -> add(hashes, 3000)).isInstanceOf(MemoryLimitException.class);
    assertThat(value.toArray()).isEqualTo(before);
  }

  @Test
  void add_severalNearTheLimitButWithinIt_givesTheReservedMemoryBack() {
    add(Elements.numbered("e:", 0, 500), 3000);
    add(Elements.numbered("e:", 0, 800), 3000);
    assertThat(HyperLogLog.isDense(value)).isFalse();
    assertThat(value.block().size()).isLessThan(value.length() + 900);
  }
}
