package io.porteiro.server.command.connection;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.NOSCRIPT;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.ClientLine;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Help;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.Session;
import io.porteiro.server.command.Session.ReplyMode;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** CLIENT: who is connected, and how the server treats them. */
final class ClientCommands {
  private static final String TIMEOUT_NOT_A_NUMBER =
      "ERR timeout is not an integer or out of range";

  private ClientCommands() {}

  static CommandSpec spec() {
    return CommandSpec.named("client")
        .arity(-2)
        .subcommands(
            own("id", 2, ClientCommands::id),
            own("info", 2, ClientCommands::info).tips("nondeterministic_output"),
            own("getname", 2, ClientCommands::getName),
            own("setname", 3, ClientCommands::setName)
                .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
            own("setinfo", 4, ClientCommands::setInfo)
                .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
            own("reply", 3, ClientCommands::reply),
            own("no-touch", 3, onOff(Session::setNoTouch)),
            own("caching", 3, TrackingCommands::caching),
            own("tracking", -3, TrackingCommands::tracking),
            own("trackinginfo", 2, TrackingCommands::trackingInfo),
            own("getredir", 2, TrackingCommands::getRedirect),
            admin("no-evict", 3, onOff(Session::setNoEvict)),
            admin("list", -2, ClientCommands::list).tips("nondeterministic_output"),
            admin("kill", -3, ClientKill::parse),
            admin("pause", -3, ClientCommands::pause),
            admin("unpause", 2, ClientCommands::unpause),
            admin("unblock", -3, ClientCommands::unblock),
            help())
        .build();
  }

