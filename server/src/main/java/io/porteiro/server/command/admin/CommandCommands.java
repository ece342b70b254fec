package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.STALE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.BuiltInModule;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandFlag;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.CommandTable;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Help;
import io.porteiro.server.command.Operation;
import io.porteiro.server.glob.GlobPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** COMMAND: what the commands are, from the one table that the dispatcher uses too. */
final class CommandCommands {
  private CommandCommands() {}

  static CommandSpec spec() {
    return CommandSpec.named("command")
        .arity(-1)
        .flags(LOADING, STALE)
        .categories("connection")
        .tips("nondeterministic_output_order")
        .parser(CommandCommands::all)
        .subcommands(
            subcommand("count", 2, CommandCommands::count),
            subcommand("info", -2, CommandCommands::info).tips("nondeterministic_output_order"),
            subcommand("docs", -2, CommandCommands::docs).tips("nondeterministic_output_order"),
            subcommand("list", -2, CommandCommands::list).tips("nondeterministic_output_order"),
            subcommand("getkeys", -3, CommandCommands::getKeys),
            subcommand("getkeysandflags", -3, CommandCommands::getKeysAndFlags),
            help())
        .build();
  }

  private static CommandSpec.Builder subcommand(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name)
        .arity(arity)
        .flags(LOADING, STALE)
        .categories("connection")
        .parser(parser);
  }

  private static CommandSpec.Builder help() {
    return Help.of(
            "command",
            "(no subcommand)",
            "    What all commands are.",
            "COUNT",
            "    How many commands there are.",
            "LIST [FILTERBY (MODULE <name>|ACLCAT <category>|PATTERN <pattern>)]",
            "    The names of all commands, or of some.",
            "INFO [<command-name> ...]",
            "    What these commands (default: all) are.",
            "DOCS [<command-name> ...]",
            "    What these commands (default: all) do and take.",
            "GETKEYS <full-command>",
            "    The keys in a command.",
            "GETKEYSANDFLAGS <full-command>",
            "    The keys in a command, and what it does to them.")
        .categories("connection");
  }

  /** COMMAND alone; followed by a word that is no subcommand it is wrong. */
  private static Operation all(CommandContext context) {
    if (context.arguments().count() > 1) {
      throw new CommandException(
          "ERR unknown subcommand '" + context.arguments().textAt(1) + "'. Try COMMAND HELP.");
    }
    return CommandCommands::describeAll;
  }

  private static void describeAll(CommandContext context, ReplyWriter reply) {
    List<CommandSpec> commands = context.services().table().commands();
    reply.array(commands.size());
    commands.forEach(spec -> CommandDescription.write(spec, reply));
  }

  private static Operation count(CommandContext unused) {
    return (context, reply) -> reply.integer(context.services().table().commands().size());
  }

  private static Operation info(CommandContext context) {
    if (!context.arguments().hasNext()) {
      return CommandCommands::describeAll;
    }
    List<String> names = rest(context.arguments());
    return (applied, reply) -> {
      reply.array(names.size());
      for (String name : names) {
        describe(applied.services().table().find(name), reply);
      }
    };
  }

  private static void describe(@Nullable CommandSpec spec, ReplyWriter reply) {
    if (spec == null) {
      reply.nullBulk();
    } else {
      CommandDescription.write(spec, reply);
    }
  }

  private static List<String> rest(Arguments arguments) {
    List<String> words = new ArrayList<>();
    while (arguments.hasNext()) {
      words.add(arguments.nextText());
    }
    return words;
  }

  private static Operation docs(CommandContext context) {
    CommandTable table = context.services().table();
    List<CommandSpec> specs = new ArrayList<>();
    if (!context.arguments().hasNext()) {
      specs.addAll(table.commands());
    }
    for (String name : rest(context.arguments())) {
      CommandSpec spec = table.find(name);
      if (spec != null) {
        specs.add(spec);
      }
    }
    return (applied, reply) -> {
      reply.map(specs.size());
      for (CommandSpec spec : specs) {
        reply.bulk(spec.fullName());
        CommandDocs.shared().write(spec, reply);
      }
    };
  }

  private static Operation list(CommandContext context) {
    Arguments arguments = context.arguments();
    Predicate<CommandSpec> filter = arguments.hasNext() ? filter(arguments) : spec -> true;
    return (applied, reply) -> {
      List<CommandSpec> listed = applied.services().table().byId().stream().filter(filter).toList();
      reply.array(listed.size());
      listed.forEach(spec -> reply.bulk(spec.fullName()));
    };
  }

  private static Predicate<CommandSpec> filter(Arguments arguments) {
    if (arguments.remaining() != 3 || !arguments.accept("FILTERBY")) {
      throw Errors.syntax();
    }
    if (arguments.accept("MODULE")) {
      boolean builtIn = arguments.nextText().equalsIgnoreCase(BuiltInModule.NAME);
      return spec -> builtIn && spec.has(CommandFlag.MODULE);
    }
    if (arguments.accept("ACLCAT")) {
      String category = arguments.nextText().toLowerCase(Locale.ROOT);
      return spec -> spec.categories().contains(category);
    }
    if (arguments.accept("PATTERN")) {
      GlobPattern pattern = GlobPattern.ignoringCase(arguments.nextText().getBytes(ISO_8859_1));
      return spec -> pattern.matches(spec.fullName().getBytes(ISO_8859_1));
    }
    throw Errors.syntax();
  }

  private static Operation getKeys(CommandContext context) {
    KeyArguments keys = KeyArguments.of(context);
    return (applied, reply) -> {
      reply.array(keys.size());
      keys.forEach((index, flags) -> bulk(applied, index, reply));
    };
  }

  private static Operation getKeysAndFlags(CommandContext context) {
    KeyArguments keys = KeyArguments.of(context);
    return (applied, reply) -> {
      reply.array(keys.size());
      keys.forEach((index, flags) -> {
        reply.array(2);
        bulk(applied, index, reply);
        reply.set(flags.size());
        flags.forEach(reply::simpleString);
      });
    };
  }

  private static void bulk(CommandContext context, int index, ReplyWriter reply) {
    reply.bulk(context.request().address(index), context.request().length(index));
  }
}
