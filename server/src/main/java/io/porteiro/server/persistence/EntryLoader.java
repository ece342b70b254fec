package io.porteiro.server.persistence;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.rdb.RdbVisitor;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.ShardScope;
import io.porteiro.server.store.SilentListener;
import io.porteiro.server.structure.Value;
import java.util.function.LongSupplier;

/** Puts what is read from a file into the keyspace, each key under its shard's lock. */
final class EntryLoader implements RdbVisitor, AutoCloseable {
  private static final long KEY_BYTES = 1 << 10;

  private final Keyspace keyspace;
  private final LongSupplier clock;
  private final LoadReport report;
  private final ShardScope scope;
  private final Key key = new Key();
  private Block keyBytes;

  /**
   * @param clock Unix milliseconds
   */
  EntryLoader(Keyspace keyspace, LongSupplier clock, LoadReport report) {
    this.keyspace = keyspace;
    this.clock = clock;
    this.report = report;
    this.scope = new ShardScope(keyspace, SilentListener.INSTANCE);
    this.keyBytes = keyspace.pool().allocate(KEY_BYTES);
  }

  @Override
  public void auxiliary(String name, String value) {
    report.auxiliary(name, value);
  }

  @Override
  public boolean selectDatabase(long number) {
    return number >= 0 && number < keyspace.databases();
  }

  @Override
  public boolean entry(long database, byte[] name, long expireAtMs, Value value) {
    boolean added = false;
    try {
      if (expireAtMs != NO_EXPIRY && expireAtMs < clock.getAsLong()) {
        report.expired();
        return true;
      }
      added = add((int) database, name, expireAtMs, value);
      return added;
    } finally {
      if (!added) {
        value.release();
      }
    }
  }

  private boolean add(int database, byte[] name, long expireAtMs, Value value) {
    point(name);
    scope.name(key, true);
    scope.open(Long.MIN_VALUE); // at a time at which nothing has expired: a key twice must be seen
    try {
      if (scope.read(database, key) != null) {
        return false;
      }
      Entry entry = scope.create(database, key, value);
      scope.setExpiry(database, entry, expireAtMs);
      report.loaded();
      return true;
    } finally {
      scope.close();
    }
  }

  /** Makes {@link #key} stand for the name. */
  private void point(byte[] name) {
    if (name.length > keyBytes.size()) {
      Block larger = keyspace.pool().allocate(name.length);
      keyBytes.release();
      keyBytes = larger;
    }
    OffHeap.copyFrom(name, 0, keyBytes.address(), name.length);
    key.set(keyspace, keyBytes.address(), name.length);
  }

  @Override
  public void foreign(long database, byte[] name, String typeName) {
    report.foreign(database, name, typeName);
  }

  @Override
  public void close() {
    keyBytes.release();
  }
}
