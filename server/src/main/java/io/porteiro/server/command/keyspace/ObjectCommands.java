package io.porteiro.server.command.keyspace;

import static io.porteiro.server.command.CommandFlag.READONLY;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Help;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.string.StringValue;
import java.util.List;

/** OBJECT: how a value is kept, and when its key was last used. */
final class ObjectCommands {
  /** Redis keeps the numbers below this one once and for all, and says so by the largest count. */
  private static final long SHARED_NUMBERS = 10_000;

  private static final String NO_FREQUENCIES =
      "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that"
          + " when switching between policies at runtime LRU and LFU data will take some time to"
          + " adjust.";

  private static final String[] HELP = {
    "ENCODING <key>",
    "    Return the kind of internal representation used in order to store the value",
    "    associated with a <key>.",
    "FREQ <key>",
    "    Return the access frequency index of the <key>. The returned integer is",
    "    proportional to the logarithm of the recent access frequency of the key.",
    "IDLETIME <key>",
    "    Return the idle time of the <key>, that is the approximated number of",
    "    seconds elapsed since the last access to the key.",
    "REFCOUNT <key>",
    "    Return the number of references of the value associated with the specified",
    "    <key>.",
  };

  static final List<CommandSpec> TABLE =
      List.of(
          CommandSpec.named("object")
              .arity(-2)
              .subcommands(
                  about("encoding", ObjectCommands::encoding),
                  about("freq", ObjectCommands::freq),
                  about("idletime", ObjectCommands::idletime),
                  about("refcount", ObjectCommands::refcount),
                  Help.of("object", HELP).categories("keyspace"))
              .build());

  private ObjectCommands() {}

  /** What there is to say about an entry that is there. */
  @FunctionalInterface
  private interface Answer {
    void write(CommandContext context, Entry entry, ReplyWriter reply);
  }

  private static CommandSpec.Builder about(String name, Answer answer) {
    Operation operation = (context, reply) -> answer(context, answer, reply);
    return CommandSpec.named(name)
        .arity(3)
        .flags(READONLY)
        .categories("keyspace")
        .tips("nondeterministic_output")
        .keys(KeySpec.one(2, "RO"))
        .parser(_ -> operation);
  }

  private static void answer(CommandContext context, Answer answer, ReplyWriter reply) {
    Entry entry = context.readQuietly(context.key(2));
    if (entry == null) {
      reply.nullBulk();
    } else {
      answer.write(context, entry, reply);
    }
  }

  private static void encoding(CommandContext context, Entry entry, ReplyWriter reply) {
    reply.bulk(
        entry.value() instanceof StringValue string ? string.encoding().encodingName() : "raw");
  }

  /** Nothing is ever evicted, whatever policy is configured, so no frequencies are kept. */
  private static void freq(CommandContext context, Entry entry, ReplyWriter reply) {
    throw new CommandException(NO_FREQUENCIES);
  }

  private static void idletime(CommandContext context, Entry entry, ReplyWriter reply) {
    int seconds = (int) (context.nowMs() / 1000) - entry.accessedAtSeconds();
    reply.integer(Math.max(0, seconds));
  }

  private static void refcount(CommandContext context, Entry entry, ReplyWriter reply) {
    reply.integer(isSharedNumber(entry) ? Integer.MAX_VALUE : 1);
  }

  private static boolean isSharedNumber(Entry entry) {
    return entry.value() instanceof StringValue string
        && string.isNumber()
        && string.number() >= 0
        && string.number() < SHARED_NUMBERS;
  }
}
