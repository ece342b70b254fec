package io.porteiro.server.command.hyperloglog;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.HashList;
import io.porteiro.server.command.Probe;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.structure.hyperloglog.CorruptHyperLogLogException;
import io.porteiro.server.structure.hyperloglog.HyperLogLog;
import io.porteiro.server.structure.hyperloglog.Union;
import io.porteiro.server.structure.string.StringValue;
import org.jspecify.annotations.Nullable;

/**
 * PFCOUNT. The count of one key is cached in its value: a valid one is answered under the read
 * lock, a stale one is replaced, which is a change of the value. Of several keys nothing is stored.
 */
final class Count implements Probe {
  @Override
  public boolean accepts(int arguments) {
    return arguments == 2;
  }

  @Override
  public void hash(Request request, HashList hashes) {
    // There are no elements.
  }

  @Override
  public boolean answer(
      CommandContext context,
      @Nullable Entry entry,
      HashList hashes,
      int from,
      int to,
      ReplyWriter reply) {
    if (entry == null) {
      reply.integer(0);
      return true;
    }
    StringValue value = HyperLogLogs.of(entry);
    if (!HyperLogLog.isCounted(value)) {
      return false;
    }
    reply.integer(HyperLogLog.count(value, HyperLogLogs.workspace()));
    return true;
  }

  @Override
  public int answerSeries(
      @Nullable Entry entry, HashList hashes, int first, int end, ReplyWriter reply) {
    StringValue value = HyperLogLogs.ofOrNull(entry);
    if (value == null || !HyperLogLog.isCounted(value)) {
      return first;
    }
    long count = HyperLogLog.count(value, HyperLogLogs.workspace());
    for (int i = first; i < end; i++) {
      reply.integer(count);
    }
    return end;
  }

  @Override
  public void apply(CommandContext context, HashList hashes, int from, int to, ReplyWriter reply) {
    Key key = context.key(1);
    Entry entry = context.forWrite(key);
    if (entry == null) {
      reply.integer(0);
      return;
    }
    StringValue value = HyperLogLogs.of(entry);
    boolean wasCounted = HyperLogLog.isCounted(value);
    reply.integer(count(value));
    if (!wasCounted) {
      context.changed(key, null);
    }
  }

  private static long count(StringValue value) {
    try {
      return HyperLogLog.count(value, HyperLogLogs.workspace());
    } catch (CorruptHyperLogLogException e) {
      throw HyperLogLogs.corrupt();
    }
  }

  /** Of several keys. */
  static void ofUnion(CommandContext context, ReplyWriter reply) {
    Union union = HyperLogLogs.newUnion();
    for (int i = 1; i < context.request().count(); i++) {
      include(union, context.read(context.key(i)));
    }
    reply.integer(union.count());
  }

  /**
   * Adds what is under a key, if there is anything.
   *
   * @throws CommandException if it is no HyperLogLog, or a damaged one
   */
  static void include(Union union, @Nullable Entry entry) {
    if (entry == null) {
      return;
    }
    try {
      union.include(HyperLogLogs.of(entry));
    } catch (CorruptHyperLogLogException e) {
      throw HyperLogLogs.corrupt();
    }
  }
}
