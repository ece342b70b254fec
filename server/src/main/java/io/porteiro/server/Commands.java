package io.porteiro.server;

import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.access.AccessCommands;
import io.porteiro.server.command.admin.AdminCommands;
import io.porteiro.server.command.admin.ExpirySwitch;
import io.porteiro.server.command.admin.Observation;
import io.porteiro.server.command.admin.ServerIdentity;
import io.porteiro.server.command.bloom.BloomCommands;
import io.porteiro.server.command.connection.ConnectionCommands;
import io.porteiro.server.command.hyperloglog.HyperLogLogCommands;
import io.porteiro.server.command.keyspace.KeyspaceCommands;
import io.porteiro.server.command.pubsub.PubSubCommands;
import io.porteiro.server.command.string.StringCommands;
import io.porteiro.server.command.transaction.TransactionCommands;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** All command families. */
final class Commands {
  private Commands() {}

  /**
   * @param encryption what MIGRATE encrypts its connections with, or null to leave them plain
   */
  static List<CommandSpec> all(
      Observation observation,
      ServerIdentity identity,
      ExpirySwitch activeExpiry,
      Supplier<@Nullable SSLSocketFactory> encryption) {
    return Stream.of(
            BloomCommands.commands(),
            HyperLogLogCommands.commands(),
            StringCommands.commands(),
            KeyspaceCommands.commands(),
            List.of(KeyspaceCommands.migrate(encryption)),
            ConnectionCommands.commands(),
            TransactionCommands.commands(),
            PubSubCommands.commands(),
            AccessCommands.commands(),
            AdminCommands.commands(observation, identity, activeExpiry))
        .flatMap(List::stream)
        .toList();
  }
}
