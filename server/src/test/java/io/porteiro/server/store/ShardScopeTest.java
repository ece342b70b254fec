package io.porteiro.server.store;

import static io.porteiro.server.store.KeyspaceFixture.NOW_MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryLimitException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ShardScopeTest {
  private final KeyspaceFixture fixture = new KeyspaceFixture();
  private final ShardScope scope = fixture.scope();
  private final Key key = fixture.key("k");
  private final Key elsewhere = fixture.keyElsewhere(key);

  @AfterEach
  void close() {
    fixture.close();
  }

  private void open(boolean write, Key... keys) {
    for (Key named : keys) {
      scope.name(named, write);
    }
    scope.open(NOW_MS);
  }

  private ShardLock lockOf(Key named) {
    return fixture.keyspace.shardOf(named.hash()).lock;
  }

  // ---- what is locked

  @Test
  void scope_inAScope_isAnErrorOfTheProgram() {
    open(false, key);

    assertThatThrownBy(() -> scope.open(NOW_MS)).isInstanceOf(IllegalStateException.class);
    scope.close();
  }

  @Test
  void key_outsideTheScope_isOutOfReach() {
    assertThatThrownBy(() -> scope.read(0, key)).isInstanceOf(IllegalStateException.class);
    open(true, elsewhere);

    assertThatThrownBy(() -> scope.read(0, key)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> scope.forWrite(0, key)).isInstanceOf(IllegalStateException.class);
    scope.close();
  }

  @Test
  void key_namedForReading_cannotBeChanged() {
    open(false, key);

    assertThat(scope.read(0, key)).isNull();
    assertThatThrownBy(() -> scope.forWrite(0, key)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> scope.create(0, key, new TestValue()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> scope.changed(0, key, null)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> scope.flush(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> scope.swap(0, 1)).isInstanceOf(IllegalStateException.class);
    scope.close();
  }

  @Test
  void shard_namedForReadingAndWriting_isLockedOnceForWriting() {
    scope.name(key, false);
    scope.name(key, true);
    scope.name(key, false);
    scope.open(NOW_MS);
    assertThat(lockOf(key).isWriteLocked()).isTrue();

    scope.close();
    assertThat(lockOf(key).isWriteLocked()).isFalse();
  }

  @Test
  void close_forgetsWhatWasNamed() {
    open(true, key);
    scope.close();
    open(false, elsewhere);

    assertThat(lockOf(key).isWriteLocked()).isFalse();
    assertThatThrownBy(() -> scope.read(0, key)).isInstanceOf(IllegalStateException.class);
    scope.close();
  }

  @Test
  void forget_dropsWhatWasNamedAndNeverOpened() {
    scope.name(key, true);
    scope.forget();
    open(false, elsewhere);
    assertThat(lockOf(key).isWriteLocked()).isFalse();

    scope.forget();
    assertThat(scope.read(0, elsewhere)).as("an open scope keeps what it has").isNull();
    scope.close();
  }

  @Test
  void scopes_namedInAnyOrder_doNotDeadlock() throws Exception {
    long seed = 5;
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      keys.add(fixture.key("key" + i));
    }
    List<Thread> threads = new ArrayList<>();
    AtomicInteger done = new AtomicInteger();
    for (int t = 0; t < 4; t++) {
      Random random = new Random(seed + t);
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                ShardScope own = fixture.scope();
                for (int i = 0; i < 3_000; i++) {
                  openSome(own, keys, random);
                  own.close();
                }
                done.incrementAndGet();
              }));
    }
    for (Thread thread : threads) {
      thread.join(50_000);
    }
    assertThat(done).as("seed %d", seed).hasValue(4);
  }

  private static void openSome(ShardScope scope, List<Key> keys, Random random) {
    if (random.nextInt(50) == 0) {
      scope.nameAll(random.nextBoolean());
    }
    for (int i = 0; i < 4; i++) {
      scope.name(keys.get(random.nextInt(keys.size())), random.nextBoolean());
    }
    scope.open(NOW_MS);
  }

  @Test
  void enter_insideAScopeThatHasAll_locksNothingMore() {
    scope.nameAll(false);
    scope.open(NOW_MS);

    assertThat(scope.enter(3, false, NOW_MS)).isFalse();
    assertThatThrownBy(() -> scope.enter(3, true, NOW_MS))
        .isInstanceOf(IllegalStateException.class);
    scope.leave(false);
    assertThat(scope.isOpen()).isTrue();
    scope.close();
  }

  @Test
  void enter_withoutAScope_locksThatShardUntilItIsLeft() {
    assertThat(scope.enter(3, true, NOW_MS)).isTrue();
    assertThat(scope.shard(3).lock.isWriteLocked()).isTrue();
    assertThatThrownBy(() -> scope.shard(4)).isInstanceOf(IllegalStateException.class);

    scope.leave(true);
    assertThat(scope.isOpen()).isFalse();
    assertThat(fixture.keyspace.shard(3).lock.isWriteLocked()).isFalse();
  }

  // ---- upgrading

  @Test
  void upgrade_ofALoneReader_keepsTheLockThroughout() {
    open(false, key);

    assertThat(scope.upgrade(key)).isTrue();
    assertThat(lockOf(key).isWriteLocked()).isTrue();
    assertThat(scope.upgrade(key)).as("again").isTrue();
    scope.create(0, key, new TestValue());
    scope.close();
    assertThat(lockOf(key).isWriteLocked()).isFalse();
  }

  @Test
  void upgrade_besideAnotherReader_waitsAndTellsThatTheLockWasLetGo() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch stop = new CountDownLatch(1);
    Thread reader = Thread.ofPlatform().start(() -> holdForReading(reading, stop));
    reading.await();
    open(false, key);
    AtomicBoolean kept = new AtomicBoolean(true);
    AtomicBoolean early = new AtomicBoolean();
    Thread stopper =
        Thread.ofPlatform()
            .start(() -> {
              sleep(50);
              early.set(lockOf(key).isWriteLocked());
              stop.countDown();
            });
    kept.set(scope.upgrade(key));

    assertThat(kept).isFalse();
    assertThat(lockOf(key).isWriteLocked()).isTrue();
    scope.close();
    stopper.join();
    reader.join();
    assertThat(early).isFalse();
  }

  private void holdForReading(CountDownLatch reading, CountDownLatch stop) {
    ShardScope other = fixture.scope();
    other.name(key, false);
    other.open(NOW_MS);
    reading.countDown();
    try {
      stop.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    other.close();
  }

  private static void sleep(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- entries

  @Test
  void entry_isOfItsDatabaseOnly() {
    TestValue value = fixture.put(2, key, Entry.NO_EXPIRY);
    open(true, key);

    assertThat(scope.read(0, key)).isNull();
    Entry entry = Objects.requireNonNull(scope.read(2, key));
    assertThat(entry.value()).isSameAs(value);
    assertThat(entry.key()).containsExactly('k');
    scope.delete(2, entry);
    assertThat(value.isReleased()).isTrue();
    assertThat(scope.read(2, key)).isNull();
    scope.close();
  }

  @Test
  void detachedValue_isNotReleased() {
    TestValue value = fixture.put(0, key, Entry.NO_EXPIRY);
    open(true, key);
    Entry entry = Objects.requireNonNull(scope.forWrite(0, key));

    assertThat(scope.detach(0, entry)).isSameAs(value);
    assertThat(value.isReleased()).isFalse();
    assertThat(scope.read(0, key)).isNull();
    scope.close();
  }

  @Test
  void replacedValue_isReleasedAndTheExpiryStays() {
    TestValue old = fixture.put(0, key, NOW_MS + 5);
    open(true, key);
    Entry entry = Objects.requireNonNull(scope.forWrite(0, key));
    scope.replace(0, entry, new TestValue());

    assertThat(old.isReleased()).isTrue();
    assertThat(entry.expireAtMs()).isEqualTo(NOW_MS + 5);
    scope.close();
  }

  @Test
  void entries_countWithTheirHeap() {
    fixture.put(0, key, Entry.NO_EXPIRY);
    assertThat(fixture.keyspace.heapBytes()).isEqualTo(Entry.HEAP_BYTES + 1);
    fixture.keyspace.setHeapLimitBytes(Entry.HEAP_BYTES + 1);
    open(true, key, elsewhere);
    TestValue refused = new TestValue();

    assertThatThrownBy(() -> scope.create(0, elsewhere, refused))
        .isInstanceOf(MemoryLimitException.class);
    assertThat(refused.isReleased()).as("still the caller's").isFalse();
    assertThat(scope.read(0, elsewhere)).isNull();
    scope.delete(0, Objects.requireNonNull(scope.forWrite(0, key)));
    assertThat(fixture.keyspace.heapBytes()).isZero();
    scope.close();
  }

  @Test
  void changed_isHeardAndCounted() {
    open(true, key);
    scope.changed(3, key, KeyspaceEvent.DEL);

    assertThat(fixture.heard).containsExactly("changed 3 k");
    assertThat(fixture.keyspace.changes()).isEqualTo(1);
    scope.close();
  }

  // ---- expiry

  @Test
  void expiredKey_inAWritingScope_isRemovedOnSight() {
    TestValue value = fixture.put(0, key, NOW_MS - 1);
    open(true, key);

    assertThat(scope.read(0, key)).isNull();
    assertThat(fixture.heard).containsExactly("expired 0 k");
    assertThat(value.isReleased()).isTrue();
    assertThat(fixture.keyspace.size(0)).isZero();
    assertThat(scope.sawExpired()).isFalse();
    scope.close();
  }

  @Test
  void expiredKey_inAReadingScope_isAbsentAndRemovedAfterwards() {
    TestValue value = fixture.put(0, key, NOW_MS - 1);
    open(false, key);
    assertThat(scope.read(0, key)).isNull();
    scope.close();
    assertThat(fixture.keyspace.size(0)).isEqualTo(1);
    assertThat(scope.sawExpired()).isTrue();

    AtomicBoolean locked = new AtomicBoolean();
    scope.removeExpiredSeen(NOW_MS, () -> locked.set(lockOf(key).isWriteLocked()));
    assertThat(value.isReleased()).isTrue();
    assertThat(locked).isTrue();
    assertThat(scope.sawExpired()).isFalse();
    assertThat(fixture.heard).containsExactly("expired 0 k");
  }

  @Test
  void expiredKey_thatGotMoreTimeMeanwhile_isNotRemoved() {
    fixture.put(0, key, NOW_MS - 1);
    open(false, key);
    scope.read(0, key);
    scope.close();
    scope.removeExpiredSeen(NOW_MS - 1, () -> {});

    assertThat(fixture.keyspace.size(0)).isEqualTo(1);
    assertThat(fixture.heard).isEmpty();
  }

  @Test
  void expiry_isOffWhileLoading() {
    fixture.put(0, key, NOW_MS - 1);
    fixture.keyspace.setExpiring(false);
    open(true, key);

    assertThat(scope.read(0, key)).isNotNull();
    scope.close();
  }

  @Test
  void expiry_beforeTheEpoch_isAnExpiryToo() {
    fixture.put(0, key, -1);
    open(true, key);

    assertThat(scope.read(0, key)).isNull();
    scope.close();
  }

  @Test
  void expiringSize_followsSettingAndRemoving() {
    fixture.put(0, key, Entry.NO_EXPIRY);
    open(true, key);
    Entry entry = Objects.requireNonNull(scope.forWrite(0, key));
    scope.setExpiry(0, entry, NOW_MS + 1);
    scope.setExpiry(0, entry, NOW_MS + 2);
    assertThat(fixture.keyspace.expiringSize(0)).isEqualTo(1);
    scope.setExpiry(0, entry, Entry.NO_EXPIRY);
    assertThat(fixture.keyspace.expiringSize(0)).isZero();
    scope.setExpiry(0, entry, NOW_MS + 1);
    scope.delete(0, entry);
    assertThat(fixture.keyspace.expiringSize(0)).isZero();
    scope.close();
  }

  // ---- watches

  private Watch watch(int database, Key watched) {
    open(true, watched);
    Watch watch = scope.watch(database, watched, this);
    scope.close();
    return Objects.requireNonNull(watch);
  }

  private boolean isChanged(Watch watch) {
    scope.name(watch, false);
    scope.open(NOW_MS);
    boolean changed = scope.isChanged(watch);
    scope.close();
    return changed;
  }

  @Test
  void watch_hearsOfItsKeyOnly() {
    Watch watch = watch(0, key);
    open(true, key, elsewhere);
    scope.changed(1, key, null);
    scope.changed(0, elsewhere, null);
    scope.close();
    assertThat(isChanged(watch)).isFalse();

    open(true, key);
    scope.changed(0, key, null);
    scope.close();
    assertThat(isChanged(watch)).isTrue();
  }

  @Test
  void watch_ofTheSameOwner_isMadeOnce() {
    watch(0, key);
    open(true, key);

    assertThat(scope.watch(0, key, this)).isNull();
    assertThat(scope.watch(1, key, this)).isNotNull();
    assertThat(scope.watch(0, key, "another owner")).isNotNull();
    scope.close();
  }

  @Test
  void unwatched_hearsNothingAndCostsNothing() {
    Watch watch = watch(0, key);
    assertThat(fixture.keyspace.heapBytes()).isPositive();
    scope.name(watch, true);
    scope.open(NOW_MS);
    scope.unwatch(watch);
    scope.changed(0, key, null);
    scope.close();

    assertThat(watch.isChanged()).isFalse();
    assertThat(fixture.keyspace.heapBytes()).isZero();
    assertThat(fixture.keyspace.shardOf(key.hash()).hasWatches()).isFalse();
  }

  @Test
  void watch_ofAKeyWhoseTimePasses_isChangedEvenBeforeItsRemoval() {
    fixture.put(0, key, NOW_MS + 1);
    Watch watch = watch(0, key);
    assertThat(isChanged(watch)).isFalse();
    scope.name(watch, false);
    scope.open(NOW_MS + 2);

    assertThat(scope.isChanged(watch)).isTrue();
    scope.close();
  }

  @Test
  void watch_isOwnLock_isEnoughForRemoval() {
    fixture.put(0, key, NOW_MS - 1);
    Watch watch = watch(0, key);

    assertThat(fixture.heard).containsExactly("expired 0 k");
    assertThat(isChanged(watch)).isFalse();
  }

  // ---- whole databases

  private void inAll(Runnable work) {
    scope.nameAll(true);
    scope.open(NOW_MS);
    work.run();
    scope.close();
  }

  @Test
  void flush_emptiesOneDatabaseAndFreesItBehind() throws Exception {
    TestValue value = fixture.put(1, key, NOW_MS + 5);
    TestValue other = fixture.put(2, key, Entry.NO_EXPIRY);
    inAll(() -> assertThat(scope.flush(1)).isEqualTo(1));

    assertThat(fixture.keyspace.size(1)).isZero();
    assertThat(fixture.keyspace.expiringSize(1)).isZero();
    assertThat(fixture.keyspace.size(2)).isEqualTo(1);
    assertThat(fixture.keyspace.changes()).isEqualTo(1);
    for (int i = 0; i < 1000 && !value.isReleased(); i++) {
      Thread.sleep(10);
    }
    assertThat(value.isReleased()).isTrue();
    assertThat(other.isReleased()).isFalse();
  }

  @Test
  void flush_givesTheHeapOfItsKeysBack() throws Exception {
    for (int i = 0; i < 500; i++) {
      fixture.put(0, fixture.key("key" + i), Entry.NO_EXPIRY);
    }
    inAll(() -> assertThat(scope.flush(0)).isEqualTo(500));
    for (int i = 0; i < 1000 && fixture.keyspace.heapBytes() > 0; i++) {
      Thread.sleep(10);
    }
    assertThat(fixture.keyspace.heapBytes()).isZero();
  }

  @Test
  void swap_exchangesWhatIsInTwoDatabases() {
    TestValue first = fixture.put(0, key, Entry.NO_EXPIRY);
    TestValue second = fixture.put(3, elsewhere, Entry.NO_EXPIRY);
    inAll(() -> scope.swap(0, 3));
    open(false, key, elsewhere);

    assertThat(Objects.requireNonNull(scope.read(3, key)).value()).isSameAs(first);
    assertThat(Objects.requireNonNull(scope.read(0, elsewhere)).value()).isSameAs(second);
    assertThat(scope.read(0, key)).isNull();
    scope.close();
  }

  @Test
  void swap_tellsWatchesOfWhatComesAndWhatGoes() {
    fixture.put(0, key, Entry.NO_EXPIRY);
    Watch goes = watch(0, key);
    Watch comes = watch(1, key);
    Watch neither = watch(0, elsewhere);
    Watch otherDatabase = watch(2, key);
    inAll(() -> scope.swap(0, 1));

    assertThat(goes.isChanged()).isTrue();
    assertThat(comes.isChanged()).isTrue();
    assertThat(neither.isChanged()).isFalse();
    assertThat(otherDatabase.isChanged()).isFalse();
  }

  @Test
  void flush_tellsWatchesOfKeysThatWereThere() {
    fixture.put(0, key, Entry.NO_EXPIRY);
    Watch there = watch(0, key);
    Watch missing = watch(0, elsewhere);
    inAll(() -> scope.flush(0));

    assertThat(there.isChanged()).isTrue();
    assertThat(missing.isChanged()).isFalse();
  }

  // ---- journal positions and snapshots

  @Test
  void effectPosition_isNotedInTheWrittenShardsAndReadFromAll() {
    scope.name(key, true);
    scope.name(elsewhere, false);
    scope.open(NOW_MS);
    scope.setEffectPosition(7);
    assertThat(scope.effectPosition()).isEqualTo(7);
    scope.close();

    open(false, elsewhere);
    assertThat(scope.effectPosition()).isZero();
    scope.close();
    open(false, key);
    assertThat(scope.effectPosition()).isEqualTo(7);
    scope.close();
  }

  @Test
  void capture_seesAnOlderEntryOnceBeforeItChanges() {
    fixture.put(1, key, Entry.NO_EXPIRY);
    RecordingCapture snapshot = new RecordingCapture(false);
    inAll(() -> fixture.keyspace.beginEpoch(snapshot));
    fixture.put(1, elsewhere, Entry.NO_EXPIRY);

    open(true, key, elsewhere);
    scope.read(1, key);
    assertThat(snapshot.captured).isEmpty();
    scope.forWrite(1, key);
    scope.forWrite(1, key);
    scope.forWrite(1, elsewhere);
    scope.close();
    assertThat(snapshot.captured).containsExactly("1k");
  }

  @Test
  void capture_seesAnEntryThatExpires() {
    fixture.put(0, key, NOW_MS - 1);
    RecordingCapture snapshot = new RecordingCapture(false);
    inAll(() -> fixture.keyspace.beginEpoch(snapshot));
    open(true, key);
    scope.read(0, key);
    scope.close();

    assertThat(snapshot.captured).containsExactly("0k");
  }

  @Test
  void capture_thatHasEnded_seesNothing() {
    fixture.put(0, key, Entry.NO_EXPIRY);
    RecordingCapture snapshot = new RecordingCapture(false);
    inAll(() -> fixture.keyspace.beginEpoch(snapshot));
    fixture.keyspace.endCapture();
    open(true, key);
    scope.forWrite(0, key);
    scope.close();

    assertThat(snapshot.captured).isEmpty();
  }

  /** What was created after the snapshot began is of no use to it, but lies in the same tables. */
  @Test
  void flush_whileASnapshotNeedsTheTable_leavesTheFreeingToIt() throws Exception {
    TestValue value = fixture.put(1, key, Entry.NO_EXPIRY);
    RecordingCapture snapshot = new RecordingCapture(true);
    inAll(() -> fixture.keyspace.beginEpoch(snapshot));
    inAll(() -> assertThat(scope.flush(1)).isEqualTo(1));
    CountDownLatch passed = new CountDownLatch(1);
    fixture.keyspace.pool().freeLater(0, passed::countDown);
    assertThat(passed.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(value.isReleased()).isFalse();
    assertThat(snapshot.captured).isEmpty();
    assertThat(snapshot.kept).hasSize(1);
    fixture.keyspace.discard(snapshot.kept.getFirst());
    assertThat(value.isReleased()).isTrue();
    assertThat(fixture.keyspace.heapBytes()).isZero();
  }
}
