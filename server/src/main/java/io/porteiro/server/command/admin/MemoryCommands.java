package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Help;
import io.porteiro.server.command.Operation;
import io.porteiro.server.metrics.InfoText;

/** MEMORY: where the memory is. */
final class MemoryCommands {
  private MemoryCommands() {}

  static CommandSpec spec() {
    return CommandSpec.named("memory")
        .arity(-2)
        .subcommands(
            MemoryUsage.subcommand(),
            subcommand("doctor", MemoryCommands::doctor)
                .tips(
                    "nondeterministic_output",
                    "request_policy:all_shards",
                    "response_policy:special"),
            subcommand("malloc-stats", MemoryCommands::allocatorStatistics)
                .tips(
                    "nondeterministic_output",
                    "request_policy:all_shards",
                    "response_policy:special"),
            subcommand("purge", MemoryCommands::purge)
                .tips("request_policy:all_shards", "response_policy:all_succeeded"),
            subcommand("stats", MemoryCommands::statistics)
                .tips(
                    "nondeterministic_output",
                    "request_policy:all_shards",
                    "response_policy:special"),
            Help.of(
                "memory",
                "DOCTOR",
                "    What the figures say, in words.",
                "MALLOC-STATS",
                "    How the memory is allocated.",
                "PURGE",
                "    Give unused memory of the Java heap back.",
                "STATS",
                "    How much memory is used for what.",
                "USAGE <key> [SAMPLES <count>]",
                "    Bytes that a key and its value take."))
        .build();
  }

  private static CommandSpec.Builder subcommand(String name, CommandParser parser) {
    return CommandSpec.named(name).arity(2).parser(parser);
  }

  private static Operation doctor(CommandContext unused) {
    return (context, reply) -> reply.verbatim("txt", diagnosis(context));
  }

  private static String diagnosis(CommandContext context) {
    MemoryFigures memory = MemoryFigures.of(context);
    long limit = context.config().maxmemory();
    StringBuilder text = new StringBuilder();
    text.append(InfoText.human(memory.used())).append(" are in use, ");
    text.append(InfoText.human(memory.resident())).append(" resident. ");
    if (limit == 0) {
      text.append("There is no limit: set maxmemory, or the system may end the process.");
    } else if (memory.used() > limit / 10 * 9) {
      text.append("Nearly all of maxmemory is used: commands that need more are refused soon.");
    } else {
      text.append("Nothing is wrong that I could see.");
    }
    return text.append('\n').toString();
  }

  private static Operation allocatorStatistics(CommandContext unused) {
    return (context, reply) -> {
      MemoryFigures memory = MemoryFigures.of(context);
      reply.verbatim(
          "txt",
          "Values: blocks below 1 MiB by the C library's allocator, others mapped one by one.\n"
              + "Counted bytes: "
              + memory.used()
              + "\nResident bytes: "
              + memory.resident()
              + "\n");
    };
  }

  /** Mapped blocks are given back when they are freed; only the Java heap keeps what it had. */
  private static Operation purge(CommandContext unused) {
    return (context, reply) -> {
      System.gc();
      reply.ok();
    };
  }

  private static Operation statistics(CommandContext unused) {
    return (context, reply) -> MemoryStatistics.of(context).write(reply);
  }
}
