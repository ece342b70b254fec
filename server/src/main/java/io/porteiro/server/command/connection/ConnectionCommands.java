package io.porteiro.server.command.connection;

import static io.porteiro.server.command.CommandFlag.ALLOW_BUSY;
import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.NOSCRIPT;
import static io.porteiro.server.command.CommandFlag.NO_AUTH;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.access.User;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.Session;
import io.porteiro.server.command.Transaction;
import java.util.ArrayList;
import java.util.List;

/** The connection itself: is it alive, which database, start afresh, end. */
public final class ConnectionCommands {
  private ConnectionCommands() {}

  /** All commands of the family. */
  public static List<CommandSpec> commands() {
    List<CommandSpec> table = new ArrayList<>();
    table.add(
        named("ping", -1, ConnectionCommands::ping)
            .flags(FAST)
            .instant()
            .tips("request_policy:all_shards", "response_policy:all_succeeded")
            .build());
    table.add(named("echo", 2, ConnectionCommands::echo).flags(LOADING, STALE, FAST).build());
    table.add(named("select", 2, ConnectionCommands::select).flags(LOADING, STALE, FAST).build());
    table.add(always("quit", -1, ConnectionCommands::quit).notQueued().build());
    table.add(always("reset", 1, ConnectionCommands::reset).notQueued().build());
    table.add(always("auth", -2, LoginCommands::auth).build());
    table.add(always("hello", -1, LoginCommands::hello).build());
    table.add(ClientCommands.spec());
    return table;
  }

  private static CommandSpec.Builder named(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name).arity(arity).categories("connection").parser(parser);
  }

  /** May be sent in any state of the server and of the connection. */
  private static CommandSpec.Builder always(String name, int arity, CommandParser parser) {
    return named(name, arity, parser).flags(NOSCRIPT, LOADING, STALE, FAST, NO_AUTH, ALLOW_BUSY);
  }

  private static Operation ping(CommandContext context) {
    if (context.arguments().count() > 2) {
      throw Errors.wrongArity("ping");
    }
    return ConnectionCommands::pong;
  }

  private static void pong(CommandContext context, ReplyWriter reply) {
    boolean hasText = context.arguments().count() == 2;
    if (context.session().isSubscriber() && reply.protocol() == 2) {
      reply.array(2);
      reply.bulk("pong");
      reply.bulk(hasText ? context.arguments().textAt(1) : "");
    } else if (hasText) {
      bulk(context, 1, reply);
    } else {
      reply.pong();
    }
  }

  private static Operation echo(CommandContext unused) {
    return (context, reply) -> bulk(context, 1, reply);
  }

  private static void bulk(CommandContext context, int index, ReplyWriter reply) {
    reply.bulk(context.request().address(index), context.request().length(index));
  }

  private static Operation select(CommandContext context) {
    long database = context.arguments().nextLong();
    if (database < 0 || database >= context.keyspace().databases()) {
      throw new CommandException(Errors.DATABASE_OUT_OF_RANGE);
    }
    return (applied, reply) -> {
      applied.session().setDatabase((int) database);
      reply.ok();
    };
  }

  private static Operation quit(CommandContext unused) {
    return (context, reply) -> {
      reply.ok();
      context.session().setClosing();
      context.session().peer().closeAfterReply();
    };
  }

  private static Operation reset(CommandContext unused) {
    return (context, reply) -> {
      forget(context);
      reply.setProtocol(2);
      reply.simpleString("RESET");
    };
  }

  /** As if the connection were new, but for its id and what library it belongs to. */
  private static void forget(CommandContext context) {
    Session session = context.session();
    discardTransaction(session);
    context.unwatchAll();
    context.services().channels().unsubscribeAll(session);
    session.setSubscriber(false);
    context.services().tracking().disable(session);
    session.setMonitor(false);
    session.setDatabase(0);
    session.setName("");
    User user = context.services().users().defaultUser();
    session.setUser(user);
    session.setAuthenticated(user.rights().isOpen());
    endSilence(session);
    session.setNoEvict(false);
    session.setNoTouch(false);
  }

  /** RESET ends CLIENT REPLY OFF, but is a command that SKIP may leave unanswered. */
  private static void endSilence(Session session) {
    if (session.replyMode() == Session.ReplyMode.OFF) {
      session.setReplyMode(Session.ReplyMode.ON);
      session.reply().setDiscarding(false);
    }
  }

  private static void discardTransaction(Session session) {
    Transaction transaction = session.transaction();
    if (transaction != null) {
      session.setTransaction(null);
      transaction.discard();
    }
  }
}
