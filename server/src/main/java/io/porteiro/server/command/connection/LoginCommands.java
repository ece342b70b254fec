package io.porteiro.server.command.connection;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.access.Rights;
import io.porteiro.server.access.User;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.BuiltInModule;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Denials;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.Session;
import io.porteiro.server.config.ServerVersion;
import org.jspecify.annotations.Nullable;

/** AUTH and HELLO: who is it, and how do we speak. */
final class LoginCommands {
  private static final String WRONG_PASSWORD =
      "WRONGPASS invalid username-password pair or user is disabled.";
  private static final String NO_PASSWORD =
      "ERR AUTH <password> called without any password configured for the default user. Are you"
          + " sure your configuration is correct?";
  private static final String NO_PROTOCOL = "NOPROTO unsupported protocol version";
  private static final String NOT_A_PROTOCOL =
      "ERR Protocol version is not an integer or out of range";
  private static final String NO_AUTH =
      "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO"
          + " <proto> AUTH <user> <pass> option can be used to authenticate the client and select"
          + " the RESP protocol version at the same time";

  private LoginCommands() {}

  static Operation auth(CommandContext context) {
    Arguments arguments = context.arguments();
    if (arguments.count() > 3) {
      throw Errors.syntax();
    }
    if (arguments.count() == 2 && defaultRights(context).isNopass()) {
      throw new CommandException(NO_PASSWORD);
    }
    String user = arguments.count() == 3 ? arguments.nextText() : User.DEFAULT;
    byte[] password = arguments.nextBytes();
    return (applied, reply) -> {
      logIn(applied, user, password);
      reply.ok();
    };
  }

  private static void logIn(CommandContext context, String name, byte[] password) {
    User user = context.services().users().logIn(name, password);
    if (user == null) {
      Denials.logLogin(context, name);
      throw new CommandException(WRONG_PASSWORD);
    }
    context.session().setUser(user);
    context.session().setAuthenticated(true);
  }

  private static Rights defaultRights(CommandContext context) {
    return context.services().users().defaultUser().rights();
  }

  /** What a HELLO asks for. */
  private record Greeting(
      int protocol, @Nullable String user, byte[] password, @Nullable String name) {}

  static Operation hello(CommandContext context) {
    Arguments arguments = context.arguments();
    int protocol = arguments.hasNext() ? protocol(arguments) : 0;
    String user = null;
    byte[] password = {};
    String name = null;
    while (arguments.hasNext()) {
      if (arguments.remaining() >= 3 && arguments.accept("AUTH")) {
        user = arguments.nextText();
        password = arguments.nextBytes();
      } else if (arguments.remaining() >= 2 && arguments.accept("SETNAME")) {
        name = ClientNames.checked(arguments.nextText());
      } else {
        throw new CommandException(
            "ERR Syntax error in HELLO option '" + arguments.nextText() + "'");
      }
    }
    Greeting greeting = new Greeting(protocol, user, password, name);
    return (applied, reply) -> greet(applied, greeting, reply);
  }

  private static int protocol(Arguments arguments) {
    long protocol = arguments.nextLong(NOT_A_PROTOCOL);
    if (protocol < 2 || protocol > 3) {
      throw new CommandException(NO_PROTOCOL);
    }
    return (int) protocol;
  }

  private static void greet(CommandContext context, Greeting greeting, ReplyWriter reply) {
    if (greeting.user != null) {
      logIn(context, greeting.user, greeting.password);
    }
    Session session = context.session();
    if (!session.isAuthenticated() && !defaultRights(context).isOpen()) {
      throw new CommandException(NO_AUTH);
    }
    if (greeting.name != null) {
      session.setName(greeting.name);
    }
    if (greeting.protocol != 0) {
      reply.setProtocol(greeting.protocol);
    }
    describeServer(session, reply);
  }

  private static void describeServer(Session session, ReplyWriter reply) {
    reply.map(7);
    reply.bulk("server");
    reply.bulk("redis");
    reply.bulk("version");
    reply.bulk(ServerVersion.REDIS);
    reply.bulk("proto");
    reply.integer(reply.protocol());
    reply.bulk("id");
    reply.integer(session.id());
    reply.bulk("mode");
    reply.bulk("standalone");
    reply.bulk("role");
    reply.bulk("master");
    reply.bulk("modules");
    BuiltInModule.list(reply);
  }
}
