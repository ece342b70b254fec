package io.porteiro.server.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** HELP of a command with subcommands: a line each, as Redis lays them out. */
public final class Help {
  private Help() {}

  /**
   * The subcommand.
   *
   * @param container the command's name in lower case
   * @param lines its other subcommands: their arguments, and indented what they do
   */
  public static CommandSpec.Builder of(String container, String... lines) {
    List<String> all = new ArrayList<>();
    all.add(
        container.toUpperCase(Locale.ROOT)
            + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
    all.addAll(List.of(lines));
    all.add("HELP");
    all.add("    Print this help.");
    return CommandSpec.named("help")
        .arity(2)
        .flags(CommandFlag.LOADING, CommandFlag.STALE)
        .parser(_ -> answer(all));
  }

  private static Operation answer(List<String> lines) {
    return (context, reply) -> {
      reply.array(lines.size());
      lines.forEach(reply::simpleString);
    };
  }
}
