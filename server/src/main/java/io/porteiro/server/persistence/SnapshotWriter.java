package io.porteiro.server.persistence;

import io.porteiro.server.config.ServerVersion;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.rdb.CapturedEntry;
import io.porteiro.server.rdb.RangeReader;
import io.porteiro.server.rdb.RdbFileWriter;
import io.porteiro.server.rdb.RdbOutput;
import io.porteiro.server.rdb.RdbSink;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.KeyTable;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.Shard;
import io.porteiro.server.store.ShardScope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes one snapshot of the keyspace while clients go on.
 *
 * <p>With all shards locked for an instant, a new epoch begins and the tables of all databases are
 * noted. Then the noted tables are walked, a few homes at a time under the shard's read lock. An
 * entry is written when the walk comes to it, or, if a writer is about to change it before, as the
 * writer captured it; its epoch tells which, so that each goes into the file once, as it was when
 * the snapshot began. Two things are not exact: a filter's bits are copied when it is written, so
 * that later adds may be among them, and a table that was flushed before the walk came to it is
 * left out.
 *
 * <p>Nothing is written to the file under a lock: entries go into the output's buffer there, and
 * those too large for it are held and written afterwards, the bits of filters in pieces of 1 MiB,
 * each copied under the lock.
 */
final class SnapshotWriter {
  private static final int HOMES_PER_LOCK = 64;

  /** What the buffer may hold when a lock is taken; the rest is room for entries. */
  private static final long ROOM_BYTES = RdbOutput.FILE_BUFFER_BYTES / 2;

  private static final int NO_DATABASE = -1;

  /** A table as it was noted, with the database whose it was then. */
  private record NotedTable(int database, int shard, KeyTable table) {}

  private final Keyspace keyspace;
  private final ShardScope scope;
  private final SaveProgress progress;
  private final RdbOutput out;
  private final RdbFileWriter file;
  private final IdentityHashMap<KeyTable, Integer> databases = new IdentityHashMap<>();
  private final CaptureQueue captured;
  private final List<CaptureQueue.Captured> tooLarge = new ArrayList<>();
  private int selected = NO_DATABASE;

  private SnapshotWriter(
      Keyspace keyspace, RdbOutput out, RdbFileWriter file, SaveProgress progress) {
    this.keyspace = keyspace;
    this.scope = new ShardScope(keyspace, SilentListener.INSTANCE);
    this.captured = new CaptureQueue(keyspace, databases);
    this.out = out;
    this.file = file;
    this.progress = progress;
  }

  /**
   * How a snapshot is written.
   *
   * @param logBase whether the file says that it is the base of a log
   */
  record Options(boolean compress, boolean checksum, long createdSeconds, boolean logBase) {}

  /**
   * Writes a snapshot.
   *
   * @param buffers where memory for it comes from; not the keyspace's pool, which may be full
   * @param atCut called with all shards locked: {@link SnapshotJob#cut}
   * @throws AbandonedException when given up by {@link SaveProgress#abandon}
   */
  static void write(
      Keyspace keyspace,
      MemoryPool buffers,
      RdbSink sink,
      Options options,
      SaveProgress progress,
      Runnable atCut)
      throws IOException {
    try (RdbOutput out = new RdbOutput(buffers, RdbOutput.FILE_BUFFER_BYTES, sink)) {
      RdbFileWriter file = new RdbFileWriter(out, buffers, options.compress());
      SnapshotWriter writer = new SnapshotWriter(keyspace, out, file, progress);
      writer.header(options);
      writer.body(atCut);
      file.finish(options.checksum());
    }
  }

  private void header(Options options) throws IOException {
    file.header();
    file.auxiliary("redis-ver", ServerVersion.REDIS);
    file.auxiliary("redis-bits", "64");
    file.auxiliary("ctime", Long.toString(options.createdSeconds()));
    file.auxiliary("used-mem", Long.toString(keyspace.pool().usedBytes()));
    file.auxiliary("aof-base", options.logBase() ? "1" : "0");
  }

