package io.porteiro.server.http.survey;

import io.porteiro.server.glob.GlobPattern;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.KeyTable;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.ShardScope;
import io.porteiro.server.store.SilentListener;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.hyperloglog.HyperLogLog;
import io.porteiro.server.structure.string.StringValue;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;

/**
 * One walk over all keys: a few at a time under their shard's read lock, and resting half of the
 * time, so that commands hardly notice. Keys that are moved meanwhile may be seen twice or not at
 * all.
 */
final class KeyspaceWalk {
  /** Homes of a table that are visited under one lock: some tens of microseconds. */
  private static final int HOMES_PER_LOCK = 256;

  private final Keyspace keyspace;
  private final InstantSource clock;
  private final ShardScope scope;
  private final GlobPattern pattern;
  private final LargestFilters filters;
  private final Pace pace = new Pace();
  private long hyperLogLogs;
  private long hyperLogLogBytes;

  KeyspaceWalk(Keyspace keyspace, InstantSource clock, Question question) {
    this.keyspace = keyspace;
    this.clock = clock;
    this.scope = new ShardScope(keyspace, SilentListener.INSTANCE);
    this.pattern = GlobPattern.of(question.pattern().getBytes(StandardCharsets.ISO_8859_1));
    this.filters = new LargestFilters(question.limit());
  }

  /**
   * Looks at all keys.
   *
   * @throws InterruptedException if the thread is to end
   */
  Survey run() throws InterruptedException {
    long startNanos = System.nanoTime();
    for (int shard = 0; shard < Keyspace.SHARDS; shard++) {
      for (int database = 0; database < keyspace.databases(); database++) {
        walk(shard, database);
      }
    }
    return new Survey(
        filters.largestFirst(),
        filters.seen(),
        hyperLogLogs,
        hyperLogLogBytes,
        System.nanoTime() - startNanos,
        true);
  }

  private void walk(int shard, int database) throws InterruptedException {
    if (keyspace.shard(shard).table(database).size() == 0) {
      return;
    }
    long cursor = 0;
    do {
      pace.keep();
      cursor = visitSome(shard, database, cursor);
    } while (cursor != 0);
  }

  private long visitSome(int shard, int database, long from) {
    boolean entered = scope.enter(shard, false, clock.millis());
    try {
      KeyTable table = scope.shard(shard).table(database);
      long cursor = from;
      for (int i = 0; i < HOMES_PER_LOCK; i++) {
        cursor = table.visit(cursor, entry -> look(database, entry));
        if (cursor == 0) {
          break;
        }
      }
      return cursor;
    } finally {
      scope.leave(entered);
    }
  }

  private void look(int database, Entry entry) {
    if (scope.isExpired(entry)) {
      return;
    }
    switch (entry.value()) {
      case BloomFilter filter when pattern.matches(entry.key()) ->
          filters.offer(database, entry, filter);
      case StringValue string when HyperLogLog.isValid(string) -> {
        hyperLogLogs++;
        hyperLogLogBytes += entry.memoryBytes();
      }
      default -> {}
    }
  }
}
