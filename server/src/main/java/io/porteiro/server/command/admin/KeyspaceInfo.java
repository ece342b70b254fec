package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.metrics.InfoText;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.structure.FilterCensus;

/** INFO on what is stored: keys, and the filters among them. */
final class KeyspaceInfo {
  private KeyspaceInfo() {}

  static void keys(InfoText info, CommandContext context) {
    Keyspace keyspace = context.keyspace();
    info.section("Keyspace");
    for (int database = 0; database < keyspace.databases(); database++) {
      long keys = keyspace.size(database);
      if (keys > 0) {
        info.field("db" + database, keys(context, database, keys));
      }
    }
  }

  private static String keys(CommandContext context, int database, long keys) {
    long expiring = context.keyspace().expiringSize(database);
    return "keys="
        + keys
        + ",expires="
        + expiring
        + ",avg_ttl="
        + AverageTtl.milliseconds(context, database, expiring)
        + ",subexpiry=0";
  }

  /** Of all databases together; no lock is taken. */
  static void filters(InfoText info, CommandContext context) {
    FilterCensus census = context.keyspace().filters();
    info.section("Bloom")
        .field("bf_filters", census.filters())
        .field("bf_sub_filters", census.links())
        .field("bf_items", Long.toUnsignedString(census.items()))
        .field("bf_capacity", Long.toUnsignedString(census.capacity()))
        .bytes("bf_bytes", census.bytes())
        .field("bf_add_calls", calls(context, "bf.add", "bf.madd", "bf.insert"))
        .field("bf_exists_calls", calls(context, "bf.exists", "bf.mexists"));
    settings(info, context.config());
  }

  private static void settings(InfoText info, ServerConfig config) {
    info.field("bf_error_rate", config.bfErrorRate())
        .field("bf_initial_size", config.bfInitialSize())
        .field("bf_expansion_factor", config.bfExpansionFactor())
        .field("bf_max_capacity", config.bfMaxCapacity());
  }

  private static long calls(CommandContext context, String... names) {
    long calls = 0;
    for (String name : names) {
      CommandSpec spec = context.services().table().find(name);
      calls += spec == null ? 0 : context.services().metrics().calls(spec.id());
    }
    return calls;
  }
}
