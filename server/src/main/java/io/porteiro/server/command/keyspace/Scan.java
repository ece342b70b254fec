package io.porteiro.server.command.keyspace;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import io.porteiro.server.glob.GlobPattern;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.KeyTable;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.structure.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of SCAN: visits home buckets, shard after shard, until it has seen COUNT keys (whether
 * they match or not) or ten times as many filled buckets. Empty buckets and shards cost nothing, so
 * that a sparse database is not a long walk for the client, and the last call says that it is.
 *
 * <p>Each shard is locked for a bounded number of buckets; between, others may change the table, as
 * they may between calls. A key that is there throughout is returned by any order of calls from
 * cursor 0 to cursor 0.
 */
final class Scan {
  private static final long DEFAULT_COUNT = 10;
  private static final long BUCKETS_PER_KEY = 10;
  private static final int BUCKETS_PER_LOCK = 4096;

  /** Types that Redis has and we do not: known, but never met. */
  private static final List<String> OTHER_TYPES = List.of("list", "set", "zset", "hash", "stream");

  private int shard;
  private long cursor;
  private long count = DEFAULT_COUNT;
  private @Nullable GlobPattern pattern;
  private @Nullable String typeName;

  private long keysLeft;
  private long bucketsLeft;
  private final List<byte[]> found = new ArrayList<>();

  private Scan(ScanCursor cursor) {
    this.shard = cursor.shard();
    this.cursor = cursor.inTable();
  }

  /** Reads the arguments of SCAN. */
  static Scan parse(CommandContext context) {
    Arguments arguments = context.arguments();
    Scan scan = new Scan(ScanCursor.parse(context, arguments.skip()));
    while (arguments.hasNext()) {
      if (arguments.remaining() < 2) {
        throw Errors.syntax();
      }
      scan.parseOption(context, arguments);
    }
    return scan;
  }

  /** Where an option is given twice, the last one counts. */
  private void parseOption(CommandContext context, Arguments arguments) {
    if (arguments.accept("COUNT")) {
      count = parseCount(arguments);
    } else if (arguments.accept("MATCH")) {
      GlobPattern given = pattern(context, arguments.skip());
      pattern = given.isStar() ? null : given;
    } else if (arguments.accept("TYPE")) {
      typeName = parseType(arguments);
    } else {
      throw Errors.syntax();
    }
  }

  private static long parseCount(Arguments arguments) {
    long count = arguments.nextLong();
    if (count < 1) {
      throw Errors.syntax();
    }
    return count;
  }

  private static String parseType(Arguments arguments) {
    int index = arguments.index();
    for (ValueType type : ValueType.values()) {
      if (arguments.accept(type.typeName())) {
        return type.typeName();
      }
    }
    for (String other : OTHER_TYPES) {
      if (arguments.accept(other)) {
        return other;
      }
    }
    throw new CommandException("ERR unknown type name '" + arguments.toldAt(index) + "'");
  }

  void apply(CommandContext context, ReplyWriter reply) {
    keysLeft = count;
    bucketsLeft = count > Long.MAX_VALUE / BUCKETS_PER_KEY ? count : count * BUCKETS_PER_KEY;
    walk(context);
    reply.array(2);
    reply.bulk(position().toString());
    reply.array(found.size());
    found.forEach(reply::bulk);
  }

  private ScanCursor position() {
    return shard == Keyspace.SHARDS ? ScanCursor.END : new ScanCursor(shard, cursor);
  }

  private void walk(CommandContext context) {
    while (shard < Keyspace.SHARDS) {
      if (table(context).size() > 0) {
        if (isDone()) {
          return;
        }
        context.inShard(shard, s -> visitSome(context));
      } else {
        cursor = 0;
      }
      if (cursor == 0) {
        shard++;
      }
    }
  }

  private KeyTable table(CommandContext context) {
    return context.keyspace().shard(shard).table(context.database());
  }

  private boolean isDone() {
    return keysLeft <= 0 || bucketsLeft <= 0;
  }

  /** Stops before the next filled bucket when done, or when the lock was held long enough. */
  private void visitSome(CommandContext context) {
    KeyTable table = table(context);
    for (int i = 0; i < BUCKETS_PER_LOCK; i++) {
      if (table.isHomeEmpty(cursor)) {
        cursor = table.nextCursor(cursor);
      } else if (isDone()) {
        return;
      } else {
        bucketsLeft--;
        cursor = table.visit(cursor, entry -> see(context, entry));
      }
      if (cursor == 0) {
        return;
      }
    }
  }

  private void see(CommandContext context, Entry entry) {
    keysLeft--;
    if (isWanted(entry) && !context.isExpired(entry)) {
      found.add(entry.key());
    }
  }

  private boolean isWanted(Entry entry) {
    return (pattern == null || pattern.matches(entry.key()))
        && (typeName == null || typeName.equals(entry.value().type().typeName()));
  }

  private static GlobPattern pattern(CommandContext context, int index) {
    return GlobPattern.of(context.request().address(index), context.request().length(index));
  }
}
