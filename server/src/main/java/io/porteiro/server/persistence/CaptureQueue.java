package io.porteiro.server.persistence;

import io.porteiro.server.rdb.CapturedEntry;
import io.porteiro.server.rdb.RdbFileWriter;
import io.porteiro.server.store.Capture;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.KeyTable;
import io.porteiro.server.store.Keyspace;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What writers captured because they were about to change it before the snapshot had passed. It
 * waits here for the snapshot to write it out.
 */
final class CaptureQueue implements Capture, AutoCloseable {
  /** An entry with its database and shard. */
  record Captured(int database, int shard, CapturedEntry entry) {}

  private final Keyspace keyspace;
  private final IdentityHashMap<KeyTable, Integer> databases;
  private final Queue<Captured> waiting = new ArrayDeque<>();
  private boolean closed;

  /**
   * An empty queue.
   *
   * @param databases whose each table was when the snapshot began; not changed any more
   */
  CaptureQueue(Keyspace keyspace, IdentityHashMap<KeyTable, Integer> databases) {
    this.keyspace = keyspace;
    this.databases = databases;
  }

  /** {@inheritDoc} The database may be another now than the one that belongs to the snapshot. */
  @Override
  public void capture(int database, Entry entry) {
    KeyTable table = keyspace.shard(entry.shard()).table(database);
    Captured captured = of(Objects.requireNonNull(databases.get(table)), entry);
    synchronized (this) {
      if (!closed) {
        waiting.add(captured);
        return;
      }
    }
    captured.entry().close();
  }

  /** Holds an entry as it is now. */
  static Captured of(int database, Entry entry) {
    return new Captured(
        database,
        entry.shard(),
        RdbFileWriter.capture(entry.key(), entry.expireAtMs(), entry.value()));
  }

  /** The next one, which the caller closes; null if none waits. */
  synchronized @Nullable Captured poll() {
    return waiting.poll();
  }

  /** Gives back what still waits, and what comes late. */
  @Override
  public synchronized void close() {
    closed = true;
    waiting.forEach(captured -> captured.entry().close());
    waiting.clear();
  }
}
