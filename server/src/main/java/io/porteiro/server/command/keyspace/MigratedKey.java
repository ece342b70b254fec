package io.porteiro.server.command.keyspace;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.rdb.DumpPayload;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.Watch;
import org.jspecify.annotations.Nullable;

/** One key on its way to another server: its name, and its value as it was when it was sent. */
final class MigratedKey {
  private final Block name;
  private final Key key = new Key();
  private @Nullable DumpPayload payload;
  private @Nullable Watch watch;
  private long expireAtMs = Entry.NO_EXPIRY;
  private boolean acknowledged;

  /**
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room for it
   */
  MigratedKey(Keyspace keyspace, Key source) {
    MemoryPool pool = keyspace.pool();
    name = pool.allocate(Math.max(1, source.length()));
    OffHeap.copy(source.address(), name.address(), source.length());
    key.set(keyspace, name.address(), source.length());
  }

  Key key() {
    return key;
  }

  /**
   * Takes the value as it is, under the lock that guards it.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room for it
   */
  void dump(Entry entry, MemoryPool pool, boolean compress) {
    dropPayload();
    payload = DumpPayload.of(entry.value(), pool, compress);
    expireAtMs = entry.expireAtMs();
  }

  /** Null once it is not there any more. */
  @Nullable DumpPayload payload() {
    return payload;
  }

  void dropPayload() {
    if (payload != null) {
      payload.close();
      payload = null;
    }
  }

  /** Tells of changes since the value was taken; null if nobody needs to know. */
  @Nullable Watch watch() {
    return watch;
  }

  void setWatch(@Nullable Watch watch) {
    this.watch = watch;
  }

  /** Milliseconds left to it, 0 for no end; negative if its time has passed. */
  long ttlMs(long nowMs) {
    if (expireAtMs == Entry.NO_EXPIRY) {
      return 0;
    }
    long left = expireAtMs - nowMs;
    return left == 0 ? 1 : left;
  }

  /** Whether the other server has it. */
  boolean isAcknowledged() {
    return acknowledged;
  }

  void setAcknowledged(boolean acknowledged) {
    this.acknowledged = acknowledged;
  }

  void release() {
    dropPayload();
    name.release();
  }
}
