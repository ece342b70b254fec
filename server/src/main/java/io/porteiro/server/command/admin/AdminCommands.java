package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandSpec;
import java.util.ArrayList;
import java.util.List;

/** Commands about the server as a whole. */
public final class AdminCommands {
  private AdminCommands() {}

  /**
   * All commands of the family.
   *
   * @param observation the server's {@link io.porteiro.server.command.CommandObserver}, whose logs
   *     SLOWLOG and LATENCY show
   * @param activeExpiry what DEBUG SET-ACTIVE-EXPIRE acts on
   */
  public static List<CommandSpec> commands(
      Observation observation, ServerIdentity identity, ExpirySwitch activeExpiry) {
    List<CommandSpec> commands = new ArrayList<>();
    commands.add(ConfigCommands.spec());
    commands.add(InfoCommand.spec(identity));
    commands.add(CommandCommands.spec());
    commands.addAll(PersistenceCommands.specs());
    commands.addAll(ServerCommands.specs(observation.monitors()));
    commands.addAll(ReplicationCommands.specs());
    commands.addAll(ClusterCommands.specs());
    commands.addAll(AbsentContainers.specs());
    commands.add(ModuleCommands.spec());
    commands.add(MemoryCommands.spec());
    commands.add(SlowLogCommands.spec(observation.slowLog()));
    commands.add(LatencyCommands.spec(observation.latencyMonitor()));
    commands.add(DebugCommand.spec(activeExpiry));
    return commands;
  }
}
