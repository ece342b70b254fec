package io.porteiro.server.command.keyspace;

import io.porteiro.server.command.CommandSpec;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

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

  /**
   * MIGRATE.
   *
   * @param encryption what encrypts connections to other servers, or null to leave them plain;
   *     asked each time
   */
  public static CommandSpec migrate(Supplier<@Nullable SSLSocketFactory> encryption) {
    return new MigrateCommand(encryption).spec();
  }

  /** The family's commands, group after group. */
  public static List<CommandSpec> commands() {
    return COMMANDS;
  }
}
