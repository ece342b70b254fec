package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.READONLY;

import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.store.Entry;

/** MEMORY USAGE: the bytes of one key and its value. */
final class MemoryUsage {
  private MemoryUsage() {}

  /** As a subcommand of MEMORY. */
  static CommandSpec.Builder subcommand() {
    return CommandSpec.named("usage")
        .arity(-3)
        .flags(READONLY)
        .keys(KeySpec.one(2, "RO"))
        .parser(MemoryUsage::usage);
  }

  private static Operation usage(CommandContext parsed) {
    Arguments arguments = parsed.arguments();
    arguments.skip();
    while (arguments.hasNext()) {
      parseSamples(arguments);
    }
    return (context, reply) -> {
      Entry entry = context.peek(context.key(2));
      if (entry == null) {
        reply.nullBulk();
      } else {
        reply.integer(entry.memoryBytes());
      }
    };
  }

  /** Read and dropped: our values need not be sampled to know their size. */
  private static void parseSamples(Arguments arguments) {
    if (arguments.remaining() < 2 || !arguments.accept("SAMPLES") || arguments.nextLong() < 0) {
      throw Errors.syntax();
    }
  }
}
