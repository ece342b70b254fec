package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.access.User;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import org.jspecify.annotations.Nullable;

/**
 * Executes the commands of a log, one after the other, on one thread. Nobody is told, nothing is
 * counted, and nothing is refused that was accepted when the log was written: commands are not
 * checked against logins, limits or the state of the server.
 *
 * <p>Use: {@link #argument} for each argument of a command, then {@link #execute}.
 */
public final class Replay implements AutoCloseable {
  /** More than any filter can have. */
  private static final String MOST_CAPACITY = Long.toString(1L << 40);

  private static final int MIN_ARGUMENTS = 64;
  private static final int SHOWN_NAME_BYTES = 128;

  private final CommandTable table;
  private final CommandTable renamed;
  private final MemoryPool pool;
  private final Execution execution;
  private final HashList hashes = new HashList();
  private final Request request = new Request();
  private final ReplyWriter reply = ReplyWriter.discarding();
  private final User user;
  private Session session;
  private Block arguments;
  private int count;
  private @Nullable String error;

  /**
   * A replay into the keyspace of a server.
   *
   * @param originals all commands under their own names: a log has those, {@code rename-command} or
   *     not
   */
  public Replay(Services services, CommandTable originals) {
    this.table = originals;
    this.renamed = services.table();
    this.pool = services.keyspace().pool();
    Services silent = services.forReplay(limitless(services.config()), originals.byId().size());
    this.execution = new Execution(silent);
    this.user = silent.users().defaultUser();
    this.arguments = pool.allocateUnlimited(Request.tableBytes(MIN_ARGUMENTS));
    this.session = newSession();
    reply.setErrorListener(text -> error = text);
  }

  /**
   * The settings that decide what a command does, without those that could refuse what was accepted
   * before.
   */
  private static ServerConfig limitless(ServerConfig config) {
    return ServerConfig.of(
        "databases", Integer.toString(config.databases()),
        "proto-max-bulk-len", Long.toString(Long.MAX_VALUE),
        "client-query-buffer-limit", Long.toString(Long.MAX_VALUE),
        "hll-sparse-max-bytes", Long.toString(config.hllSparseMaxBytes()),
        "bf-error-rate", Double.toString(config.bfErrorRate()),
        "bf-initial-size", Long.toString(config.bfInitialSize()),
        "bf-expansion-factor", Integer.toString(config.bfExpansionFactor()),
        "bf-max-capacity", MOST_CAPACITY);
  }

  private Session newSession() {
    return new Session(0, 0, new ReplayPeer(), reply, user);
  }

  /** Every file begins in database 0 and outside of a transaction. */
  public void beginFile() {
    execution.transactions().discard(session);
    session = newSession();
    count = 0;
  }

  /** Whether a transaction is open. */
  public boolean isInTransaction() {
    return session.transaction() != null;
  }

  /** Adds an argument to the next command; its bytes stay where they are until it is executed. */
  public void argument(long address, int length) {
    if (Request.tableBytes(count + 1) > arguments.size()) {
      grow();
    }
    Request.note(arguments.address(), count++, address, length);
  }

  private void grow() {
    Block larger = pool.allocateUnlimited(2 * arguments.size());
    Request.copyTable(arguments.address(), larger.address(), count);
    arguments.release();
    arguments = larger;
  }

  /**
   * Executes the command whose arguments were added.
   *
   * @return the error that it answered, as it may have done when it was new; null for none
   * @throws ReplayException if there is no such command, it has no room in memory, or what follows
   *     would be done to the wrong database
   */
  public @Nullable String execute() throws ReplayException {
    request.point(arguments.address(), count);
    count = 0;
    error = null;
    CommandSpec spec = specified();
    if (!spec.admits(request.count())) {
      return Errors.wrongArity(spec.fullName()).error();
    }
    execute(spec);
    return checked(spec);
  }

  private CommandSpec specified() throws ReplayException {
    CommandSpec spec = table.find(request);
    spec = spec == null ? renamed.find(request) : spec;
    if (spec == null) {
      throw new ReplayException("unknown command '" + nameForPeople() + "'");
    }
    return spec;
  }

  private String nameForPeople() {
    String name = request.text(0);
    return name.substring(0, Math.min(name.length(), SHOWN_NAME_BYTES)).replaceAll("[^ -~]", "?");
  }

  private void execute(CommandSpec spec) {
    Transaction transaction = session.transaction();
    if (transaction != null && spec.isQueued()) {
      execution.transactions().queue(session, transaction, spec, request);
      return;
    }
    execution.beginBatch();
    execution.begin(session, spec, request);
    Probe probe = spec.probe();
    if (probe != null && probe.accepts(execution.context().request().count())) {
      apply(spec, probe);
    } else {
      execution.executeOne(session, spec, request);
    }
  }

  private void apply(CommandSpec spec, Probe probe) {
    long mark = reply.mark();
    execution.nameKeys(spec, false, true);
    execution.scope().open(execution.nowMs());
    try {
      hashes.clear();
      probe.hash(execution.context().request(), hashes);
      probe.apply(execution.context(), hashes, 0, hashes.size(), reply);
    } catch (RuntimeException | StackOverflowError e) {
      execution.failed(session, spec, mark, e);
    } finally {
      execution.context().endCommand();
      execution.closeScope();
    }
  }

  private @Nullable String checked(CommandSpec spec) throws ReplayException {
    String text = error;
    if (text == null) {
      return null;
    }
    if (text.startsWith("OOM") || text.startsWith("ERR Insufficient memory")) {
      String key = request.count() > 1 ? " on '" + request.text(1) + "'" : "";
      throw new ReplayException(spec.name() + key + " does not fit into memory");
    }
    if (spec.name().equals("select")) {
      throw new ReplayException("a database that is beyond the configured databases");
    }
    return text;
  }

  @Override
  public void close() {
    execution.transactions().discard(session);
    arguments.release();
    reply.close();
  }
}
