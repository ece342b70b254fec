package io.porteiro.server.command.connection;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.access.User;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.Session;
import java.util.function.Predicate;

/** CLIENT KILL: by address (the old form), or by any filters that must all hold. */
final class ClientKill {
  private static final String NO_SUCH_CLIENT = "ERR No such client";

  private Predicate<Session> wanted = session -> true;
  private boolean sparesCaller = true;

  private ClientKill() {}

  static Operation parse(CommandContext context) {
    Arguments arguments = context.arguments();
    ClientKill kill = new ClientKill();
    if (arguments.remaining() == 1) {
      return kill.byAddress(arguments.nextText());
    }
    while (arguments.hasNext()) {
      kill.parseFilter(context, arguments);
    }
    return kill::countKilled;
  }

  private Operation byAddress(String address) {
    wanted = session -> session.peer().address().equals(address);
    sparesCaller = false;
    return (context, reply) -> {
      if (kill(context) == 0) {
        throw new CommandException(NO_SUCH_CLIENT);
      }
      reply.ok();
    };
  }

  private void parseFilter(CommandContext context, Arguments arguments) {
    if (arguments.remaining() < 2) {
      throw Errors.syntax();
    }
    if (arguments.accept("SKIPME")) {
      sparesCaller = parseYesNo(arguments);
    } else {
      wanted = wanted.and(filter(context, arguments));
    }
  }

  private static Predicate<Session> filter(CommandContext context, Arguments arguments) {
    if (arguments.accept("ID")) {
      long id = positive(arguments, "ERR client-id should be greater than 0");
      return session -> session.id() == id;
    }
    if (arguments.accept("TYPE")) {
      return ClientType.named(arguments.nextText())::includes;
    }
    if (arguments.accept("ADDR")) {
      String address = arguments.nextText();
      return session -> session.peer().address().equals(address);
    }
    if (arguments.accept("LADDR")) {
      String address = arguments.nextText();
      return session -> session.peer().localAddress().equals(address);
    }
    if (arguments.accept("USER")) {
      return user(context, arguments.nextText());
    }
    if (arguments.accept("MAXAGE")) {
      return olderThan(context.nowMs(), arguments);
    }
    throw Errors.syntax();
  }

  private static Predicate<Session> user(CommandContext context, String name) {
    User user = context.services().users().find(name);
    if (user == null) {
      throw new CommandException("ERR No such user '" + name + "'");
    }
    return session -> session.user() == user;
  }

  private static Predicate<Session> olderThan(long nowMs, Arguments arguments) {
    long seconds = arguments.nextLong("ERR maxage is not an integer or out of range");
    if (seconds <= 0) {
      throw new CommandException("ERR maxage should be greater than 0");
    }
    return session -> (nowMs - session.createdAtMs()) / 1000 >= seconds;
  }

  private static long positive(Arguments arguments, String error) {
    long number = arguments.nextLong(error);
    if (number < 1) {
      throw new CommandException(error);
    }
    return number;
  }

  private static boolean parseYesNo(Arguments arguments) {
    if (arguments.accept("yes")) {
      return true;
    }
    if (arguments.accept("no")) {
      return false;
    }
    throw Errors.syntax();
  }

  private void countKilled(CommandContext context, ReplyWriter reply) {
    reply.integer(kill(context));
  }

  private int kill(CommandContext context) {
    int killed = 0;
    for (Session session : context.services().clients().all()) {
      boolean caller = session == context.session();
      if (wanted.test(session) && !(caller && sparesCaller)) {
        end(session, caller);
        killed++;
      }
    }
    return killed;
  }

  /** The caller still gets its answer. */
  private static void end(Session session, boolean caller) {
    if (caller) {
      session.setClosing();
      session.peer().closeAfterReply();
    } else {
      session.peer().close();
    }
  }
}
