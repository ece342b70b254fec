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
 * {@link RequestBatch#MAX_REQUESTS} commands later. A single one is a run of one. Commands of one
 * kind behind each other are a series, answered in one go where the probe can and nobody watches
 * single commands.
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

  /** Whether this run holds the write lock. */
  private boolean writing;

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

  /** Hashes the first and those behind it that belong to the run; how many they are. */
  private int collect(Session session, RequestBatch batch, int first, CommandSpec spec) {
    hashes.clear();
    hashItems(spec, batch.get(first), 0);
    int length = 1;
    Key key = context.key(1);
    while (first + length < batch.size() && session.replyMode() == Session.ReplyMode.ON) {
      Request request = batch.get(first + length);
      CommandSpec next =
          request.isLikeBefore() && request.count() > 2
              ? specs[length - 1]
              : continuing(session, request, key, batch.get(first + length - 1), specs[length - 1]);
      if (next == null) {
        break;
      }
      hashItems(next, request, length++);
    }
    return length;
  }

  private void hashItems(CommandSpec spec, Request request, int position) {
    specs[position] = spec;
    probe(spec).hash(request, hashes);
    hashes.endCommand();
  }

  /**
   * What the request is, if it is one more probe of the same key; otherwise null.
   *
   * @param previous the last request that belongs to the run, and what it is
   */
  private @Nullable CommandSpec continuing(
      Session session, Request request, Key key, Request previous, CommandSpec previousSpec) {
    if (request.count() < 2 || !key.matches(request.address(1), request.length(1))) {
      return null; // mostly, where there are many keys
    }
    CommandSpec spec = isAlike(request, previous) ? previousSpec : admittedProbe(session, request);
    return spec != null && probe(spec).accepts(request.count()) ? spec : null;
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
            && !isPaused(session, spec)
        ? spec
        : null;
  }

  private boolean isPaused(Session session, CommandSpec spec) {
    return services.clients().isPaused(admission.mayReplicate(session, spec), execution.nowMs());
  }

  private static Probe probe(CommandSpec spec) {
    return Objects.requireNonNull(spec.probe());
  }

  private void applyAll(
      Session session, RequestBatch batch, int first, int length, Key key, ReplyWriter reply) {
    Entry entry = context.readForRun(key);
    boolean together = mayBeTogether(session);
    writing = false;
    if (entry != null
        && length > 1
        && !(together && countOfSame(0, length) == length)
        && entry.value().memoryBytes() >= MIN_TOUCHED_BYTES) {
      touch(entry.value(), length);
    }
    int i = 0;
    while (i < length) {
      int end = together ? i + countOfSame(i, length) : i + 1;
      int next = end - i > 1 ? applySeries(session, batch, first, i, end, key, entry, reply) : i;
      if (next == i) {
        applyOne(session, batch.get(first + i), i, key, entry, reply);
        next++;
      }
      i = next;
    }
  }

  /** Whether nobody wants to see each command, nor to be told of what it has read. */
  private boolean mayBeTogether(Session session) {
    return !services.observer().isMonitoring() && session.tracking() == null;
  }

  private void touch(Value value, int length) {
    for (int i = 0; i < length; i++) {
      probe(specs[i]).touch(value, hashes, hashes.start(i), hashes.end(i));
    }
  }

  /**
   * Some commands of a series.
   *
   * @param i number of the first, the series ends before {@code end}
   * @return number of the next to be done; i if that one goes its own way
   */
  private int applySeries(
      Session session,
      RequestBatch batch,
      int first,
      int i,
      int end,
      Key key,
      @Nullable Entry entry,
      ReplyWriter reply) {
    long mark = reply.mark();
    try {
      int next = answerSeries(i, end, key, entry, reply);
      if (next > i
          || !writing // the next one may still need no lock
          || specs[i].has(CommandFlag.READONLY)
          || !probe(specs[i]).takesSeries(context, end - i)) {
        return next;
      }
      reply.bools(changeSeries(session, batch, first, i, end), end - i);
    } catch (RuntimeException | StackOverflowError e) {
      execution.failed(session, specs[i], mark, e);
      execution.countFailure(specs[i]);
      return i + 1;
    }
    return end;
  }

  /** As {@link #isAnswered}, for a series; number of the first that is not answered. */
  private int answerSeries(int i, int end, Key key, @Nullable Entry entry, ReplyWriter reply) {
    boolean looksUp = specs[i].has(CommandFlag.READONLY);
    if (writing && !looksUp) {
      return i;
    }
    Entry found = writing ? context.peek(key) : entry;
    int next = probe(specs[i]).answerSeries(found, hashes, i, end, reply);
    if (looksUp && next > i) {
      context.lookedUp(key, found, next - i);
    }
    return next;
  }

  /**
   * Applies a series and reports what it changed, before anybody is answered.
   *
   * @return a bit for each command that changed something
   */
  private long changeSeries(Session session, RequestBatch batch, int first, int i, int end) {
    try {
      long changed = probe(specs[i]).applySeries(context, hashes, i, end);
      reportChanges(session, batch, first + i, specs[i], changed);
      return changed;
    } catch (RuntimeException | Error e) { // a change that nobody hears of must not be served
      services.lifecycle().halt("'" + specs[i] + "' failed in the middle of a change", e);
      throw e;
    }
  }

  private void reportChanges(
      Session session, RequestBatch batch, int at, CommandSpec spec, long changed) {
    if (changed == 0) {
      return;
    }
    if (!context.isEachChangeTold()) {
      probe(spec).reportChanges(context, Long.bitCount(changed));
      return;
    }
    for (long rest = changed; rest != 0; rest &= rest - 1) {
      execution.begin(session, spec, batch.get(at + Long.numberOfTrailingZeros(rest)));
      probe(spec).reportChanges(context, 1);
      context.endCommand();
    }
  }

  private void upgrade(Key key) {
    if (!writing) {
      writing = true;
      scope.upgrade(key);
    }
  }

  private void applyOne(
      Session session, Request request, int i, Key key, @Nullable Entry entry, ReplyWriter reply) {
    if (i > 0) {
      execution.begin(session, specs[i], request);
    }
    execution.observe(session, specs[i], request);
    long mark = reply.mark();
    try {
      if (!isAnswered(i, key, entry, reply)) {
        upgrade(key);
        probe(specs[i]).apply(context, hashes, hashes.start(i), hashes.end(i), reply);
      }
    } catch (RuntimeException | StackOverflowError e) {
      execution.failed(session, specs[i], mark, e);
    } finally {
      context.endCommand();
    }
    execution.countFailure(specs[i]);
    execution.afterReply(session, specs[i]);
  }

  /**
   * Look-ups are counted, and under the write lock look at the key anew; adds are neither, as in
   * Redis.
   */
  private boolean isAnswered(int i, Key key, @Nullable Entry entry, ReplyWriter reply) {
    Entry found = entry;
    if (specs[i].has(CommandFlag.READONLY)) {
      found = writing ? context.peek(key) : entry;
      context.lookedUp(key, found, 1);
    } else if (writing) {
      return false;
    }
    return probe(specs[i]).answer(context, found, hashes, hashes.start(i), hashes.end(i), reply);
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