  private void body(Runnable atCut) throws IOException {
    List<NotedTable> tables = cut(atCut);
    try {
      for (NotedTable table : tables) {
        walk(table);
      }
      writeCaptured();
    } finally {
      keyspace.endCapture();
      captured.close();
      tooLarge.forEach(entry -> entry.entry().close());
    }
  }

  /** The instant that the snapshot shows. */
  private List<NotedTable> cut(Runnable atCut) {
    List<NotedTable> tables = new ArrayList<>();
    scope.nameAll(false);
    scope.open(0);
    try {
      for (int database = 0; database < keyspace.databases(); database++) {
        noteTables(database, tables);
      }
      tables.forEach(noted -> databases.put(noted.table(), noted.database()));
      atCut.run();
      keyspace.beginEpoch(captured);
    } finally {
      scope.close();
    }
    return tables;
  }

  private void noteTables(int database, List<NotedTable> tables) {
    for (int shard = 0; shard < Keyspace.SHARDS; shard++) {
      KeyTable table = keyspace.shard(shard).table(database);
      if (table.size() > 0) {
        tables.add(new NotedTable(database, shard, table));
      }
    }
  }

  private void walk(NotedTable table) throws IOException {
    select(table.database());
    long cursor = 0;
    do {
      if (out.bufferedBytes() > ROOM_BYTES) {
        out.flush();
      }
      cursor = step(table, cursor);
      writeTooLarge();
      writeCaptured();
      select(table.database());
    } while (cursor != 0);
  }

  /** Writes some homes under the read lock; the next cursor, or 0 at the end. */
  private long step(NotedTable noted, long cursor) throws IOException {
    EntryWriter writer = new EntryWriter(noted.database());
    long next = cursor;
    boolean entered = scope.enter(noted.shard(), false, 0);
    try {
      if (isGone(noted)) {
        return 0;
      }
      for (int i = 0; i < HOMES_PER_LOCK && (i == 0 || next != 0); i++) {
        next = noted.table().visit(next, writer::visit);
      }
    } finally {
      scope.leave(entered);
    }
    writer.throwFailure();
    return next;
  }

  /** A flushed table: its values are being freed. */
  private boolean isGone(NotedTable noted) {
    Shard shard = scope.shard(noted.shard());
    for (int database = 0; database < keyspace.databases(); database++) {
      if (shard.table(database) == noted.table()) {
        return false;
      }
    }
    return true;
  }

  /** Takes entries out of a table; what goes wrong is kept, for visitors cannot throw it. */
  private final class EntryWriter {
    private final int database;
    private @Nullable IOException failure;

    EntryWriter(int database) {
      this.database = database;
    }

    void visit(Entry entry) {
      if (!keyspace.markCaptured(entry)) {
        return;
      }
      if (file.fitsBuffer(entry.key(), entry.value())) {
        write(entry);
      } else {
        tooLarge.add(CaptureQueue.of(database, entry));
      }
    }

    private void write(Entry entry) {
      try {
        file.entry(entry.key(), entry.expireAtMs(), entry.value());
        progress.keySaved();
      } catch (IOException e) {
        failure = e;
      }
    }

    void throwFailure() throws IOException {
      if (failure != null) {
        throw failure;
      }
    }
  }

  private void writeTooLarge() throws IOException {
    while (!tooLarge.isEmpty()) {
      write(tooLarge.removeLast());
    }
  }

  private void writeCaptured() throws IOException {
    for (CaptureQueue.Captured next = captured.poll(); next != null; next = captured.poll()) {
      write(next);
    }
  }

  private void write(CaptureQueue.Captured next) throws IOException {
    try (CapturedEntry entry = next.entry()) {
      select(next.database());
      file.entry(entry, lockingReader(next.shard()));
      progress.keySaved();
    }
  }

  private RangeReader lockingReader(int shard) {
    return (from, to, length) -> {
      boolean entered = scope.enter(shard, false, 0);
      try {
        OffHeap.copy(from, to, length);
      } finally {
        scope.leave(entered);
      }
    };
  }

  private void select(int database) throws IOException {
    progress.checkAbandoned();
    if (selected != database) {
      file.selectDatabase(database, keyspace.size(database), keyspace.expiringSize(database));
      selected = database;
    }
  }
}
