package io.porteiro.server.store;

import io.porteiro.server.structure.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The only place that locks shards, and the only way to entries (but for {@link Lookahead}, which
 * makes no use of them).
 *
 * <p>Use: {@link #name} every key (or {@link #nameAll}), {@link #open}, work, {@link #close}. Each
 * shard is locked once, in index order, for writing if any of its keys is to be written; so scopes
 * cannot deadlock. Opening a scope that is open is an error of the program and throws.
 *
 * <p>To everyone inside a scope a key past its time is absent. Where the scope may write, it is
 * removed on sight; where it only reads, it is noted, for the caller to have it removed ({@link
 * #removeExpiredSeen}) before the reply goes out.
 *
 * <p>One per thread, reused.
 */
public final class ShardScope {
  private static final int WORDS = Keyspace.SHARDS / Long.SIZE;

  /** A key past its time that a reading scope met. */
  private record ExpiredKey(int database, long hash, byte[] key) {}

  private final Keyspace keyspace;
  private final ChangeListener listener;
  private final long[] named = new long[WORDS];
  private final long[] written = new long[WORDS];
  private final long[] stamps = new long[Keyspace.SHARDS];
  private final List<ExpiredKey> expiredSeen = new ArrayList<>(0);
  private boolean open;
  private long nowMs;

  public ShardScope(Keyspace keyspace, ChangeListener listener) {
    this.keyspace = keyspace;
    this.listener = listener;
  }

  /** Names a key that will be read, or written. Before {@link #open}. */
  public void name(Key key, boolean write) {
    name((int) key.hash() & (Keyspace.SHARDS - 1), write);
  }

  private void name(int shard, boolean write) {
    named[shard >>> 6] |= 1L << shard;
    if (write) {
      written[shard >>> 6] |= 1L << shard;
    }
  }

  /** Names every shard. */
  public void nameAll(boolean write) {
    for (int i = 0; i < WORDS; i++) {
      named[i] = -1;
      written[i] |= write ? -1 : 0;
    }
  }

  /**
   * Locks what was named.
   *
   * @param nowMs the time for all that happens inside, Unix milliseconds
   */
  public void open(long nowMs) {
    if (open) {
      throw new IllegalStateException("a scope is open already");
    }
    open = true;
    this.nowMs = nowMs;
    for (int word = 0; word < WORDS; word++) {
      for (long rest = named[word]; rest != 0; rest &= rest - 1) {
        lock((word << 6) + Long.numberOfTrailingZeros(rest));
      }
    }
  }

  private void lock(int shard) {
    ShardLock lock = keyspace.shard(shard).lock;
    stamps[shard] = isWritten(shard) ? lock.writeLock() : lock.readLock();
  }

  private boolean isNamed(int shard) {
    return (named[shard >>> 6] & 1L << shard) != 0;
  }

  private boolean isWritten(int shard) {
    return (written[shard >>> 6] & 1L << shard) != 0;
  }

  /** Forgets what was named and never opened, after a fault in between. */
  public void forget() {
    if (!open) {
      Arrays.fill(named, 0);
      Arrays.fill(written, 0);
    }
  }

  /** Unlocks everything. */
  public void close() {
    for (int word = 0; word < WORDS; word++) {
      for (long rest = named[word]; rest != 0; rest &= rest - 1) {
        int shard = (word << 6) + Long.numberOfTrailingZeros(rest);
        keyspace.shard(shard).lock.unlock(stamps[shard]);
      }
      named[word] = 0;
      written[word] = 0;
    }
    open = false;
  }

  public boolean isOpen() {
    return open;
  }

  /**
   * Turns the read lock of the one key named into a write lock.
   *
   * @return false if it was let go in between: then nothing learnt under it holds any more
   */
  public boolean upgrade(Key key) {
    int shard = (int) key.hash() & (Keyspace.SHARDS - 1);
    if (isWritten(shard)) {
      return true;
    }
    ShardLock lock = keyspace.shard(shard).lock;
    long stamp = lock.tryConvertToWriteLock(stamps[shard]);
    boolean converted = stamp != 0;
    if (!converted) {
      lock.unlock(stamps[shard]);
      stamp = lock.writeLock();
    }
    stamps[shard] = stamp;
    name(shard, true);
    return converted;
  }

  /**
   * For walks over all shards, one after the other: locks this one, unless the scope holds it
   * already.
   *
   * @return whether it was locked here, to be given to {@link #leave}
   */
  public boolean enter(int shard, boolean write, long time) {
    if (open) {
      requireHeld(shard, write);
      return false;
    }
    name(shard, write);
    open(time);
    return true;
  }

  /** Ends what {@link #enter} began. */
  public void leave(boolean entered) {
    if (entered) {
      close();
    }
  }

  private void requireHeld(int shard, boolean write) {
    if (!open || !isNamed(shard) || (write && !isWritten(shard))) {
      throw new IllegalStateException("shard " + shard + " is not in the scope");
    }
  }

  private Shard shardOf(Key key, boolean write) {
    Shard shard = keyspace.shardOf(key.hash());
    requireHeld(shard.index(), write);
    return shard;
  }

  public long nowMs() {
    return nowMs;
  }

  /** The entry of a key, for reading; null if there is none or its time has passed. */
  public @Nullable Entry read(int database, Key key) {
    Shard shard = shardOf(key, false);
    Entry entry = shard.table(database).get(key);
    if (entry == null || !isExpired(entry)) {
      return entry;
    }
    if (isWritten(shard.index())) {
      removeExpired(shard, database, entry);
    } else {
      expiredSeen.add(new ExpiredKey(database, key.hash(), key.bytes()));
    }
    return null;
  }

  public boolean isExpired(Entry entry) {
    return entry.isExpired(nowMs) && keyspace.isExpiring();
  }

  /** The entry of a key that is about to be changed; a running snapshot has captured it. */
  public @Nullable Entry forWrite(int database, Key key) {
    shardOf(key, true);
    Entry entry = read(database, key);
    if (entry != null) {
      keyspace.captureBeforeChange(database, entry);
    }
    return entry;
  }

  /**
   * Adds a key that is not there.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if keys take all the heap there is; the
   *     value is then still the caller's
   */
  public Entry create(int database, Key key, Value value) {
    Shard shard = shardOf(key, true);
    Entry entry = new Entry(key.bytes(), key.hash(), value);
    keyspace.reserveHeap(entry.heapBytes());
    entry.setEpoch(keyspace.epoch());
    shard.table(database).add(entry);
    return entry;
  }

  /** Gives an entry got by {@link #forWrite} another value; the old one is released. */
  public void replace(int database, Entry entry, Value value) {
    keyspace.shardOf(entry.hash).table(database).replace(entry, value).release();
  }

  /** Removes an entry got by {@link #forWrite} and releases its value. */
  public void delete(int database, Entry entry) {
    detach(database, entry).release();
  }

  /**
   * Removes an entry got by {@link #forWrite}; its value is the caller's now, and cannot be freed
   * meanwhile.
   */
  public Value detach(int database, Entry entry) {
    keyspace.shardOf(entry.hash).table(database).remove(entry);
    keyspace.releaseHeap(entry.heapBytes());
    return entry.value();
  }

  /**
   * Moves an entry got by {@link #forWrite}, value and expiry, under a key that is not there.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if keys take all the heap there is;
   *     nothing has changed
   */
  public Entry move(int fromDatabase, Entry entry, int toDatabase, Key to) {
    Entry moved = create(toDatabase, to, entry.value());
    detach(fromDatabase, entry);
    setExpiry(toDatabase, moved, entry.expireAtMs());
    moved.setAccessedAtSeconds(entry.accessedAtSeconds());
    return moved;
  }

  /**
   * Sets or, with {@link Entry#NO_EXPIRY}, removes the expiry of an entry got by {@link #forWrite}.
   */
  public void setExpiry(int database, Entry entry, long expireAtMs) {
    boolean before = entry.hasExpiry();
    entry.setExpireAtMs(expireAtMs);
    int delta = (entry.hasExpiry() ? 1 : 0) - (before ? 1 : 0);
    if (delta != 0) {
      keyspace.shardOf(entry.hash).table(database).countExpiring(delta);
    }
  }

  /**
   * Reports a change of a key: watches, counter, listener. Once for each change, after it is made.
   *
   * @param event what notifications call it; null where Redis sends none
   */
  public void changed(int database, Key key, @Nullable KeyspaceEvent event) {
    changed(database, key, event, 1);
  }

  /**
   * As {@link #changed(int, Key, KeyspaceEvent)}, where save points do not count it as one change.
   *
   * @param count how many it is, 0 or more
   */
  public void changed(int database, Key key, @Nullable KeyspaceEvent event, int count) {
    Shard shard = shardOf(key, true);
    if (shard.hasWatches()) {
      shard.notifyWatches(database, key.bytes());
    }
    keyspace.countChanges(count);
    listener.changed(database, key, event);
  }

  private void removeExpired(Shard shard, int database, Entry entry) {
    keyspace.captureBeforeChange(database, entry);
    if (shard.hasWatches()) {
      shard.notifyWatches(database, entry.key());
    }
    listener.expired(database, entry);
    delete(database, entry);
  }

  /** Removes the entry if its time has passed, in a scope that writes its shard. */
  public boolean removeIfExpired(int database, Entry entry) {
    Shard shard = keyspace.shardOf(entry.hash);
    requireHeld(shard.index(), true);
    boolean expired = isExpired(entry);
    if (expired) {
      removeExpired(shard, database, entry);
    }
    return expired;
  }

  /** Whether a reading scope met keys past their time. */
  public boolean sawExpired() {
    return !expiredSeen.isEmpty();
  }

  /**
   * Removes them, in a writing scope of its own.
   *
   * @param beforeClose called with the shards still locked
   */
  public void removeExpiredSeen(long time, Runnable beforeClose) {
    List<ExpiredKey> seen = List.copyOf(expiredSeen);
    expiredSeen.clear();
    seen.forEach(expired -> name((int) expired.hash() & (Keyspace.SHARDS - 1), true));
    open(time);
    try {
      seen.forEach(this::removeAgainExpired);
      beforeClose.run();
    } finally {
      close();
    }
  }

  /** Leaves them to others. */
  public void forgetExpiredSeen() {
    expiredSeen.clear();
  }

  /** Looked up anew: meanwhile another client may have removed it, or given it more time. */
  private void removeAgainExpired(ExpiredKey expired) {
    Shard shard = keyspace.shardOf(expired.hash());
    Entry entry = shard.table(expired.database()).get(expired.hash(), expired.key());
    if (entry != null && isExpired(entry)) {
      removeExpired(shard, expired.database(), entry);
    }
  }

  /** The highest journal position of the shards in this scope. */
  public long effectPosition() {
    long position = 0;
    for (int word = 0; word < WORDS; word++) {
      for (long rest = named[word]; rest != 0; rest &= rest - 1) {
        int shard = (word << 6) + Long.numberOfTrailingZeros(rest);
        position = Math.max(position, keyspace.shard(shard).effectPosition());
      }
    }
    return position;
  }

  /** Notes the journal position of what was done in the shards that this scope writes. */
  public void setEffectPosition(long position) {
    for (int word = 0; word < WORDS; word++) {
      for (long rest = written[word]; rest != 0; rest &= rest - 1) {
        keyspace.shard((word << 6) + Long.numberOfTrailingZeros(rest)).setEffectPosition(position);
      }
    }
  }

  /** A shard of this scope. */
  public Shard shard(int index) {
    requireHeld(index, false);
    return keyspace.shard(index);
  }

  /** The shard of a key of this scope. */
  public Shard shardOf(Key key) {
    return shardOf(key, false);
  }

  /**
   * Begins to watch a key of this scope, for writing: a key past its time is removed first, so that
   * its removal is no change to who watches it.
   *
   * @return null if the owner watches the key already
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no heap for it
   */
  public @Nullable Watch watch(int database, Key key, Object owner) {
    Shard shard = shardOf(key, true);
    read(database, key);
    Watch watch = new Watch(database, key.bytes(), key.hash(), owner);
    if (shard.isWatched(database, watch.key(), owner)) {
      return null;
    }
    keyspace.reserveHeap(watch.heapBytes());
    shard.addWatch(watch);
    return watch;
  }

  /** Names the shard of a watched key. */
  public void name(Watch watch, boolean write) {
    name((int) watch.hash() & (Keyspace.SHARDS - 1), write);
  }

  /** Ends a watch whose key is in this scope, for writing. */
  public void unwatch(Watch watch) {
    keyspace.shardOf(watch.hash()).removeWatch(watch);
    keyspace.releaseHeap(watch.heapBytes());
  }

  /** Whether the watched key, in this scope, changed or passed its time since it is watched. */
  public boolean isChanged(Watch watch) {
    if (watch.isChanged()) {
      return true;
    }
    Entry entry =
        keyspace.shardOf(watch.hash()).table(watch.database()).get(watch.hash(), watch.key());
    return entry != null && isExpired(entry);
  }

  /**
   * Empties a database, in a scope that writes all shards: the tables are given away whole, to be
   * freed in the background.
   *
   * @return how many keys it had
   */
  public long flush(int database) {
    long removed = 0;
    List<KeyTable> old = new ArrayList<>();
    for (int i = 0; i < Keyspace.SHARDS; i++) {
      requireHeld(i, true);
      Shard shard = keyspace.shard(i);
      notifyWatches(shard, database, -1);
      if (shard.table(database).size() > 0) {
        removed += shard.table(database).size();
        old.add(shard.replaceTable(database));
      }
    }
    keyspace.giveAway(old);
    keyspace.countChanges(removed);
    return removed;
  }

  /** Exchanges the contents of two databases, in a scope that writes all shards. */
  public void swap(int first, int second) {
    for (int i = 0; i < Keyspace.SHARDS; i++) {
      requireHeld(i, true);
      Shard shard = keyspace.shard(i);
      notifyWatches(shard, first, second);
      notifyWatches(shard, second, first);
      shard.swapTables(first, second);
    }
    keyspace.countChanges(1);
  }

  /**
   * Sets the flag of watches whose key is in the database now, or (if given) in the one that takes
   * its place.
   */
  private void notifyWatches(Shard shard, int database, int successor) {
    if (!shard.hasWatches()) {
      return;
    }
    for (Watch watch : shard.allWatches()) {
      if (watch.database() == database
          && (watched(shard.table(database), watch) != null
              || (successor >= 0 && isAlive(watched(shard.table(successor), watch))))) {
        watch.setChanged();
      }
    }
  }

  private static @Nullable Entry watched(KeyTable table, Watch watch) {
    return table.get(watch.hash(), watch.key());
  }

  private boolean isAlive(@Nullable Entry entry) {
    return entry != null && !isExpired(entry);
  }
}
