package io.porteiro.server.command.keyspace;

import io.porteiro.server.command.CommandSpec;
import java.util.List;
import java.util.stream.Stream;

/** All commands on keys whatever they hold, and on whole databases. */
public final class KeyspaceCommands {
  private static final List<CommandSpec> COMMANDS =
      Stream.of(
              KeyCommands.TABLE,
              ExpiryCommands.TABLE,
              RelocationCommands.TABLE,
              IterationCommands.TABLE,
              DatabaseCommands.TABLE,
              ObjectCommands.TABLE,
              DumpCommands.TABLE)
          .flatMap(List::stream)
          .toList();

  private KeyspaceCommands() {}

  /** The family's commands, group after group. */
  public static List<CommandSpec> commands() {
    return COMMANDS;
  }
}
