package io.porteiro.server.command.transaction;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandFlag;
import io.porteiro.server.command.CommandObserver;
import io.porteiro.server.command.CommandParser;
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
  private TransactionCommands() {}

  public static List<CommandSpec> commands() {
    return List.of(
        atOnce("multi", 1, TransactionCommands::multi)
            .flags(CommandFlag.FAST, CommandFlag.ALLOW_BUSY)
            .build(),
        atOnce("exec", 1, TransactionCommands::exec).flags(CommandFlag.SKIP_SLOWLOG).build(),
        atOnce("discard", 1, TransactionCommands::discard)
            .flags(CommandFlag.FAST, CommandFlag.ALLOW_BUSY)
            .build(),
        atOnce("watch", -2, TransactionCommands::watch)
            .flags(CommandFlag.FAST, CommandFlag.ALLOW_BUSY)
            .keys(KeySpec.from(1, 1, "RO"))
            .scope(ScopeKind.KEYS_WRITE)
            .build(),
        command("unwatch", 1, _ -> TransactionCommands::endWatches)
            .flags(CommandFlag.FAST, CommandFlag.ALLOW_BUSY)
            .build());
  }

  /** Inside MULTI too executed at once. */
  private static CommandSpec.Builder atOnce(String name, int arity, CommandParser parser) {
    return command(name, arity, parser).notQueued();
  }

  private static CommandSpec.Builder command(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name)
        .arity(arity)
        .flags(CommandFlag.NOSCRIPT, CommandFlag.LOADING, CommandFlag.STALE)
        .categories("transaction")
        .parser(parser);
  }

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
    CommandSpec exec = context.spec();
    Request request = context.request();
    context.executeTransaction(transaction, reply);
    CommandObserver observer = context.services().observer();
    if (observer.isMonitoring()) {
      observer.monitor(context.session(), exec, request, context.nowMs());
    }
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
