package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.NOSCRIPT;
import static io.porteiro.server.command.CommandFlag.READONLY;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.config.ServerVersion;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** TIME, MONITOR, LOLWUT. */
final class ServerCommands {
  /** A door with someone before it: the name is Portuguese for a doorman. */
  private static final String DOORMAN =
      """
         ___________
        |  _______  |
        | |       | |    o
        | |      o| |   /|\\
        | |       | |   / \\
      --------------------------
      """;

  /** How many numbers tell the size of the drawings that Redis makes with a VERSION. */
  private static final Map<Long, Long> DRAWING_SIZES = Map.of(5L, 3L, 6L, 2L);

  private ServerCommands() {}

  static List<CommandSpec> specs(Monitors monitors) {
    return List.of(
        command("time", 1, ServerCommands::time)
            .flags(LOADING, STALE, FAST)
            .tips("nondeterministic_output")
            .build(),
        command("monitor", 1, context -> monitor(monitors))
            .flags(ADMIN, NOSCRIPT, LOADING, STALE)
            .build(),
        command("lolwut", -1, ServerCommands::lolwut).flags(READONLY, FAST).build());
  }

  private static CommandSpec.Builder command(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name).arity(arity).parser(parser);
  }

  private static Operation time(CommandContext unused) {
    return (context, reply) -> {
      Instant now = context.services().clock().instant();
      reply.array(2);
      reply.bulk(Long.toString(now.getEpochSecond()));
      reply.bulk(Integer.toString(now.getNano() / 1000));
    };
  }

  private static Operation monitor(Monitors monitors) {
    return (context, reply) -> {
      if (context.isInTransaction()) {
        throw new CommandException("ERR MONITOR isn't allowed for DENY BLOCKING client");
      }
      monitors.add(context.session(), context.services().clients());
      reply.ok();
    };
  }

  /** One drawing for all versions; the arguments are checked as Redis checks them. */
  private static Operation lolwut(CommandContext context) {
    Arguments arguments = context.arguments();
    if (arguments.remaining() >= 2 && arguments.accept("VERSION")) {
      long sizes = DRAWING_SIZES.getOrDefault(arguments.nextLong(), 0L);
      for (long i = 0; i < sizes && arguments.hasNext(); i++) {
        arguments.nextLong();
      }
    }
    return (applied, reply) ->
        reply.verbatim(
            "txt",
            DOORMAN
                + "Redis ver. "
                + ServerVersion.REDIS
                + " (Porteiro "
                + ServerVersion.PORTEIRO
                + ")\n");
  }
}
