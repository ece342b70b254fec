package io.porteiro.server.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Removes keys past their time that nobody asks for: visits shards and databases in turn, a bounded
 * number of entries per lock and a bounded time per call, and goes on where the last call ended.
 *
 * <p>Tables without expiries are skipped, so an idle server does next to nothing. One thread only.
 */
public final class ExpiryCycle {
  private static final int HOMES_PER_LOCK = 128;

  private final Keyspace keyspace;
  private final ShardScope scope;
  private final List<Entry> expired = new ArrayList<>();
  private int table;
  private long cursor;
  private long seenEntries;
  private long removedEntries;

  public ExpiryCycle(Keyspace keyspace, ShardScope scope) {
    this.keyspace = keyspace;
    this.scope = scope;
  }

  /**
   * Visits tables until all were seen once or the time is up.
   *
   * @param nowMs Unix milliseconds
   * @param deadlineNanos on the clock of {@link System#nanoTime}
   * @param beforeClose called with a shard still locked, to hand on what changed there
   * @return false if the time was up first
   */
  public boolean run(long nowMs, long deadlineNanos, Runnable beforeClose) {
    int tables = Keyspace.SHARDS * keyspace.databases();
    int seen = 0;
    seenEntries = 0;
    removedEntries = 0;
    while (seen < tables && System.nanoTime() - deadlineNanos < 0) {
      if (visitSome(nowMs, beforeClose)) {
        table = (table + 1) % tables;
        seen++;
      }
    }
    return seen == tables;
  }

  /** How many entries with an expiry the last run looked at. */
  public long seen() {
    return seenEntries;
  }

  /** How many of them were past their time, and so were removed. */
  public long removed() {
    return removedEntries;
  }

  /** A part of the table that is next; true when it is through. */
  private boolean visitSome(long nowMs, Runnable beforeClose) {
    int shard = table % Keyspace.SHARDS;
    int database = table / Keyspace.SHARDS;
    if (keyspace.shard(shard).table(database).expiringSize() == 0 || !keyspace.isExpiring()) {
      cursor = 0;
      return true;
    }
    boolean entered = scope.enter(shard, true, nowMs);
    try {
      removeFrom(database, scope.shard(shard).table(database));
      beforeClose.run();
    } finally {
      scope.leave(entered);
    }
    return cursor == 0;
  }

  private void removeFrom(int database, KeyTable keys) {
    for (int i = 0; i < HOMES_PER_LOCK; i++) {
      cursor = keys.visit(cursor, this::collect);
      if (cursor == 0) {
        break;
      }
    }
    expired.forEach(entry -> scope.removeIfExpired(database, entry));
    removedEntries += expired.size();
    expired.clear();
  }

  private void collect(Entry entry) {
    seenEntries += entry.hasExpiry() ? 1 : 0;
    if (scope.isExpired(entry)) {
      expired.add(entry);
    }
  }
}
