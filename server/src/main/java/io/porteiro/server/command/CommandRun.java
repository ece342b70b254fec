package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.protocol.RequestBatch;
import io.porteiro.server.metrics.LoopMetrics;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.ShardScope;
import io.porteiro.server.structure.Value;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run: consecutive look-ups and adds on one key ({@link Probe}). All are hashed, the key's shard
 * is locked once for reading, and they are answered in order up to the first that has to change
 * something; from there on the run holds the write lock, which it gives up at its end, at most
 * {@link RequestBatch#MAX_REQUESTS} commands later. A single one is a run of one.
 */
final class CommandRun {
  /** Smaller values are in the processor's cache, if they are looked at in runs. */
  private static final long MIN_TOUCHED_BYTES = 1 << 20;

  private final Services services;
  private final Execution execution;
  private final Admission admission;
  private final CommandContext context;
  private final ShardScope scope;
  private final LoopMetrics metrics;
  private final HashList hashes = new HashList();
  private final CommandSpec[] specs = new CommandSpec[RequestBatch.MAX_REQUESTS];
  private final int[] hashStarts = new int[RequestBatch.MAX_REQUESTS + 1];

  CommandRun(Services services, Execution execution, Admission admission) {
    this.services = services;
    this.execution = execution;
    this.admission = admission;
    this.context = execution.context();
    this.scope = execution.scope();
    this.metrics = execution.metrics();
  }

  /** Executes the run that begins with this request; its length. */
  int execute(Session session, RequestBatch batch, int first, CommandSpec spec) {
    ReplyWriter reply = session.reply();
    int length = collect(session, batch, first, spec);
    if (length == 0) {
      execution.afterReply(session, spec);
      execution.answered(session, spec, batch.get(first), execution.lastNanos());
      return 1;
    }
    if (context.request() != batch.get(first)) {
      execution.begin(session, spec, batch.get(first));
    }
    Key key = context.key(1);
    scope.name(key, false);
    scope.open(execution.nowMs());
    try {
      applyAll(session, batch, first, length, key, reply);
    } finally {
      execution.closeScope();
    }
    execution.removeExpiredSeen();
    execution.afterReply(session, specs[length - 1]);
    count(session, batch, first, length);
    return length;
  }

  /**
   * Hashes the first and those behind it that belong to the run; 0 if the first is wrong, then
   * answered.
   */
  private int collect(Session session, RequestBatch batch, int first, CommandSpec spec) {
    hashes.clear();
    int length = 0;
    try {
      hashItems(spec, length++);
    } catch (CommandException e) {
      execution.observe(session, spec, batch.get(first));
      session.reply().error(e.error());
      return 0;
    }
    Key key = context.key(1);
    while (first + length < batch.size() && session.replyMode() == Session.ReplyMode.ON) {
      Request request = batch.get(first + length);
      if (!continues(session, request, key, batch.get(first + length - 1), specs[length - 1])) {
        break;
      }
      try {
        hashItems(context.spec(), length);
      } catch (CommandException e) {
        break; // answered in its turn
      }
      length++;
    }
    return length;
  }

  private void hashItems(CommandSpec spec, int position) {
    specs[position] = spec;
    hashStarts[position] = hashes.size();
    probe(spec).hash(context, hashes);
    hashStarts[position + 1] = hashes.size();
  }

  /**
   * Whether the request is one more probe of the same key; it then is the context's command.
   *
   * @param previous the last request that belongs to the run, and what it is
   */
  private boolean continues(
      Session session, Request request, Key key, Request previous, CommandSpec previousSpec) {
    if (request.count() < 2 || !key.matches(request.address(1), request.length(1))) {
      return false; // mostly, where there are many keys
    }
    CommandSpec spec = isAlike(request, previous) ? previousSpec : admittedProbe(session, request);
    if (spec == null) {
      return false;
    }
    execution.begin(session, spec, request);
    return probe(spec).accepts(context);
  }

  /** With the same name, key and number of arguments what was found of the one holds for both. */
  private static boolean isAlike(Request request, Request previous) {
    return request.count() == previous.count()
        && request.hasSameName(previous)
        && !request.lacksMemory();
  }

  private @Nullable CommandSpec admittedProbe(Session session, Request request) {
    CommandSpec spec = services.table().find(request);
    return spec != null
            && spec.probe() != null
            && session.transaction() == null
            && admission.refusal(session, spec, request) == null
        ? spec
        : null;
  }

  private static Probe probe(CommandSpec spec) {
    return Objects.requireNonNull(spec.probe());
  }

  private void applyAll(
      Session session, RequestBatch batch, int first, int length, Key key, ReplyWriter reply) {
    Entry entry = context.readForRun(key);
    if (entry != null && length > 1 && entry.value().memoryBytes() >= MIN_TOUCHED_BYTES) {
      touch(entry.value(), length);
    }
    boolean writing = false;
    for (int i = 0; i < length; i++) {
      if (i > 0) {
        execution.begin(session, specs[i], batch.get(first + i));
      }
      execution.observe(session, specs[i], batch.get(first + i));
      writing = applyNext(session, i, key, entry, writing, reply);
      execution.afterReply(session, specs[i]);
    }
  }

  private void touch(Value value, int length) {
    for (int i = 0; i < length; i++) {
      probe(specs[i]).touch(value, hashes, hashStarts[i], hashStarts[i + 1]);
    }
  }

  /** One command of the run; true if the write lock is held after it. */
  private boolean applyNext(
      Session session, int i, Key key, @Nullable Entry entry, boolean writing, ReplyWriter reply) {
    long mark = reply.mark();
    boolean holdsWrite = writing;
    try {
      if (isAnswered(i, key, entry, writing, reply)) {
        return writing;
      }
      holdsWrite = true;
      scope.upgrade(key);
      probe(specs[i]).apply(context, hashes, hashStarts[i], hashStarts[i + 1], reply);
    } catch (RuntimeException | StackOverflowError e) {
      execution.failed(session, specs[i], mark, e);
    } finally {
      context.endCommand();
    }
    execution.countFailure(specs[i]);
    return holdsWrite;
  }

  /**
   * Look-ups are counted, and under the write lock look at the key anew; adds are neither, as in
   * Redis.
   */
  private boolean isAnswered(
      int i, Key key, @Nullable Entry entry, boolean writing, ReplyWriter reply) {
    Entry found = entry;
    if (specs[i].has(CommandFlag.READONLY)) {
      found = writing ? context.peek(key) : entry;
      context.lookedUp(key, found);
    } else if (writing) {
      return false;
    }
    return probe(specs[i]).answer(context, found, hashes, hashStarts[i], hashStarts[i + 1], reply);
  }

  private void count(Session session, RequestBatch batch, int first, int length) {
    long nanosEach = execution.nanosSince(execution.lastNanos()) / length;
    for (int i = 0, same; i < length; i += same) {
      same = countOfSame(i, length);
      metrics.executed(specs[i].id(), nanosEach, same);
    }
    if (nanosEach >= services.observer().slowNanos()) {
      for (int i = 0; i < length; i++) {
        services.observer().slow(session, specs[i], batch.get(first + i), nanosEach);
      }
    }
    if (length > 1) {
      session.setLastCommand(specs[length - 1]);
    }
  }

  private int countOfSame(int from, int length) {
    int i = from + 1;
    while (i < length && specs[i] == specs[from]) {
      i++;
    }
    return i - from;
  }
}
