package io.porteiro.server.persistence;

import io.porteiro.server.memory.SnapshotMemory;
import io.porteiro.server.rdb.CapturedEntry;
import io.porteiro.server.rdb.EntryEncoding;
import io.porteiro.server.store.Capture;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.KeyTable;
import io.porteiro.server.store.Keyspace;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What writers captured because they were about to change it before the snapshot had passed. It
 * waits here for the snapshot to write it out.
 */
final class CaptureQueue implements Capture, AutoCloseable {
  /** A large entry, with the database whose it was. */
  record Captured(int database, CapturedEntry entry) {}

  private final Keyspace keyspace;
  private final NotedTables tables;
  private final SnapshotMemory memory;
  private final PendingItems items;
  private final Queue<Captured> large = new ArrayDeque<>();
  private boolean closed;

  /** An empty queue. */
  CaptureQueue(
      Keyspace keyspace, NotedTables tables, SnapshotMemory memory, EntryEncoding encoding) {
    this.keyspace = keyspace;
    this.tables = tables;
    this.memory = memory;
    this.items = new PendingItems(memory, encoding);
  }

  /** {@inheritDoc} The database may be another now than the one that belongs to the snapshot. */
  @Override
  public void capture(int database, Entry entry) {
    int noted = tables.database(keyspace.shard(entry.shard()).table(database));
    synchronized (this) {
      if (closed || memory.isGivenUp()) {
        return;
      }
      if (items.isSmall(entry)) {
        items.add(noted, entry);
      } else {
        large.add(hold(noted, entry));
      }
    }
  }

  @Override
  public boolean keep(KeyTable flushed) {
    return tables.keep(flushed);
  }

  /** Holds an entry as it is now, under its shard's lock. */
  Captured hold(int database, Entry entry) {
    return new Captured(
        database, CapturedEntry.of(entry.key(), entry.expireAtMs(), entry.value(), memory));
  }

  /** The next large entry, which the caller closes; null if none waits. */
  synchronized @Nullable Captured pollLarge() {
    return large.poll();
  }

  /** The next small ones, which the caller gives back; null if none wait. */
  synchronized PendingItems.@Nullable Batch pollItems() {
    return items.poll();
  }

  synchronized void giveBack(PendingItems.Batch batch) {
    items.giveBack(batch);
  }

  /** Gives back what still waits; what comes late is not taken. */
  @Override
  public synchronized void close() {
    closed = true;
    large.forEach(captured -> captured.entry().close());
    large.clear();
    items.clear();
  }
}
