package io.porteiro.server.persistence;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.store.KeyTable;
import io.porteiro.server.store.Keyspace;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

/**
 * The tables of the keyspace at a snapshot's cut, with the databases whose they were then. What is
 * flushed before the snapshot has passed it is kept here until then, and its memory is the
 * snapshot's.
 */
final class NotedTables implements AutoCloseable {
  /** A table, and what became of it. */
  static final class Noted {
    final int database;
    final int shard;
    final KeyTable table;
    private boolean passed;
    private boolean flushed;

    /** What the table counts for; of the pool's background thread. */
    private long countedBytes;

    Noted(int database, int shard, KeyTable table) {
      this.database = database;
      this.shard = shard;
      this.table = table;
    }
  }

  private final Keyspace keyspace;
  private final MemoryPool pool;
  private final List<Noted> all = new ArrayList<>();

  /** Not changed after the cut: writers look at it without a lock. */
  private final IdentityHashMap<KeyTable, Noted> byTable = new IdentityHashMap<>();

  NotedTables(Keyspace keyspace) {
    this.keyspace = keyspace;
    this.pool = keyspace.pool();
  }

  /** Notes all tables that have keys. With all shards locked. */
  void note() {
    for (int database = 0; database < keyspace.databases(); database++) {
      for (int shard = 0; shard < Keyspace.SHARDS; shard++) {
        note(database, shard);
      }
    }
  }

  private void note(int database, int shard) {
    KeyTable table = keyspace.shard(shard).table(database);
    if (table.size() > 0) {
      Noted noted = new Noted(database, shard, table);
      all.add(noted);
      byTable.put(table, noted);
    }
  }

  /** Ordered by database, then shard. */
  List<Noted> all() {
    return all;
  }

  /** The database whose the table was. */
  int database(KeyTable table) {
    return Objects.requireNonNull(byTable.get(table)).database;
  }

  /** Keeps a flushed table, if it is one that the snapshot has not passed. */
  synchronized boolean keep(KeyTable flushed) {
    Noted noted = byTable.get(flushed);
    if (noted == null || noted.passed) {
      return false;
    }
    noted.flushed = true;
    pool.freeLater(0, () -> count(noted));
    return true;
  }

  private void count(Noted noted) {
    noted.countedBytes = Keyspace.countedBytes(noted.table);
    pool.countSnapshot(noted.countedBytes);
  }

  /** The snapshot needs the table no more. */
  synchronized void pass(Noted noted) {
    if (!noted.passed) {
      noted.passed = true;
      if (noted.flushed) {
        pool.freeLater(noted.table.size(), () -> discard(noted));
      }
    }
  }

  /** After {@link #count}: the background thread takes one after the other. */
  private void discard(Noted noted) {
    pool.countSnapshot(-noted.countedBytes);
    keyspace.discard(noted.table);
  }

  /** Passes all that are left. */
  @Override
  public void close() {
    all.forEach(this::pass);
  }
}
