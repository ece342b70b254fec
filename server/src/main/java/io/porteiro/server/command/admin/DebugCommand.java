package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.NOSCRIPT;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.DeferredReply;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.ScopeKind;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.Keyspace;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DEBUG: for tests of servers and clients. Only where {@code enable-debug-command} permits it. */
final class DebugCommand {
  private static final Logger log = LoggerFactory.getLogger(DebugCommand.class);
  private static final double MILLIS_PER_SECOND = 1000;

  private static final List<String> HELP =
      List.of(
          "DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
          "DIGEST",
          "    A sum over all keys and values, the same for the same data.",
          "ERROR <string>",
          "    Answer with this error.",
          "LOG <message>",
          "    Write this to the server's log.",
          "LOADAOF",
          "    Forget everything, load the append-only log.",
          "OBJECT <key>",
          "    How a value is kept.",
          "PROTOCOL <type>",
          "    Answer with a value of this type: string, integer, double, bignum, null, array,",
          "    set, map, attrib, push, verbatim, true, false.",
          "RELOAD",
          "    Save, forget everything, load.",
          "SET-ACTIVE-EXPIRE (0|1)",
          "    Remove expired keys in the background, or not.",
          "SLEEP <seconds>",
          "    Do nothing for so long.",
          "HELP",
          "    Print this help.");

  private final ExpirySwitch activeExpiry;

  private DebugCommand(ExpirySwitch activeExpiry) {
    this.activeExpiry = activeExpiry;
  }

  /** What it looks at depends on the subcommand, so it locks shards one by one, itself. */
  static CommandSpec spec(ExpirySwitch activeExpiry) {
    return CommandSpec.named("debug")
        .arity(-2)
        .flags(ADMIN, NOSCRIPT, LOADING, STALE)
        .scope(ScopeKind.WALK)
        .parser(new DebugCommand(activeExpiry)::debug)
        .build();
  }

  private Operation debug(CommandContext context) {
    if (!LocalOnly.permits(context.config().enableDebugCommand(), context.session())) {
      throw new CommandException(LocalOnly.refusal("DEBUG", "enable-debug-command"));
    }
    Arguments arguments = context.arguments();
    String name = arguments.nextText();
    Operation operation = subcommand(name.toUpperCase(Locale.ROOT), arguments);
    if (operation == null) {
      throw new CommandException(
          "ERR unknown subcommand or wrong number of arguments for '"
              + name
              + "'. Try DEBUG HELP.");
    }
    return operation;
  }

  private @Nullable Operation subcommand(String name, Arguments arguments) {
    return switch (arguments.remaining()) {
      case 0 -> withoutArgument(name);
      case 1 -> withArgument(name, arguments);
      default -> null;
    };
  }

  private static @Nullable Operation withoutArgument(String name) {
    return switch (name) {
      case "DIGEST" -> (context, reply) -> reply.simpleString(KeyspaceDigest.of(context));
      case "HELP" -> DebugCommand::help;
      case "LOADAOF" -> DebugCommand::reloadLog;
      case "RELOAD" -> DebugCommand::reload;
      default -> null;
    };
  }

  private @Nullable Operation withArgument(String name, Arguments arguments) {
    int index = arguments.index();
    return switch (name) {
      case "ERROR" -> fail(arguments.textAt(index));
      case "LOG" -> log(arguments.textAt(index));
      case "OBJECT" -> (context, reply) -> reply.simpleString(describe(context, index));
      case "PROTOCOL" -> DebugProtocol.answer(arguments.textAt(index));
      case "SET-ACTIVE-EXPIRE" -> setActiveExpiry(!arguments.textAt(index).equals("0"));
      case "SLEEP" -> sleep(seconds(arguments.textAt(index)));
      default -> null;
    };
  }

  private static void help(CommandContext context, ReplyWriter reply) {
    reply.array(HELP.size());
    HELP.forEach(reply::simpleString);
  }

  private static void reloadLog(CommandContext context, ReplyWriter reply) {
    DeferredReply later = context.answerLater();
    context
        .services()
        .persistence()
        .reloadLog(failure ->
            later.complete(answer -> {
              if (failure == null) {
                answer.ok();
              } else {
                answer.error("ERR Error trying to load the AOF files, check server logs.");
              }
            }));
  }

  private static void reload(CommandContext context, ReplyWriter reply) {
    DeferredReply later = context.answerLater();
    context
        .services()
        .persistence()
        .reload(failure ->
            later.complete(answer -> {
              if (failure == null) {
                answer.ok();
              } else {
                answer.error("ERR Error trying to load the RDB dump: " + failure);
              }
            }));
  }

  private static Operation fail(String error) {
    return (context, reply) -> reply.error(error);
  }

  private static Operation log(String message) {
    return (context, reply) -> {
      log.warn("DEBUG LOG: {}", message);
      reply.ok();
    };
  }

  private Operation setActiveExpiry(boolean enabled) {
    return (context, reply) -> {
      activeExpiry.setEnabled(enabled);
      reply.ok();
    };
  }

  /** As C reads it: no number is 0. */
  private static double seconds(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** The one command that makes an event loop wait: to hold it up is what it is for. */
  private static Operation sleep(double seconds) {
    return (context, reply) -> {
      try {
        Thread.sleep(Math.max(0, Math.round(seconds * MILLIS_PER_SECOND)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      reply.ok();
    };
  }

  private static String describe(CommandContext context, int index) {
    Key key = context.key(index);
    String[] description = new String[1];
    context.inShard(
        (int) key.hash() & (Keyspace.SHARDS - 1),
        shard -> {
          Entry entry = context.peek(key);
          description[0] = entry == null ? null : DebugObject.describe(entry, context);
        });
    if (description[0] == null) {
      throw Errors.noSuchKey();
    }
    return description[0];
  }
}
