package io.porteiro.server.command.hyperloglog;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.HashList;
import io.porteiro.server.command.Probe;
import io.porteiro.server.hash.MurmurHash64A;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.structure.hyperloglog.CorruptHyperLogLogException;
import io.porteiro.server.structure.hyperloglog.ElementHash;
import io.porteiro.server.structure.hyperloglog.HyperLogLog;
import io.porteiro.server.structure.hyperloglog.Workspace;
import io.porteiro.server.structure.string.StringValue;
import org.jspecify.annotations.Nullable;

/**
 * PFADD. Elements that change no register are answered under the read lock; once a set has grown,
 * that is nearly all of them, known or not.
 */
final class Addition implements Probe {
  private static final int FIRST_ELEMENT = 2;

  @Override
  public void hash(Request request, HashList hashes) {
    for (int i = FIRST_ELEMENT; i < request.count(); i++) {
      hashes.add(
          MurmurHash64A.hash(
              OffHeap.MEMORY, request.address(i), request.length(i), ElementHash.SEED));
    }
  }

  @Override
  public boolean answer(
      CommandContext context,
      @Nullable Entry entry,
      HashList hashes,
      int from,
      int to,
      ReplyWriter reply) {
    if (entry == null || anyWouldChange(HyperLogLogs.of(entry), hashes, from, to)) {
      return false;
    }
    reply.integer(0);
    return true;
  }

  @Override
  public int answerSeries(
      @Nullable Entry entry, HashList hashes, int first, int end, ReplyWriter reply) {
    StringValue value = HyperLogLogs.ofOrNull(entry);
    if (value == null) {
      return first;
    }
    int next = first;
    try {
      while (next < end && !anyWouldChange(value, hashes, hashes.start(next), hashes.end(next))) {
        next++;
      }
    } catch (CommandException _) {
      // The command that finds out answers it, in its turn.
    }
    reply.bits(0, next - first);
    return next;
  }

  private static boolean anyWouldChange(StringValue value, HashList hashes, int from, int to) {
    Workspace workspace = HyperLogLogs.workspace();
    try {
      for (int i = from; i < to; i++) {
        if (HyperLogLog.wouldChange(value, hashes.get(i), workspace)) {
          return true;
        }
      }
      return false;
    } catch (CorruptHyperLogLogException e) {
      throw HyperLogLogs.corrupt();
    }
  }

  @Override
  public void apply(CommandContext context, HashList hashes, int from, int to, ReplyWriter reply) {
    Key key = context.key(1);
    Entry entry = context.forWrite(key);
    int changes =
        entry == null
            ? create(context, key, hashes, from, to)
            : add(context, HyperLogLogs.of(entry), hashes, from, to);
    if (changes > 0) {
      context.changed(key, HyperLogLogCommands.ADDED, changes);
    }
    reply.integer(changes > 0 ? 1 : 0);
  }

  /** Being created is a change, too. */
  private static int create(CommandContext context, Key key, HashList hashes, int from, int to) {
    StringValue value = HyperLogLog.create(context.keyspace().pool());
    int changes;
    try {
      changes = 1 + add(context, value, hashes, from, to);
    } catch (MemoryLimitException e) {
      value.release();
      throw e;
    }
    context.create(key, value);
    return changes;
  }

  private static int add(
      CommandContext context, StringValue value, HashList hashes, int from, int to) {
    long sparseMaxBytes = context.config().hllSparseMaxBytes();
    try {
      return HyperLogLog.add(value, hashes, from, to, sparseMaxBytes, HyperLogLogs.workspace());
    } catch (CorruptHyperLogLogException e) {
      throw HyperLogLogs.corrupt();
    }
  }
}
