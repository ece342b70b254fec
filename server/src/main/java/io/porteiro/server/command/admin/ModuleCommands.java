package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.NOSCRIPT;
import static io.porteiro.server.command.CommandFlag.NO_ASYNC_LOADING;

import io.porteiro.server.command.BuiltInModule;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Help;
import io.porteiro.server.command.Operation;

/** MODULE: the Bloom module is built in, others cannot be loaded. */
final class ModuleCommands {
  private ModuleCommands() {}

  static CommandSpec spec() {
    return CommandSpec.named("module")
        .arity(-2)
        .subcommands(
            subcommand("list", 2, ModuleCommands::list).tips("nondeterministic_output_order"),
            loading("load", -3, "ERR Error loading the extension. Please check the server logs."),
            loading("loadex", -3, "ERR Error loading the extension. Please check the server logs."),
            loading("unload", 3, "ERR Error unloading module: no such module with that name"),
            Help.of(
                "module",
                "LIST",
                "    The modules there are.",
                "LOAD <path> [<arg> ...]",
                "    Modules cannot be loaded here.",
                "LOADEX <path> [CONFIG <name> <value> ...] [ARGS <arg> ...]",
                "    Modules cannot be loaded here.",
                "UNLOAD <name>",
                "    The built-in module cannot be unloaded."))
        .build();
  }

  private static CommandSpec.Builder subcommand(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name).arity(arity).flags(ADMIN, NOSCRIPT).parser(parser);
  }

  private static CommandSpec.Builder loading(String name, int arity, String failure) {
    return subcommand(name, arity, context -> fail(context, failure)).flags(NO_ASYNC_LOADING);
  }

  private static Operation list(CommandContext unused) {
    return (context, reply) -> BuiltInModule.list(reply);
  }

  private static Operation fail(CommandContext context, String failure) {
    boolean permitted =
        LocalOnly.permits(context.config().enableModuleCommand(), context.session());
    throw new CommandException(
        permitted ? failure : LocalOnly.refusal("MODULE", "enable-module-command"));
  }
}
