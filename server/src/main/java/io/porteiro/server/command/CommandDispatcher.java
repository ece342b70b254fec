package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.protocol.RequestBatch;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.metrics.LoopMetrics;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.ShardScope;
import io.porteiro.server.store.Watch;
import io.porteiro.server.structure.Value;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes requests: finds the command, checks that it may run, parses, locks, applies, unlocks.
 * One per event loop, so it needs no synchronisation of its own.
 *
 * <p>Consecutive look-ups and adds on one key ({@link Probe}) are executed as a run: all hashed,
 * the key's shard locked once for reading, and answered in order up to the first that has to change
 * something; from there on the run holds the write lock, which it gives up at its end, at most
 * {@link RequestBatch#MAX_REQUESTS} commands later. A single one is a run of one.
 */
public final class CommandDispatcher {
  private static final Logger log = LoggerFactory.getLogger(CommandDispatcher.class);

  /** Replies beyond this are sent before the next command adds to them. */
  private static final long MAX_PENDING_REPLY_BYTES = 1 << 20;

  private final Services services;
  private final LoopMetrics metrics;
  private final CommandContext context;
  private final ShardScope scope;
  private final Admission admission;
  private final HashList hashes = new HashList();
  private final CommandSpec[] runSpecs = new CommandSpec[RequestBatch.MAX_REQUESTS];
  private final int[] runHashes = new int[RequestBatch.MAX_REQUESTS + 1];
  private long errorReplies;
  private long countedErrors;
  private long nowMs;
  private long lastNanos;

  public CommandDispatcher(Services services) {
    this.services = services;
    this.metrics = services.metrics().newLoop();
    this.context = new CommandContext(services, metrics, this);
    this.scope = context.scope();
    this.admission = new Admission(services);
  }

  /** This loop's counters, for the bytes that go in and out. */
  public LoopMetrics metrics() {
    return metrics;
  }

  /** To be set on every reply writer: counts the errors that are answered. */
  public void errorReplied(String error) {
    errorReplies++;
    services.metrics().errorReply(error);
  }

  /**
   * Executes the requests of a batch in order and appends their replies.
   *
   * @return how many were executed; fewer than there are if one of them closes the connection,
   *     answers later or is held, or if the replies so far should be sent first: the rest is to be
   *     decoded again when reading goes on
   */
  public int dispatch(Session session, RequestBatch batch) {
    nowMs = services.clock().millis();
    lastNanos = System.nanoTime();
    session.setLastInteractionMs(nowMs);
    int next = 0;
    while (next < batch.size() && mayGoOn(session)) {
      int executed = executeNext(session, batch, next);
      if (executed == 0) {
        break;
      }
      next += executed;
      if (!session.isWaiting()) {
        endSkipping(session);
      }
    }
    return next;
  }

  private static boolean mayGoOn(Session session) {
    return !session.isWaiting()
        && !session.isClosing()
        && session.reply().pendingBytes() < MAX_PENDING_REPLY_BYTES;
  }

  private int executeNext(Session session, RequestBatch batch, int index) {
    Request request = batch.get(index);
    CommandSpec spec = services.table().find(request);
    spec = spec == null ? null : subcommandOf(spec, request);
    String refusal = admission.refusal(session, spec, request);
    if (refusal != null || spec == null) {
      refuse(session, spec, Objects.requireNonNullElse(refusal, Errors.INTERNAL));
      return 1;
    }
    if (services.clients().isPaused(admission.mayReplicate(session, spec), nowMs)) {
      services.clients().hold(session);
      return 0;
    }
    beforeReply(session);
    session.setLastCommand(spec);
    if (session.transaction() != null && spec.isQueued()) {
      queue(session, session.transaction(), spec, request);
      return 1;
    }
    context.begin(session, spec, request, nowMs);
    if (spec.probe() != null && spec.probe().accepts(context)) {
      return executeRun(session, batch, index, spec);
    }
    executeOne(session, spec, request);
    return 1;
  }

  /**
   * The subcommand that the request names, or the container itself where it names none that exists.
   */
  private static CommandSpec subcommandOf(CommandSpec spec, Request request) {
    if (!spec.hasSubcommands() || request.count() < 2 || request.length(1) > 64) {
      return spec;
    }
    CommandSpec subcommand = spec.subcommand(request.text(1).toLowerCase(Locale.ROOT));
    return subcommand == null ? spec : subcommand;
  }

  // ---- refusals

  private void refuse(Session session, @Nullable CommandSpec spec, String error) {
    beforeReply(session);
    Transaction transaction = session.transaction();
    if (spec != null) {
      metrics.rejected(spec.id());
    }
    if (spec != null && spec.name().equals("exec")) {
      abort(session, error);
      return;
    }
    if (transaction != null) {
      transaction.setFailed();
    }
    session.reply().error(error);
  }

  /** EXEC itself was refused: a transaction, if there is one, is over. */
  private void abort(Session session, String error) {
    discard(session);
    String reason = error.startsWith("ERR ") ? error.substring(4) : error;
    session.reply().error("EXECABORT Transaction discarded because of: " + reason);
  }

  /** CLIENT REPLY SKIP: silent for the one command after it. */
  private static void beforeReply(Session session) {
    endSkipping(session);
    if (session.replyMode() == Session.ReplyMode.SKIP_NEXT) {
      session.setReplyMode(Session.ReplyMode.SKIPPING);
      session.reply().setDiscarding(true);
    }
  }

  private static void endSkipping(Session session) {
    if (session.replyMode() == Session.ReplyMode.SKIPPING) {
      session.setReplyMode(Session.ReplyMode.ON);
      session.reply().setDiscarding(false);
    }
  }

  // ---- one command

  private void executeOne(Session session, CommandSpec spec, Request request) {
    ReplyWriter reply = session.reply();
    long startNanos = lastNanos;
    long mark = reply.mark();
    countedErrors = errorReplies;
    observe(session, spec, request);
    try {
      parseAndApply(spec, reply);
    } catch (RuntimeException | StackOverflowError e) {
      failed(session, spec, mark, e);
    }
    removeExpiredSeen();
    count(session, spec, request, nanosSince(startNanos));
  }

  private void parseAndApply(CommandSpec spec, ReplyWriter reply) {
    Operation operation = parse(spec);
    if (!name(spec)) {
      operation.apply(context, reply);
      return;
    }
    scope.open(nowMs);
    try {
      operation.apply(context, reply);
    } finally {
      context.endCommand();
      closeScope();
    }
  }

  private Operation parse(CommandSpec spec) {
    CommandParser parser = spec.parser();
    if (parser == null) {
      throw new IllegalStateException(spec + " has no code");
    }
    return parser.parse(context);
  }

  private void closeScope() {
    try {
      context.endScope();
    } finally {
      scope.close();
    }
  }

  /**
   * Names what the command needs locked; false if that is nothing, or locked by the command's own
   * walk.
   */
  private boolean name(CommandSpec spec) {
    switch (spec.scope()) {
      case NONE, WALK -> {
        return false;
      }
      case KEYS -> nameKeys(spec, false, false);
      case KEYS_READ -> nameKeys(spec, true, false);
      case KEYS_WRITE -> nameKeys(spec, false, true);
      case ALL_READ -> scope.nameAll(false);
      case ALL_WRITE -> scope.nameAll(true);
    }
    return true;
  }

  private void nameKeys(CommandSpec spec, boolean allRead, boolean allWrite) {
    List<KeySpec> keySpecs = spec.keySpecs();
    for (int i = 0; i < keySpecs.size(); i++) {
      KeySpec keySpec = keySpecs.get(i);
      boolean write = allWrite || (!allRead && !keySpec.isReadOnly());
      int last = keySpec.lastIndex(context.request().count());
      for (int key = keySpec.begin(); key <= last; key += keySpec.step()) {
        scope.name(context.key(key), write);
      }
    }
  }

  private void removeExpiredSeen() {
    if (scope.sawExpired()) {
      scope.removeExpiredSeen(nowMs, context::endScope);
    }
  }

  // ---- runs

  private int executeRun(Session session, RequestBatch batch, int first, CommandSpec spec) {
    ReplyWriter reply = session.reply();
    countedErrors = errorReplies;
    int length = collectRun(session, batch, first, spec);
    if (length == 0) {
      count(session, spec, batch.get(first), nanosSince(lastNanos));
      return 1;
    }
    context.begin(session, spec, batch.get(first), nowMs);
    Key key = context.key(1);
    scope.name(key, false);
    scope.open(nowMs);
    try {
      applyRun(session, batch, first, length, key, reply);
    } finally {
      closeScope();
    }
    removeExpiredSeen();
    countRun(session, batch, first, length);
    return length;
  }

  /**
   * Hashes the first and those behind it that belong to the run; 0 if the first is wrong, then
   * answered.
   */
  private int collectRun(Session session, RequestBatch batch, int first, CommandSpec spec) {
    hashes.clear();
    int length = 0;
    try {
      hashItems(spec, length++);
    } catch (CommandException e) {
      session.reply().error(e.error());
      return 0;
    }
    Key key = context.key(1);
    while (first + length < batch.size() && session.replyMode() == Session.ReplyMode.ON) {
      Request request = batch.get(first + length);
      if (!continuesRun(session, request, key)) {
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
    runSpecs[position] = spec;
    runHashes[position] = hashes.size();
    probe(spec).hash(context, hashes);
    runHashes[position + 1] = hashes.size();
  }

  /** Whether the request is one more probe of the same key; it then is the context's command. */
  private boolean continuesRun(Session session, Request request, Key key) {
    CommandSpec spec = services.table().find(request);
    if (spec == null
        || spec.probe() == null
        || session.transaction() != null
        || admission.refusal(session, spec, request) != null
        || !key.matches(request.address(1), request.length(1))) {
      return false;
    }
    context.begin(session, spec, request, nowMs);
    return spec.probe().accepts(context);
  }

  private static Probe probe(CommandSpec spec) {
    return Objects.requireNonNull(spec.probe());
  }

  private void applyRun(
      Session session, RequestBatch batch, int first, int length, Key key, ReplyWriter reply) {
    Entry entry = context.read(key);
    if (entry != null && length > 1) {
      touch(entry.value(), length);
    }
    boolean writing = false;
    for (int i = 0; i < length; i++) {
      if (i > 0) {
        context.begin(session, runSpecs[i], batch.get(first + i), nowMs);
      }
      observe(session, runSpecs[i], batch.get(first + i));
      writing = applyInRun(session, i, key, entry, writing, reply);
    }
  }

  private void touch(Value value, int length) {
    for (int i = 0; i < length; i++) {
      probe(runSpecs[i]).touch(value, hashes, runHashes[i], runHashes[i + 1]);
    }
  }

  /** One command of the run; true if the write lock is held after it. */
  private boolean applyInRun(
      Session session, int i, Key key, @Nullable Entry entry, boolean writing, ReplyWriter reply) {
    Probe probe = probe(runSpecs[i]);
    int from = runHashes[i];
    int to = runHashes[i + 1];
    long mark = reply.mark();
    boolean holdsWrite = writing;
    countedErrors = errorReplies;
    try {
      if (!writing && probe.answer(context, entry, hashes, from, to, reply)) {
        return false;
      }
      holdsWrite = true;
      scope.upgrade(key);
      probe.apply(context, hashes, from, to, reply);
    } catch (RuntimeException | StackOverflowError e) {
      failed(session, runSpecs[i], mark, e);
    } finally {
      context.endCommand();
    }
    countFailure(runSpecs[i]);
    return holdsWrite;
  }

  private void countRun(Session session, RequestBatch batch, int first, int length) {
    long nanosEach = nanosSince(lastNanos) / length;
    for (int i = 0; i < length; i++) {
      metrics.executed(runSpecs[i].id(), nanosEach);
      if (nanosEach >= services.observer().slowNanos()) {
        services.observer().slow(session, runSpecs[i], batch.get(first + i), nanosEach);
      }
    }
    if (length > 1) {
      session.setLastCommand(runSpecs[length - 1]);
    }
  }

  // ---- transactions

  private void queue(Session session, Transaction transaction, CommandSpec spec, Request request) {
    if (transaction.bytes() + request.byteCount() > services.config().clientQueryBufferLimit()) {
      session.setClosing();
      session.peer().close();
      return;
    }
    try {
      transaction.add(spec, request);
      session.reply().simpleString("QUEUED");
    } catch (MemoryLimitException e) {
      transaction.setFailed();
      session.reply().error(Errors.OUT_OF_MEMORY);
    }
  }

  /** Executes a transaction under the join of its commands' scopes, and replies. */
  void executeTransaction(Session session, Transaction transaction, ReplyWriter reply) {
    try {
      nameTransaction(session, transaction);
      scope.open(nowMs);
      context.setInTransaction(true);
      try {
        applyTransaction(session, transaction, reply);
      } finally {
        context.setInTransaction(false);
        closeScope();
      }
    } finally {
      transaction.discard();
      unwatchAll(session);
    }
  }

  private void nameTransaction(Session session, Transaction transaction) {
    for (Transaction.Queued queued : transaction.queue()) {
      if (queued.spec().scope() == ScopeKind.WALK) {
        scope.nameAll(false);
      } else {
        context.begin(session, queued.spec(), queued.request(), nowMs);
        nameQueued(queued.spec());
      }
    }
    for (Watch watch : session.watches()) {
      scope.name(watch, false);
    }
  }

  /** A probe's lock cannot be upgraded here: what its keys may need is locked from the start. */
  private void nameQueued(CommandSpec spec) {
    if (spec.probe() != null) {
      nameKeys(spec, false, false);
    } else {
      name(spec);
    }
  }

  private void applyTransaction(Session session, Transaction transaction, ReplyWriter reply) {
    for (Watch watch : session.watches()) {
      if (scope.isChanged(watch)) {
        reply.nullArray();
        return;
      }
    }
    reply.array(transaction.size());
    for (Transaction.Queued queued : transaction.queue()) {
      applyQueued(session, queued, reply);
    }
  }

  private void applyQueued(Session session, Transaction.Queued queued, ReplyWriter reply) {
    CommandSpec spec = queued.spec();
    long startNanos = lastNanos;
    long mark = reply.mark();
    countedErrors = errorReplies;
    context.begin(session, spec, queued.request(), nowMs);
    observe(session, spec, queued.request());
    try {
      applyInScope(spec, reply);
    } catch (RuntimeException | StackOverflowError e) {
      failed(session, spec, mark, e);
    } finally {
      context.endCommand();
    }
    count(session, spec, queued.request(), nanosSince(startNanos));
  }

  private void applyInScope(CommandSpec spec, ReplyWriter reply) {
    Probe probe = spec.probe();
    if (probe == null || !probe.accepts(context)) {
      parse(spec).apply(context, reply);
      return;
    }
    hashes.clear();
    probe.hash(context, hashes);
    if (spec.has(CommandFlag.WRITE) || !isAnswered(probe, reply)) {
      probe.apply(context, hashes, 0, hashes.size(), reply);
    }
  }

  private boolean isAnswered(Probe probe, ReplyWriter reply) {
    Entry entry = context.read(context.key(1));
    return probe.answer(context, entry, hashes, 0, hashes.size(), reply);
  }

  /** Ends all watches of a session. */
  void unwatchAll(Session session) {
    if (session.watches().isEmpty()) {
      return;
    }
    session.watches().forEach(watch -> scope.name(watch, true));
    scope.open(nowMs);
    try {
      session.watches().forEach(scope::unwatch);
    } finally {
      scope.close();
    }
    session.watches().clear();
  }

  /** The connection is gone: gives back what the session holds. */
  public void disconnected(Session session) {
    discard(session);
    services.channels().unsubscribeAll(session);
  }

  private void discard(Session session) {
    Transaction transaction = session.transaction();
    if (transaction != null) {
      session.setTransaction(null);
      transaction.discard();
    }
    unwatchAll(session);
  }

  // ---- around commands

  private void observe(Session session, CommandSpec spec, Request request) {
    if (services.observer().isMonitoring() && !spec.has(CommandFlag.SKIP_MONITOR)) {
      services.observer().monitor(session, spec, request, nowMs);
    }
  }

  private void count(Session session, CommandSpec spec, Request request, long durationNanos) {
    metrics.executed(spec.id(), durationNanos);
    countFailure(spec);
    if (durationNanos >= services.observer().slowNanos() && !spec.has(CommandFlag.SKIP_SLOWLOG)) {
      services.observer().slow(session, spec, request, durationNanos);
    }
  }

  /** Errors are counted for one command only: those inside EXEC are not also EXEC's. */
  private void countFailure(CommandSpec spec) {
    if (errorReplies != countedErrors) {
      metrics.failed(spec.id());
      countedErrors = errorReplies;
    }
  }

  /** From the end of the command before: one look at the clock per command. */
  private long nanosSince(long startNanos) {
    lastNanos = System.nanoTime();
    return lastNanos - startNanos;
  }

  /** An error instead of the reply, also where that was begun. */
  private void failed(Session session, CommandSpec spec, long mark, Throwable reason) {
    String error =
        switch (reason) {
          case CommandException refusal -> refusal.error();
          case MemoryLimitException _ -> Errors.OUT_OF_MEMORY;
          default -> unexpected(session, spec, reason);
        };
    session.reply().truncateTo(mark);
    session.reply().error(error);
  }

  /**
   * A fault of the program. Before the first change it is the client's to hear of; after it the
   * keyspace may hold half a change, which must never be served.
   */
  private String unexpected(Session session, CommandSpec spec, Throwable fault) {
    if (context.mayHaveChanged()) {
      services.lifecycle().halt("'" + spec + "' failed in the middle of a change", fault);
    }
    log.error("'{}' of client {} failed; nothing was changed", spec, session.id(), fault);
    scope.forget();
    return Errors.INTERNAL;
  }
}
