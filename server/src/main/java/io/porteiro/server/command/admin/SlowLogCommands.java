package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Help;
import io.porteiro.server.command.Operation;
import java.util.List;

/** SLOWLOG: what took longer than {@code slowlog-log-slower-than}. */
final class SlowLogCommands {
  private static final long DEFAULT_COUNT = 10;
  private static final String BAD_COUNT = "ERR count should be greater than or equal to -1";

  private final SlowLog log;

  private SlowLogCommands(SlowLog log) {
    this.log = log;
  }

  static CommandSpec spec(SlowLog log) {
    SlowLogCommands commands = new SlowLogCommands(log);
    return CommandSpec.named("slowlog")
        .arity(-2)
        .subcommands(
            subcommand("get", -2, commands::get)
                .tips("request_policy:all_nodes", "nondeterministic_output"),
            subcommand("len", 2, commands::length)
                .tips(
                    "request_policy:all_nodes",
                    "response_policy:agg_sum",
                    "nondeterministic_output"),
            subcommand("reset", 2, commands::reset)
                .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
            Help.of(
                "slowlog",
                "GET [<count>]",
                "    The newest <count> entries (default: 10, -1: all): number, time of day,",
                "    microseconds, arguments, client's address, client's name.",
                "LEN",
                "    How many entries there are.",
                "RESET",
                "    Forget all entries."))
        .build();
  }

  private static CommandSpec.Builder subcommand(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name).arity(arity).flags(ADMIN, LOADING, STALE).parser(parser);
  }

  private Operation get(CommandContext context) {
    Arguments arguments = context.arguments();
    if (arguments.remaining() > 1) {
      throw new CommandException(
          "ERR unknown subcommand or wrong number of arguments for 'GET'. Try SLOWLOG HELP.");
    }
    long count = arguments.hasNext() ? arguments.nextLong(BAD_COUNT) : DEFAULT_COUNT;
    if (count < -1) {
      throw new CommandException(BAD_COUNT);
    }
    long wanted = count == -1 ? Long.MAX_VALUE : count;
    return (applied, reply) -> {
      List<SlowLog.Entry> entries = log.newest(wanted);
      reply.array(entries.size());
      entries.forEach(entry -> write(entry, reply));
    };
  }

  private static void write(SlowLog.Entry entry, ReplyWriter reply) {
    reply.array(6);
    reply.integer(entry.id());
    reply.integer(entry.startedAtSeconds());
    reply.integer(entry.durationMicros());
    reply.array(entry.arguments().size());
    entry.arguments().forEach(reply::bulk);
    reply.bulk(entry.address());
    reply.bulk(entry.clientName());
  }

  private Operation length(CommandContext unused) {
    return (context, reply) -> reply.integer(log.size());
  }

  private Operation reset(CommandContext unused) {
    return (context, reply) -> {
      log.clear();
      reply.ok();
    };
  }
}
