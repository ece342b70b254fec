package io.porteiro.server.persistence;

import io.porteiro.server.config.ServerVersion;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.SnapshotMemory;
import io.porteiro.server.rdb.CapturedEntry;
import io.porteiro.server.rdb.CommandFileWriter;
import io.porteiro.server.rdb.CommandWriter;
import io.porteiro.server.rdb.EntryWriter;
import io.porteiro.server.rdb.LostCaptureException;
import io.porteiro.server.rdb.RdbFileWriter;
import io.porteiro.server.rdb.RdbOutput;
import io.porteiro.server.rdb.RdbSink;
import io.porteiro.server.rdb.SnapshotFormat;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.ShardScope;
import io.porteiro.server.store.SilentListener;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one snapshot of the keyspace while clients go on.
 *
 * <p>With all shards locked for an instant, a new epoch begins and the tables of all databases are
 * noted. Then the noted tables are walked, a few homes at a time under the shard's read lock. An
 * entry is written when the walk comes to it, or, if a writer is about to change it before, as the
 * writer captured it; its epoch tells which, so that each goes into the file once, as it was when
 * the snapshot began.
 *
 * <p>Nothing is written to the file under a lock, and nothing large packed: entries of up to 64 KiB
 * go into the output's buffer there, and larger ones are captured as a writer would and written
 * afterwards.
 */
final class SnapshotWriter {
  private static final int HOMES_PER_LOCK = 64;

  /** The walk lets the lock go when it has packed so much: writers wait for less than 1 ms. */
  private static final long BYTES_PER_LOCK = 128 << 10;

  /** What the buffer may hold when a lock is taken; the rest is room for entries. */
  private static final long ROOM_BYTES = RdbOutput.FILE_BUFFER_BYTES / 2;

  private static final int NO_DATABASE = -1;

  private final Keyspace keyspace;
  private final SnapshotMemory memory;
  private final ShardScope scope;
  private final SaveProgress progress;
  private final RdbOutput out;
  private final SnapshotFormat file;
  private final NotedTables tables;
  private final CaptureQueue captured;
  private final Deque<CaptureQueue.Captured> held = new ArrayDeque<>();
  private int selected = NO_DATABASE;

  private SnapshotWriter(
      Keyspace keyspace,
      MemoryPool buffers,
      SnapshotMemory memory,
      RdbOutput out,
      Options options,
      SaveProgress progress) {
    this.keyspace = keyspace;
    this.memory = memory;
    this.scope = new ShardScope(keyspace, SilentListener.INSTANCE);
    this.tables = new NotedTables(keyspace);
    this.captured =
        new CaptureQueue(
            keyspace,
            tables,
            memory,
            options.commands() ? new CommandWriter() : new EntryWriter(buffers, false));
    this.out = out;
    this.file =
        options.commands()
            ? new CommandFileWriter(out)
            : new RdbFileWriter(out, buffers, options.compress());
    this.progress = progress;
  }

  /**
   * How a snapshot is written.
   *
   * @param logBase whether the file says that it is the base of a log
   * @param commands whether it consists of commands; then all else is of no matter
   */
  record Options(
      boolean compress, boolean checksum, long createdSeconds, boolean logBase, boolean commands) {}

  /**
   * Writes a snapshot.
   *
   * @param buffers where memory for it comes from; not the keyspace's pool, which may be full
   * @param memory for what changes meanwhile; closed at the end
   * @param atCut called with all shards locked: {@link SnapshotJob#cut}
   * @throws AbandonedException when given up by {@link SaveProgress#abandon}
   * @throws TooManyChangesException when given up because the memory does not suffice
   */
  static void write(
      Keyspace keyspace,
      MemoryPool buffers,
      SnapshotMemory memory,
      RdbSink sink,
      Options options,
      SaveProgress progress,
      Runnable atCut)
      throws IOException {
    RdbSink watched = watched(sink, memory, progress);
    try (memory;
        RdbOutput out = new RdbOutput(buffers, RdbOutput.FILE_BUFFER_BYTES, watched)) {
      SnapshotWriter writer = new SnapshotWriter(keyspace, buffers, memory, out, options, progress);
      memory.prepare();
      writer.header(options);
      writer.body(atCut);
      writer.file.finish(options.checksum());
    } catch (LostCaptureException _) {
      throw new TooManyChangesException(memory.excessBytes());
    }
  }

  /** Between two pieces is the time to look up. */
  private static RdbSink watched(RdbSink sink, SnapshotMemory memory, SaveProgress progress) {
    return (address, length) -> {
      progress.checkAbandoned();
      memory.checkLimit();
      requireComplete(memory);
      sink.write(address, length);
      progress.written(length);
      progress.memory(memory.pool().snapshotBytes());
      memory.prepare();
    };
  }

