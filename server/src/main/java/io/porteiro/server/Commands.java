package io.porteiro.server;

import io.porteiro.server.command.CommandTable;
import io.porteiro.server.command.bloom.BloomCommands;
import io.porteiro.server.command.connection.ConnectionCommands;
import io.porteiro.server.command.hyperloglog.HyperLogLogCommands;
import io.porteiro.server.command.keyspace.KeyspaceCommands;
import io.porteiro.server.command.pubsub.PubSubCommands;
import io.porteiro.server.command.string.StringCommands;
import io.porteiro.server.command.transaction.TransactionCommands;
import java.util.List;
import java.util.stream.Stream;

/** All command families, put into one table. */
final class Commands {
  private Commands() {}

  static CommandTable table() {
    return new CommandTable(
        Stream.of(
                BloomCommands.commands(),
                HyperLogLogCommands.commands(),
                StringCommands.commands(),
                KeyspaceCommands.TABLE,
                ConnectionCommands.commands(),
                TransactionCommands.commands(),
                PubSubCommands.commands())
            .flatMap(List::stream)
            .toList());
  }
}
