package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.NOSCRIPT;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Help;
import io.porteiro.server.command.Operation;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.config.ServerConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** CONFIG: settings looked at and changed while the server runs. */
final class ConfigCommands {
  private ConfigCommands() {}

  static CommandSpec spec() {
    return CommandSpec.named("config")
        .arity(-2)
        .subcommands(
            subcommand("get", -3, ConfigCommands::get),
            subcommand("set", -4, ConfigCommands::set)
                .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
            subcommand("resetstat", 2, ConfigCommands::resetStatistics)
                .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
            subcommand("rewrite", 2, ConfigCommands::rewrite)
                .tips("request_policy:all_nodes", "response_policy:all_succeeded"),
            Help.of(
                "config",
                "GET <pattern>",
                "    Return parameters matching the glob-like <pattern> and their values.",
                "SET <directive> <value>",
                "    Set the configuration <directive> to <value>.",
                "RESETSTAT",
                "    Reset statistics reported by the INFO command.",
                "REWRITE",
                "    Rewrite the configuration file."))
        .build();
  }

  private static CommandSpec.Builder subcommand(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name)
        .arity(arity)
        .flags(ADMIN, NOSCRIPT, LOADING, STALE)
        .parser(parser);
  }

  private static List<String> rest(Arguments arguments) {
    List<String> words = new ArrayList<>();
    while (arguments.hasNext()) {
      words.add(arguments.nextText());
    }
    return words;
  }

  private static Operation get(CommandContext context) {
    List<String> patterns = rest(context.arguments());
    return (applied, reply) -> write(applied.config().get(patterns), reply);
  }

  private static void write(Map<String, String> settings, ReplyWriter reply) {
    reply.map(settings.size());
    settings.forEach((name, value) -> {
      reply.bulk(name);
      reply.bulk(value);
    });
  }

  private static Operation set(CommandContext context) {
    List<String> namesAndValues = rest(context.arguments());
    if (namesAndValues.size() % 2 != 0) {
      throw Errors.syntax();
    }
    return (applied, reply) -> {
      ServerConfig config = applied.config();
      boolean unprotected = LocalOnly.permits(config.enableProtectedConfigs(), applied.session());
      try {
        config.set(namesAndValues, unprotected);
      } catch (ConfigException e) {
        throw new CommandException("ERR " + e.getMessage());
      }
      reply.ok();
    };
  }

  private static Operation resetStatistics(CommandContext unused) {
    return (context, reply) -> {
      context.services().metrics().reset();
      reply.ok();
    };
  }

  private static Operation rewrite(CommandContext unused) {
    return (context, reply) -> {
      try {
        context.config().rewrite();
      } catch (ConfigException e) {
        throw new CommandException("ERR " + e.getMessage());
      }
      reply.ok();
    };
  }
}
