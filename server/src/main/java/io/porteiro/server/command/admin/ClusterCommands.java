package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.NOSCRIPT;
import static io.porteiro.server.command.CommandFlag.NO_ASYNC_LOADING;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandFlag;
import io.porteiro.server.command.CommandSpec;
import java.util.List;

/**
 * The commands of Redis Cluster. They are there, as in a Redis that runs alone: clients ask CLUSTER
 * whether there is a cluster, and take this error, but not an unknown command, for a no.
 */
final class ClusterCommands {
  private static final String DISABLED = "ERR This instance has cluster support disabled";

  private ClusterCommands() {}

  static List<CommandSpec> specs() {
    return List.of(
        CommandSpec.named("cluster")
            .arity(-2)
            .subcommands(
                disabled("info", 2, STALE).tips("nondeterministic_output"),
                disabled("nodes", 2, STALE).tips("nondeterministic_output"),
                disabled("slots", 2, STALE).tips("nondeterministic_output"),
                disabled("shards", 2, STALE).tips("nondeterministic_output"),
                disabled("links", 2, STALE).tips("nondeterministic_output"),
                disabled("myid", 2, STALE),
                disabled("myshardid", 2, STALE).tips("nondeterministic_output"),
                disabled("keyslot", 3, STALE),
                disabled("countkeysinslot", 3, STALE),
                disabled("getkeysinslot", 4, STALE).tips("nondeterministic_output"),
                disabled("replicas", 3, ADMIN, STALE).tips("nondeterministic_output"),
                disabled("slaves", 3, ADMIN, STALE).tips("nondeterministic_output"),
                disabled("count-failure-reports", 3, ADMIN, STALE).tips("nondeterministic_output"),
                change("addslots", -3),
                change("addslotsrange", -4),
                change("delslots", -3),
                change("delslotsrange", -4),
                change("flushslots", 2),
                change("setslot", -4),
                change("meet", -4),
                change("forget", 3),
                change("replicate", 3),
                change("failover", -2),
                change("bumpepoch", 2).tips("nondeterministic_output"),
                change("set-config-epoch", 3),
                change("saveconfig", 2),
                disabled("reset", -2, ADMIN, STALE, NOSCRIPT),
                disabled("help", 2, LOADING, STALE))
            .build(),
        ofConnection("readonly", LOADING, STALE, FAST),
        ofConnection("readwrite", LOADING, STALE, FAST),
        ofConnection("asking", FAST));
  }

  private static CommandSpec.Builder disabled(String name, int arity, CommandFlag... flags) {
    return CommandSpec.named(name)
        .arity(arity)
        .flags(flags)
        .parser(_ -> {
          throw new CommandException(DISABLED);
        });
  }

  private static CommandSpec.Builder change(String name, int arity) {
    return disabled(name, arity, ADMIN, STALE, NO_ASYNC_LOADING);
  }

  private static CommandSpec ofConnection(String name, CommandFlag... flags) {
    return disabled(name, 1, flags).categories("connection").build();
  }
}
