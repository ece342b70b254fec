package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.metrics.LoopMetrics;
import io.porteiro.server.store.ShardScope;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How one event loop executes a command, alone, in a run or in a transaction: names what it needs
 * locked, opens the scope, applies, and around that times it, counts it and answers its failures.
 */
final class Execution {
  private static final Logger log = LoggerFactory.getLogger(Execution.class);

  /** Where somebody asks for commands that take less, all are timed alone. */
  private static final long MIN_SERIES_SLOW_NANOS = 1_000_000;

  private final Services services;
  private final LoopMetrics metrics;
  private final CommandContext context;
  private final ShardScope scope;
  private final TransactionExecution transactions;
  private long errorReplies;
  private long countedErrors;
  private long nowMs;
  private long lastNanos;

  /** Instant commands of one kind, one after the other, that are not counted yet. */
  private @Nullable CommandSpec series;

  private int seriesLength;

  Execution(Services services) {
    this.services = services;
    this.metrics = services.metrics().newLoop();
    this.transactions = new TransactionExecution(services, this);
    this.context = new CommandContext(services, metrics, transactions);
    this.scope = context.scope();
  }

  LoopMetrics metrics() {
    return metrics;
  }

  CommandContext context() {
    return context;
  }

  ShardScope scope() {
    return scope;
  }

  TransactionExecution transactions() {
    return transactions;
  }

  /** The time of the batch, in milliseconds since 1970. */
  long nowMs() {
    return nowMs;
  }

  /** When the command before was over. */
  long lastNanos() {
    return lastNanos;
  }

  /** The time is taken once per batch, that of single commands from the end of the one before. */
  void beginBatch() {
    nowMs = services.clock().millis();
    lastNanos = System.nanoTime();
    series = null;
    seriesLength = 0;
  }

  /** All commands of the batch are executed. */
  void endBatch() {
    endSeries();
    context.tracking().endBatch();
  }

  void errorReplied(String error) {
    errorReplies++;
    services.metrics().errorReply(error);
  }

  void begin(Session session, CommandSpec spec, Request request) {
    if (series != spec) {
      endSeries();
    }
    context.begin(session, spec, request, nowMs);
  }

  void executeOne(Session session, CommandSpec spec, Request request) {
    ReplyWriter reply = session.reply();
    long startNanos = lastNanos;
    long mark = reply.mark();
    observe(session, spec, request);
    try {
      parseAndApply(spec, reply);
    } catch (RuntimeException | StackOverflowError e) {
      failed(session, spec, mark, e);
    }
    removeExpiredSeen();
    afterReply(session, spec);
    if (spec.isInstant() && services.observer().slowNanos() >= MIN_SERIES_SLOW_NANOS) {
      continueSeries(spec);
    } else {
      answered(session, spec, request, startNanos);
    }
  }

  /**
   * One look at the clock costs a twelfth of a PING. A series is timed from its begin to its end
   * and each of its commands counts the same part of that; it is told to nobody as slow, because
   * none of them can be.
   */
  private void continueSeries(CommandSpec spec) {
    series = spec;
    seriesLength++;
    countFailure(spec);
  }

  private void endSeries() {
    CommandSpec ended = series;
    if (ended != null) {
      metrics.executed(ended.id(), nanosSince(lastNanos) / seriesLength, seriesLength);
      series = null;
      seriesLength = 0;
    }
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

  Operation parse(CommandSpec spec) {
    CommandParser parser = spec.parser();
    if (parser == null) {
      throw new IllegalStateException(spec + " has no code");
    }
    return parser.parse(context);
  }

  void closeScope() {
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
  boolean name(CommandSpec spec) {
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

  void nameKeys(CommandSpec spec, boolean allRead, boolean allWrite) {
    List<KeySpec> keySpecs = spec.keySpecs();
    for (int i = 0; i < keySpecs.size(); i++) {
      KeySpec keySpec = keySpecs.get(i);
      boolean write = allWrite || (!allRead && !keySpec.isReadOnly());
      int last = keySpec.lastIndex(context.request().count());
      for (int key = keySpec.first(context.request()); key <= last; key += keySpec.step()) {
        scope.name(context.key(key), write);
      }
    }
  }

  void removeExpiredSeen() {
    if (scope.sawExpired()) {
      removeOrForgetExpired();
    }
  }

  /** A pause of writes holds the removal of keys, too: to readers they are absent anyway. */
  private void removeOrForgetExpired() {
    if (services.clients().isPaused(true, nowMs)) {
      scope.forgetExpiredSeen();
    } else {
      scope.removeExpiredSeen(nowMs, context::endScope);
    }
  }

  /** What is done before a command is applied: MONITOR sees it; errors from here on are its own. */
  void observe(Session session, CommandSpec spec, Request request) {
    countedErrors = errorReplies;
    if (services.observer().isMonitoring() && !spec.has(CommandFlag.SKIP_MONITOR)) {
      services.observer().monitor(session, spec, request, nowMs);
    }
  }

  /**
   * What follows a reply: messages of the client's own making, the end of its CLIENT CACHING. In
   * EXEC once, after its reply.
   */
  void afterReply(Session session, CommandSpec spec) {
    if (context.tracking().hasMessages()) {
      context.tracking().sendMessages(session);
    }
    endCaching(session, spec);
  }

  /**
   * CLIENT CACHING holds for the next command that is not CLIENT; for all of a transaction, if
   * MULTI is next.
   */
  static void endCaching(Session session, @Nullable CommandSpec spec) {
    ClientTracking tracking = session.tracking();
    if (tracking != null && tracking.isCaching() && session.transaction() == null) {
      tracking.setCaching(spec != null && spec.fullName().startsWith("client|"));
    }
  }

  /** What is done when a command is over: its time and its failure are counted. */
  void answered(Session session, CommandSpec spec, Request request, long startNanos) {
    long durationNanos = nanosSince(startNanos);
    metrics.executed(spec.id(), durationNanos);
    countFailure(spec);
    if (durationNanos >= services.observer().slowNanos() && !spec.has(CommandFlag.SKIP_SLOWLOG)) {
      services.observer().slow(session, spec, request, durationNanos);
    }
  }

  /** Errors are counted for one command only: those inside EXEC are not also EXEC's. */
  void countFailure(CommandSpec spec) {
    if (errorReplies != countedErrors) {
      metrics.failed(spec.id());
      countedErrors = errorReplies;
    }
  }

  /** From the end of the command before: one look at the clock per command. */
  long nanosSince(long startNanos) {
    lastNanos = System.nanoTime();
    return lastNanos - startNanos;
  }

  /** An error instead of the reply, also where that was begun. */
  void failed(Session session, CommandSpec spec, long mark, Throwable reason) {
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
