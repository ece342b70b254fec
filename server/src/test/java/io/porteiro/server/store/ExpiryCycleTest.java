package io.porteiro.server.store;

import static io.porteiro.server.store.KeyspaceFixture.NOW_MS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExpiryCycleTest {
  private final KeyspaceFixture fixture = new KeyspaceFixture();
  private final ShardScope scope = fixture.scope();
  private final ExpiryCycle cycle = new ExpiryCycle(fixture.keyspace, scope);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static long later() {
    return System.nanoTime() + 60_000_000_000L;
  }

  /** Of 3 keys each, one has passed its time, one has time left, one has no expiry. */
  private void fill(int triples) {
    for (int i = 0; i < triples; i++) {
      fixture.put(i % 4, fixture.key("past" + i), NOW_MS - 1 - i);
      fixture.put(i % 4, fixture.key("future" + i), NOW_MS + i);
      fixture.put(i % 4, fixture.key("plain" + i), Entry.NO_EXPIRY);
    }
  }

  private long size() {
    long size = 0;
    for (int i = 0; i < fixture.keyspace.databases(); i++) {
      size += fixture.keyspace.size(i);
    }
    return size;
  }

  @Test
  void run_removesAllKeysPastTheirTimeAndNoOther() {
    fill(3000);
    cycle.run(NOW_MS, later(), () -> {});

    assertThat(size()).isEqualTo(6000);
    assertThat(fixture.heard)
        .hasSize(3000)
        .doesNotHaveDuplicates()
        .allMatch(heard -> heard.contains(" past"));
  }

  @Test
  void run_handsOnWhatChangedWithTheShardStillLocked() {
    Key key = fixture.key("k");
    fixture.put(0, key, NOW_MS - 1);
    List<Boolean> locked = new ArrayList<>();
    cycle.run(
        NOW_MS,
        later(),
        () -> locked.add(scope.shard(fixture.shardIndex(key)).lock.isWriteLocked()));

    assertThat(fixture.heard).containsExactly("expired 0 k");
    assertThat(locked).containsExactly(true);
    assertThat(scope.isOpen()).isFalse();
  }

  @Test
  void run_withoutTime_doesNothing_andALaterOneGoesOn() {
    fill(2000);
    cycle.run(NOW_MS, System.nanoTime() - 1, () -> {});
    assertThat(size()).isEqualTo(6000);

    for (int i = 0; i < 2_000 && size() > 4000; i++) {
      cycle.run(NOW_MS, System.nanoTime() + 50_000, () -> {});
    }
    assertThat(size()).isEqualTo(4000);
  }

  /**
   * Of 128 homes at once, which have half a key each to begin with. The table shrinks behind the
   * visitor, when an eighth of its slots is filled, and in what is not visited yet there are then
   * up to two keys at a home.
   */
  @Test
  void run_locksOneShardForABoundedNumberOfKeysOnly() {
    Key first = fixture.key("first");
    fixture.put(0, first, NOW_MS - 1);
    for (int i = 0, added = 1; added < 2000; i++) { // all in one shard
      Key key = fixture.key("x" + i);
      if (fixture.shardIndex(key) == fixture.shardIndex(first)) {
        fixture.put(0, key, NOW_MS - 1);
        added++;
      }
    }
    List<Integer> perLock = new ArrayList<>();
    cycle.run(NOW_MS, later(), () -> perLock.add(fixture.heard.size()));

    assertThat(size()).isZero();
    int before = 0;
    for (int heard : perLock) {
      assertThat(heard - before).isLessThanOrEqualTo(3 * 128);
      before = heard;
    }
  }

  @Test
  void run_whileLoading_removesNothing() {
    fill(10);
    fixture.keyspace.setExpiring(false);
    cycle.run(NOW_MS, later(), () -> {});

    assertThat(size()).isEqualTo(30);
  }
}