  private static void requireComplete(SnapshotMemory memory) throws TooManyChangesException {
    if (memory.isGivenUp()) {
      throw new TooManyChangesException(memory.excessBytes());
    }
  }

  private void header(Options options) throws IOException {
    switch (file) {
      case RdbFileWriter rdb -> header(rdb, options);
      case CommandFileWriter _ -> {}
    }
  }

  private void header(RdbFileWriter rdb, Options options) throws IOException {
    rdb.header();
    rdb.auxiliary("redis-ver", ServerVersion.REDIS);
    rdb.auxiliary("redis-bits", "64");
    rdb.auxiliary("ctime", Long.toString(options.createdSeconds()));
    rdb.auxiliary("used-mem", Long.toString(keyspace.pool().lastingBytes()));
    rdb.auxiliary("aof-base", options.logBase() ? "1" : "0");
  }

  private void body(Runnable atCut) throws IOException {
    try {
      cut(atCut);
      for (NotedTables.Noted table : tables.all()) {
        walk(table);
      }
      writeCaptured();
      requireComplete(memory);
    } finally {
      keyspace.endCapture();
      captured.close();
      held.forEach(entry -> entry.entry().close());
      tables.close();
    }
  }

  /** The instant that the snapshot shows. */
  private void cut(Runnable atCut) {
    scope.nameAll(false);
    long startNanos = System.nanoTime();
    scope.open(0);
    try {
      tables.note();
      atCut.run();
      keyspace.beginEpoch(captured);
    } finally {
      scope.close();
      progress.cut(System.nanoTime() - startNanos);
    }
  }

  private void walk(NotedTables.Noted table) throws IOException {
    select(table.database);
    HomeWriter homes = new HomeWriter(table);
    do {
      if (out.bufferedBytes() > ROOM_BYTES) {
        out.flush();
      }
      homes.step();
      writeHeld();
      writeCaptured();
      select(table.database);
    } while (!homes.isThrough());
    tables.pass(table);
  }

  /** Takes entries out of a table, some homes at a time. */
  private final class HomeWriter {
    private final NotedTables.Noted noted;
    private final Consumer<Entry> visitor = this::visit; // made once, not per home
    private long cursor;
    private long bytes;
    private @Nullable IOException failure;

    HomeWriter(NotedTables.Noted noted) {
      this.noted = noted;
    }

    boolean isThrough() {
      return cursor == 0;
    }

    void step() throws IOException {
      bytes = 0;
      boolean entered = scope.enter(noted.shard, false, 0);
      try {
        visitHomes();
      } finally {
        scope.leave(entered);
      }
      if (failure != null) {
        throw failure;
      }
    }

    private void visitHomes() {
      for (int i = 0; i < HOMES_PER_LOCK && bytes < BYTES_PER_LOCK; i++) {
        cursor = noted.table.visit(cursor, visitor);
        if (cursor == 0) {
          return;
        }
      }
    }

    private void visit(Entry entry) {
      if (!keyspace.markCaptured(entry)) {
        return;
      }
      long maxBytes = file.maxBytes(entry.key(), entry.value());
      if (maxBytes <= Math.min(PendingItems.MAX_ITEM_BYTES, out.freeBytes())) {
        bytes += maxBytes;
        write(entry);
      } else {
        held.add(captured.hold(noted.database, entry));
      }
    }

    /** What goes wrong is kept, for visitors cannot throw it. */
    private void write(Entry entry) {
      try {
        file.entry(entry.key(), entry.expireAtMs(), entry.value());
        progress.keySaved(entry.value().countedBytes());
      } catch (IOException e) {
        failure = e;
      }
    }
  }

  private void writeHeld() throws IOException {
    for (var next = held.poll(); next != null; next = held.poll()) {
      write(next);
    }
  }

  private void writeCaptured() throws IOException {
    for (var items = captured.pollItems(); items != null; items = captured.pollItems()) {
      write(items);
    }
    for (var next = captured.pollLarge(); next != null; next = captured.pollLarge()) {
      write(next);
    }
  }

  private void write(PendingItems.Batch items) throws IOException {
    try {
      items.forEach((database, address, length) -> {
        select(database);
        out.write(address, length);
        progress.keySaved(length);
      });
    } finally {
      captured.giveBack(items);
    }
  }

  private void write(CaptureQueue.Captured next) throws IOException {
    try (CapturedEntry entry = next.entry()) {
      select(next.database());
      file.entry(entry);
      progress.keySaved(entry.bytes());
    }
  }

  private void select(int database) throws IOException {
    if (selected != database) {
      file.selectDatabase(database, keyspace.size(database), keyspace.expiringSize(database));
      selected = database;
    }
  }
}