  private static CommandSpec.Builder own(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name)
        .arity(arity)
        .flags(NOSCRIPT, LOADING, STALE)
        .categories("connection")
        .parser(parser);
  }

  private static CommandSpec.Builder admin(String name, int arity, CommandParser parser) {
    return own(name, arity, parser).flags(ADMIN);
  }

  private static CommandSpec.Builder help() {
    return Help.of(
            "client",
            "CACHING (YES|NO)",
            "    Whether the next read is tracked (tracking with OPTIN or OPTOUT).",
            "GETNAME",
            "    The name of this connection.",
            "GETREDIR",
            "    The client that gets this one's invalidation messages.",
            "ID",
            "    The number of this connection.",
            "INFO",
            "    What CLIENT LIST shows of this connection.",
            "KILL <ip:port>",
            "    Close the connection from there.",
            "KILL <option> <value> [<option> <value> [...]]",
            "    Close all connections for which all options hold: ADDR, LADDR, TYPE, USER,",
            "    ID, MAXAGE; SKIPME (YES|NO) says whether the caller is spared.",
            "LIST [TYPE (NORMAL|MASTER|REPLICA|PUBSUB)] [ID <id> [<id> ...]]",
            "    A line for each connection.",
            "NO-EVICT (ON|OFF)",
            "    Spare this connection when clients take too much memory.",
            "NO-TOUCH (ON|OFF)",
            "    Look at keys without making them recently used.",
            "PAUSE <timeout> [WRITE|ALL]",
            "    Hold all commands, or only writes, for so many milliseconds.",
            "REPLY (ON|OFF|SKIP)",
            "    Whether this connection is answered.",
            "SETINFO <option> <value>",
            "    Tell the client library: LIB-NAME, LIB-VER.",
            "SETNAME <name>",
            "    Give this connection a name.",
            "TRACKING (ON|OFF) [REDIRECT <id>] [BCAST] [PREFIX <prefix> [...]]",
            "         [OPTIN] [OPTOUT] [NOLOOP]",
            "    Whether this connection hears of changes of the keys that it has read.",
            "TRACKINGINFO",
            "    How this connection's reads are tracked.",
            "UNBLOCK <clientid> [TIMEOUT|ERROR]",
            "    End the wait of a blocked connection.",
            "UNPAUSE",
            "    End a pause.")
        .categories("connection");
  }

  private static Operation id(CommandContext unused) {
    return (context, reply) -> reply.integer(context.session().id());
  }

  private static Operation info(CommandContext unused) {
    return (context, reply) -> reply.verbatim("txt", line(context, context.session()) + "\n");
  }

  private static String line(CommandContext context, Session session) {
    return ClientLine.of(session, context.services().channels(), context.nowMs());
  }

  private static Operation getName(CommandContext unused) {
    return (context, reply) -> {
      String name = context.session().name();
      if (name.isEmpty()) {
        reply.nullBulk();
      } else {
        reply.bulk(name);
      }
    };
  }

  private static Operation setName(CommandContext context) {
    String name = ClientNames.checked(context.arguments().nextText());
    return (applied, reply) -> {
      applied.session().setName(name);
      reply.ok();
    };
  }

  private static Operation setInfo(CommandContext context) {
    String attribute = context.arguments().nextText();
    String text = context.arguments().nextText();
    BiConsumer<Session, String> setter =
        switch (attribute.toLowerCase(Locale.ROOT)) {
          case "lib-name" -> Session::setLibraryName;
          case "lib-ver" -> Session::setLibraryVersion;
          default -> throw new CommandException("ERR Unrecognized option '" + attribute + "'");
        };
    String value = ClientNames.checkedInfo(attribute, text);
    return (applied, reply) -> {
      setter.accept(applied.session(), value);
      reply.ok();
    };
  }

  private static CommandParser onOff(BiConsumer<Session, Boolean> setter) {
    return context -> {
      boolean on = parseChoice(context.arguments(), "ON", "OFF");
      return (applied, reply) -> {
        setter.accept(applied.session(), on);
        reply.ok();
      };
    };
  }

  private static boolean parseChoice(Arguments arguments, String yes, String no) {
    if (arguments.accept(yes)) {
      return true;
    }
    if (arguments.accept(no)) {
      return false;
    }
    throw Errors.syntax();
  }

  private static Operation reply(CommandContext context) {
    Arguments arguments = context.arguments();
    if (arguments.accept("SKIP")) {
      return ClientCommands::skipNext;
    }
    return parseChoice(arguments, "ON", "OFF") ? ClientCommands::speak : ClientCommands::silence;
  }

  private static void speak(CommandContext context, ReplyWriter reply) {
    context.session().setReplyMode(ReplyMode.ON);
    reply.setDiscarding(false);
    reply.ok();
  }

  private static void silence(CommandContext context, ReplyWriter reply) {
    context.session().setReplyMode(ReplyMode.OFF);
    reply.setDiscarding(true);
  }

  private static void skipNext(CommandContext context, ReplyWriter reply) {
    if (context.session().replyMode() != ReplyMode.OFF) {
      context.session().setReplyMode(ReplyMode.SKIP_NEXT);
    }
  }

  private static Operation list(CommandContext context) {
    Arguments arguments = context.arguments();
    Predicate<Session> filter = arguments.hasNext() ? filter(arguments) : session -> true;
    return (applied, reply) ->
        reply.verbatim(
            "txt",
            applied.services().clients().all().stream()
                .filter(filter)
                .map(session -> line(applied, session) + "\n")
                .collect(Collectors.joining()));
  }

  /** One filter: unlike those of KILL they do not go together. */
  private static Predicate<Session> filter(Arguments arguments) {
    if (arguments.remaining() == 2 && arguments.accept("TYPE")) {
      return ClientType.named(arguments.nextText())::includes;
    }
    if (arguments.remaining() >= 2 && arguments.accept("ID")) {
      return ids(arguments);
    }
    throw Errors.syntax();
  }

  private static Predicate<Session> ids(Arguments arguments) {
    Predicate<Session> any = session -> false;
    while (arguments.hasNext()) {
      long id = arguments.nextLong("ERR Invalid client ID");
      any = any.or(session -> session.id() == id);
    }
    return any;
  }

  private static Operation pause(CommandContext context) {
    Arguments arguments = context.arguments();
    checkRemaining(arguments, 2);
    int timeout = arguments.skip();
    boolean writesOnly = arguments.hasNext() && parsePauseMode(arguments);
    long milliseconds = timeout(arguments.longAt(timeout, TIMEOUT_NOT_A_NUMBER), context.nowMs());
    return (applied, reply) -> {
      applied.services().clients().pause(applied.nowMs() + milliseconds, writesOnly);
      reply.ok();
    };
  }

  /** What Redis says of too many arguments where the table names no upper limit. */
  private static void checkRemaining(Arguments arguments, int most) {
    if (arguments.remaining() > most) {
      throw new CommandException(
          "ERR unknown subcommand or wrong number of arguments for '"
              + arguments.toldAt(1)
              + "'. Try CLIENT HELP.");
    }
  }

  private static boolean parsePauseMode(Arguments arguments) {
    boolean writes = arguments.accept("WRITE");
    if (!writes && !arguments.accept("ALL")) {
      throw new CommandException("ERR CLIENT PAUSE mode must be WRITE or ALL");
    }
    return writes;
  }

  private static long timeout(long milliseconds, long nowMs) {
    if (milliseconds < 0) {
      throw new CommandException("ERR timeout is negative");
    }
    if (milliseconds > Long.MAX_VALUE - nowMs) {
      throw new CommandException("ERR timeout is out of range");
    }
    return milliseconds;
  }

  private static Operation unpause(CommandContext unused) {
    return (context, reply) -> {
      context.services().clients().unpause();
      reply.ok();
    };
  }

  /** No command blocks a client in a way that could be ended by another one. */
  private static Operation unblock(CommandContext context) {
    Arguments arguments = context.arguments();
    checkRemaining(arguments, 2);
    arguments.nextLong();
    if (arguments.hasNext() && !arguments.accept("TIMEOUT") && !arguments.accept("ERROR")) {
      throw new CommandException("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    }
    return (applied, reply) -> reply.integer(0);
  }
}
