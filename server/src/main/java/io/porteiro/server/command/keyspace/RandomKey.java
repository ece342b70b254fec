package io.porteiro.server.command.keyspace;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.KeyTable;
import io.porteiro.server.store.Keyspace;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A key of the session's database, each with the same probability: a shard is drawn by its size,
 * then a key in it. Sizes are read without locks, so with others adding and removing the
 * probabilities are nearly the same.
 */
final class RandomKey {
  /** Draws that hit a key past its time before all are searched for one that is not. */
  private static final int DRAWS = 100;

  private final CommandContext context;
  private byte @Nullable [] key;

  private RandomKey(CommandContext context) {
    this.context = context;
  }

  /** Null if there is none. */
  static byte @Nullable [] pick(CommandContext context) {
    RandomKey random = new RandomKey(context);
    for (int i = 0; i < DRAWS && random.key == null; i++) {
      random.draw();
    }
    return random.key == null ? random.first() : random.key;
  }

  private void draw() {
    long size = context.keyspace().size(context.database());
    if (size > 0) {
      context.inShard(
          shardAt(ThreadLocalRandom.current().nextLong(size)),
          shard -> keep(table(shard.index()).random(ThreadLocalRandom.current())));
    }
  }

  /** The shard that holds the {@code position}-th key, counting through all shards. */
  private int shardAt(long position) {
    int shard = 0;
    for (long left = position; shard < Keyspace.SHARDS - 1; shard++) {
      left -= table(shard).size();
      if (left < 0) {
        break;
      }
    }
    return shard;
  }

  private KeyTable table(int shard) {
    return context.keyspace().shard(shard).table(context.database());
  }

  private void keep(@Nullable Entry entry) {
    if (entry != null && !context.isExpired(entry)) {
      key = entry.key();
    }
  }

  private byte @Nullable [] first() {
    for (int shard = 0; shard < Keyspace.SHARDS && key == null; shard++) {
      if (table(shard).size() > 0) {
        context.inShard(shard, s -> table(s.index()).forEach(this::keep));
      }
    }
    return key;
  }
}
