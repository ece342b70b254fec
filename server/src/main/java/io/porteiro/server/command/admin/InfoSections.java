package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.metrics.InfoText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sections of INFO, in Redis's order, and which of them belong together. Every field that Redis
 * 7 has is there, because monitoring tools read them; what does not exist here (replicas, scripts,
 * eviction, defragmentation) is 0.
 *
 * @see <a href="https://redis.io/docs/latest/commands/info/">the fields</a>
 */
final class InfoSections {
  /** One section. */
  @FunctionalInterface
  interface Section {
    void write(InfoText info, CommandContext context);
  }

  /** The sections of modules, which {@code all} leaves out. */
  private static final String BLOOM = "bloom";

  private static final List<String> DEFAULTS =
      List.of(
          "server",
          "clients",
          "memory",
          "persistence",
          "stats",
          "replication",
          "cpu",
          "modules",
          "errorstats",
          "cluster",
          "keyspace");

  private final Map<String, Section> all = new LinkedHashMap<>();

  InfoSections(ServerIdentity identity) {
    ServerInfo server = new ServerInfo(identity);
    all.put("server", server::server);
    all.put("clients", ClientsInfo::write);
    all.put("memory", MemoryInfo::write);
    all.put("persistence", InfoSections::persistence);
    all.put("stats", StatsInfo::write);
    all.put("replication", server::replication);
    all.put("cpu", ServerInfo::cpu);
    all.put("modules", ServerInfo::modules);
    all.put("commandstats", CommandInfo::calls);
    all.put("errorstats", CommandInfo::errors);
    all.put("latencystats", CommandInfo::latencies);
    all.put("cluster", ServerInfo::cluster);
    all.put("keyspace", KeyspaceInfo::keys);
    all.put(BLOOM, KeyspaceInfo::filters);
  }

  private static void persistence(InfoText info, CommandContext context) {
    info.section("Persistence");
    context.services().persistence().appendInfo(info.lines());
  }

  /** All sections by name, in the order in which they are shown. */
  Map<String, Section> all() {
    return all;
  }

  /** The names of the sections that a word of INFO's stands for; its own where it is none. */
  List<String> named(String word) {
    return switch (word) {
      case "default" -> DEFAULTS;
      case "everything" -> List.copyOf(all.keySet());
      case "all" -> all.keySet().stream().filter(name -> !name.equals(BLOOM)).toList();
      case "modules" -> List.of("modules", BLOOM);
      case "module_list" -> List.of("modules");
      case "bf" -> List.of(BLOOM);
      default -> List.of(word);
    };
  }
}
