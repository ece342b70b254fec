package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import io.porteiro.protocol.RequestBatch;
import io.porteiro.server.metrics.LoopMetrics;
import io.porteiro.server.store.Lookahead;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Executes requests: finds the command, checks that it may run, parses, locks, applies, unlocks.
 * One per event loop, so it needs no synchronisation of its own.
 */
public final class CommandDispatcher {
  /** Replies beyond this are sent before the next command adds to them. */
  private static final long MAX_PENDING_REPLY_BYTES = 1 << 20;

  /** Fewer commands have too few misses to overlap. */
  private static final int MIN_LOOKAHEAD = 4;

  /** What is longer may well be no key, and hashing it takes longer than a miss. */
  private static final int MAX_LOOKAHEAD_KEY_BYTES = 256;

  private final Services services;
  private final Execution execution;
  private final Admission admission;
  private final CommandRun run;
  private final HttpRequests http = new HttpRequests();
  private final Lookahead lookahead;

  public CommandDispatcher(Services services) {
    this.services = services;
    this.execution = new Execution(services);
    this.admission = new Admission(services);
    this.lookahead = new Lookahead(services.keyspace(), RequestBatch.MAX_REQUESTS);
    this.run = new CommandRun(services, execution, admission);
  }

  /** This loop's counters, for the bytes that go in and out. */
  public LoopMetrics metrics() {
    return execution.metrics();
  }

  /** To be set on every reply writer: counts the errors that are answered. */
  public void errorReplied(String error) {
    execution.errorReplied(error);
  }

  /**
   * Executes the requests of a batch in order and appends their replies.
   *
   * @return how many were executed; fewer than there are if one of them closes the connection,
   *     answers later or is held, or if the replies so far should be sent first: the rest is to be
   *     decoded again when reading goes on
   */
  public int dispatch(Session session, RequestBatch batch) {
    execution.beginBatch();
    session.setLastInteractionMs(execution.nowMs());
    lookAhead(session, batch);
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
    execution.endBatch();
    return next;
  }

  /** Mostly the first argument is the key. */
  private void lookAhead(Session session, RequestBatch batch) {
    if (batch.size() < MIN_LOOKAHEAD || !lookahead.pays(session.database())) {
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      Request request = batch.get(i);
      if (mayNameAnotherKey(request) && request.length(1) <= MAX_LOOKAHEAD_KEY_BYTES) {
        lookahead.name(request.address(1), request.length(1));
      }
    }
    lookahead.fetch(session.database());
  }

  /** Known without a look at the key, where requests in a row differ in the last argument only. */
  private static boolean mayNameAnotherKey(Request request) {
    int arguments = request.count();
    return arguments == 2 || (arguments > 2 && !request.isLikeBefore());
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
    if (spec == null && HttpRequests.isOne(request)) {
      http.refuse(session, execution.nowMs());
      return 1;
    }
    if (refusal != null || spec == null) {
      refuse(session, spec, request, Objects.requireNonNullElse(refusal, Errors.INTERNAL));
      return 1;
    }
    if (services.clients().isPaused(admission.mayReplicate(session, spec), execution.nowMs())) {
      services.clients().hold(session);
      return 0;
    }
    beforeReply(session);
    session.setLastCommand(spec);
    if (session.transaction() != null && spec.isQueued()) {
      execution.transactions().queue(session, session.transaction(), spec, request);
      return 1;
    }
    execution.begin(session, spec, request);
    if (spec.probe() != null && spec.probe().accepts(request.count())) {
      return run.execute(session, batch, index, spec);
    }
    execution.executeOne(session, spec, request);
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

  private void refuse(Session session, @Nullable CommandSpec spec, Request request, String error) {
    beforeReply(session);
    Transaction transaction = session.transaction();
    if (spec != null) {
      execution.metrics().rejected(spec.id());
      admission.logDenial(session, spec, request);
    }
    if (spec != null && spec.name().equals("exec")) {
      execution.transactions().abort(session, error);
      return;
    }
    if (transaction != null) {
      transaction.setFailed();
    }
    session.reply().error(error);
    Execution.endCaching(session, spec);
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

  /** The connection is gone: gives back what the session holds. */
  public void disconnected(Session session) {
    execution.transactions().discard(session);
    services.channels().unsubscribeAll(session);
    services.tracking().disconnected(session);
  }
}
