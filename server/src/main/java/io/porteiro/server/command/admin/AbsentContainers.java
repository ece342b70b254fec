package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Help;
import java.util.List;

/**
 * Containers of which Redis has subcommands and this server has none: there are no scripts, no
 * functions and no streams. Their names are known, so that a client is told which subcommand is
 * missing, as in Redis.
 */
final class AbsentContainers {
  private AbsentContainers() {}

  static List<CommandSpec> specs() {
    return List.of(
        container("script", "scripting"),
        container("function", "scripting"),
        container("xinfo", "stream"));
  }

  private static CommandSpec container(String name, String category) {
    return CommandSpec.named(name)
        .arity(-2)
        .subcommands(Help.of(name).categories(category))
        .build();
  }
}
