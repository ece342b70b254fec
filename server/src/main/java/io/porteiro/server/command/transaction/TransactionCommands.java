package io.porteiro.server.command.transaction;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandFlag;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.ScopeKind;
import io.porteiro.server.command.Session;
import io.porteiro.server.command.Transaction;
import java.util.List;

/**
 * MULTI, EXEC, DISCARD, WATCH and UNWATCH. Queueing and executing is the dispatcher's; here is what
 * begins and ends it.
 *
 * @see <a href="https://redis.io/docs/latest/develop/using-commands/transactions/">Redis
 *     transactions</a>
 */
public final class TransactionCommands {
  public static final List<CommandSpec> TABLE =
      List.of(
          CommandSpec.named("multi")
              .arity(1)
              .flags(CommandFlag.NOSCRIPT, CommandFlag.LOADING, CommandFlag.STALE)
              .flags(CommandFlag.FAST, CommandFlag.ALLOW_BUSY)
              .categories("transaction")
              .notQueued()
              .parser(TransactionCommands::multi)
              .build(),
          CommandSpec.named("exec")
              .arity(1)
              .flags(CommandFlag.NOSCRIPT, CommandFlag.LOADING, CommandFlag.STALE)
              .flags(CommandFlag.SKIP_SLOWLOG)
              .categories("transaction")
              .notQueued()
              .parser(TransactionCommands::exec)
              .build(),
          CommandSpec.named("discard")
              .arity(1)
              .flags(CommandFlag.NOSCRIPT, CommandFlag.LOADING, CommandFlag.STALE)
              .flags(CommandFlag.FAST, CommandFlag.ALLOW_BUSY)
              .categories("transaction")
              .notQueued()
              .parser(TransactionCommands::discard)
              .build(),
          CommandSpec.named("watch")
              .arity(-2)
              .flags(CommandFlag.NOSCRIPT, CommandFlag.LOADING, CommandFlag.STALE)
              .flags(CommandFlag.FAST, CommandFlag.ALLOW_BUSY)
              .categories("transaction")
              .keys(KeySpec.from(1, 1, "RO"))
              .scope(ScopeKind.KEYS_WRITE)
              .notQueued()
              .parser(TransactionCommands::watch)
              .build(),
          CommandSpec.named("unwatch")
              .arity(1)
              .flags(CommandFlag.NOSCRIPT, CommandFlag.LOADING, CommandFlag.STALE)
              .flags(CommandFlag.FAST, CommandFlag.ALLOW_BUSY)
              .categories("transaction")
              .parser(context -> TransactionCommands::endWatches)
              .build());

  private TransactionCommands() {}

  private static Operation multi(CommandContext context) {
    if (context.session().transaction() != null) {
      throw new CommandException("ERR MULTI calls can not be nested");
    }
    return TransactionCommands::begin;
  }

  private static void begin(CommandContext context, ReplyWriter reply) {
    context.session().setTransaction(new Transaction(context.keyspace().pool()));
    reply.ok();
  }

  private static Operation exec(CommandContext context) {
    if (context.session().transaction() == null) {
      throw new CommandException("ERR EXEC without MULTI");
    }
    return TransactionCommands::execute;
  }

  private static void execute(CommandContext context, ReplyWriter reply) {
    Transaction transaction = end(context.session());
    if (transaction.isFailed()) {
      transaction.discard();
      context.unwatchAll();
      throw new CommandException("EXECABORT Transaction discarded because of previous errors.");
    }
    context.executeTransaction(transaction, reply);
  }

  private static Operation discard(CommandContext context) {
    if (context.session().transaction() == null) {
      throw new CommandException("ERR DISCARD without MULTI");
    }
    return TransactionCommands::drop;
  }

  private static void drop(CommandContext context, ReplyWriter reply) {
    end(context.session()).discard();
    context.unwatchAll();
    reply.ok();
  }

  /** Takes the transaction from the session: what comes next is no longer queued. */
  private static Transaction end(Session session) {
    Transaction transaction = session.transaction();
    if (transaction == null) {
      throw new IllegalStateException("there is no transaction");
    }
    session.setTransaction(null);
    return transaction;
  }

  private static Operation watch(CommandContext context) {
    if (context.session().transaction() != null) {
      throw new CommandException("ERR WATCH inside MULTI is not allowed");
    }
    return TransactionCommands::beginWatches;
  }

  private static void beginWatches(CommandContext context, ReplyWriter reply) {
    for (int i = 1; i < context.request().count(); i++) {
      context.watch(context.key(i));
    }
    reply.ok();
  }

  /** Inside EXEC there is nothing left to do: EXEC ends the watches itself. */
  private static void endWatches(CommandContext context, ReplyWriter reply) {
    if (!context.isInTransaction()) {
      context.unwatchAll();
    }
    reply.ok();
  }
}
