package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.ShardScope;
import io.porteiro.server.store.Watch;

/** Transactions: queues the commands after MULTI, and executes them all in one scope. */
final class TransactionExecution {
  private final Services services;
  private final Execution execution;
  private final HashList hashes = new HashList();

  TransactionExecution(Services services, Execution execution) {
    this.services = services;
    this.execution = execution;
  }

  /** Keeps a command for EXEC, and replies QUEUED. */
  void queue(Session session, Transaction transaction, CommandSpec spec, Request request) {
    if (transaction.bytes() + request.byteCount() > services.config().clientQueryBufferLimit()) {
      services.metrics().clientLosses().countInputLimit();
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
  void execute(Session session, Transaction transaction, ReplyWriter reply) {
    try {
      nameTransaction(session, transaction);
      scope().open(execution.nowMs());
      context().setInTransaction(true);
      try {
        applyTransaction(session, transaction, reply);
      } finally {
        context().setInTransaction(false);
        execution.closeScope();
      }
    } finally {
      transaction.discard();
      unwatchAll(session);
    }
  }

  private void nameTransaction(Session session, Transaction transaction) {
    for (Transaction.Queued queued : transaction.queue()) {
      if (queued.spec().scope() == ScopeKind.WALK) {
        scope().nameAll(false);
      } else {
        execution.begin(session, queued.spec(), queued.request());
        nameQueued(queued.spec());
      }
    }
    for (Watch watch : session.watches()) {
      scope().name(watch, false);
    }
  }

  /** A probe's lock cannot be upgraded here: what its keys may need is locked from the start. */
  private void nameQueued(CommandSpec spec) {
    if (spec.probe() != null) {
      execution.nameKeys(spec, false, false);
    } else {
      execution.name(spec);
    }
  }

  private void applyTransaction(Session session, Transaction transaction, ReplyWriter reply) {
    for (Watch watch : session.watches()) {
      if (scope().isChanged(watch)) {
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
    long startNanos = execution.lastNanos();
    long mark = reply.mark();
    execution.begin(session, spec, queued.request());
    execution.observe(session, spec, queued.request());
    try {
      requirePermission(session, spec, queued.request());
      applyInScope(spec, reply);
    } catch (RuntimeException | StackOverflowError e) {
      execution.failed(session, spec, mark, e);
    } finally {
      context().endCommand();
    }
    execution.answered(session, spec, queued.request(), startNanos);
  }

  /** Rights may have been taken away since the command was queued. */
  private void requirePermission(Session session, CommandSpec spec, Request request) {
    long verdict = Authorization.check(session.user().rights(), spec, request, 0);
    if (verdict != Authorization.PERMITTED) {
      Denials.log(services, session, spec, request, verdict, true);
      throw new CommandException(Denials.errorInTransaction(verdict));
    }
  }

  private void applyInScope(CommandSpec spec, ReplyWriter reply) {
    Probe probe = spec.probe();
    if (probe == null || !probe.accepts(context().request().count())) {
      execution.parse(spec).apply(context(), reply);
      return;
    }
    hashes.clear();
    probe.hash(context().request(), hashes);
    if (spec.has(CommandFlag.WRITE) || !isAnswered(probe, reply)) {
      probe.apply(context(), hashes, 0, hashes.size(), reply);
    }
  }

  private boolean isAnswered(Probe probe, ReplyWriter reply) {
    Entry entry = context().read(context().key(1));
    return probe.answer(context(), entry, hashes, 0, hashes.size(), reply);
  }

  /** Ends all watches of a session. */
  void unwatchAll(Session session) {
    if (session.watches().isEmpty()) {
      return;
    }
    session.watches().forEach(watch -> scope().name(watch, true));
    scope().open(execution.nowMs());
    try {
      session.watches().forEach(scope()::unwatch);
    } finally {
      scope().close();
    }
    session.watches().clear();
  }

  /** Gives up the transaction, if there is one, and all watches. */
  void discard(Session session) {
    Transaction transaction = session.transaction();
    if (transaction != null) {
      session.setTransaction(null);
      transaction.discard();
    }
    unwatchAll(session);
  }

  /** EXEC itself was refused: a transaction, if there is one, is over. */
  void abort(Session session, String error) {
    discard(session);
    String reason = error.startsWith("ERR ") ? error.substring(4) : error;
    session.reply().error("EXECABORT Transaction discarded because of: " + reason);
  }

  private CommandContext context() {
    return execution.context();
  }

  private ShardScope scope() {
    return execution.scope();
  }
}
