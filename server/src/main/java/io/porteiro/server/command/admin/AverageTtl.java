package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.Shard;

/** How long the keys with an expiry still have to live, on average, as far as a sample tells. */
final class AverageTtl {
  private static final int WANTED = 20;
  private static final int MAX_HOMES_PER_SHARD = 64;

  private final CommandContext context;
  private final int database;
  private long seen;
  private long sumMs;

  private AverageTtl(CommandContext context, int database) {
    this.context = context;
    this.database = database;
  }

  /**
   * In milliseconds.
   *
   * @param expiring how many keys have an expiry; where none has, nothing is looked at
   */
  static long milliseconds(CommandContext context, int database, long expiring) {
    if (expiring == 0) {
      return 0;
    }
    AverageTtl average = new AverageTtl(context, database);
    for (int i = 0; i < Keyspace.SHARDS && average.seen < WANTED; i++) {
      if (context.keyspace().shard(i).table(database).expiringSize() > 0) {
        context.inShard(i, average::sample);
      }
    }
    return average.seen == 0 ? 0 : average.sumMs / average.seen;
  }

  private void sample(Shard shard) {
    long cursor = 0;
    for (int i = 0; i < MAX_HOMES_PER_SHARD && seen < WANTED; i++) {
      cursor = shard.table(database).visit(cursor, this::add);
      if (cursor == 0) {
        return;
      }
    }
  }

  private void add(Entry entry) {
    if (entry.hasExpiry()) {
      seen++;
      sumMs += Math.max(0, entry.expireAtMs() - context.nowMs());
    }
  }
}
