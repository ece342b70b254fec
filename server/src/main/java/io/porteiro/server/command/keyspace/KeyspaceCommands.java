package io.porteiro.server.command.keyspace;

import io.porteiro.server.command.CommandSpec;
import java.util.List;
import java.util.stream.Stream;

/** All commands on keys whatever they hold, and on whole databases. */
public final class KeyspaceCommands {
  /** The specs, from the tables of the groups. */
  public static final List<CommandSpec> TABLE =
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
}
