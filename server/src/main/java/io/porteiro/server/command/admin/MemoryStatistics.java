package io.porteiro.server.command.admin;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.store.Keyspace;
import java.util.LinkedHashMap;
import java.util.Map;

/** MEMORY STATS: the figures by name, in Redis's order. */
final class MemoryStatistics {
  private final Map<String, Object> figures = new LinkedHashMap<>();

  private MemoryStatistics() {}

  static MemoryStatistics of(CommandContext context) {
    MemoryStatistics statistics = new MemoryStatistics();
    MemoryFigures memory = MemoryFigures.of(context);
    statistics.overhead(memory);
    long keys = statistics.databases(context.keyspace());
    statistics.keys(memory, keys);
    statistics.allocator(memory);
    return statistics;
  }

  private void overhead(MemoryFigures memory) {
    figures.put("peak.allocated", memory.peak());
    figures.put("total.allocated", memory.used());
    figures.put("startup.allocated", 0L);
    figures.put("replication.backlog", 0L);
    figures.put("clients.slaves", 0L);
    figures.put("clients.normal", memory.clients());
    figures.put("cluster.links", 0L);
    figures.put("aof.buffer", 0L);
    figures.put("lua.caches", 0L);
    figures.put("functions.caches", 0L);
  }

  /** Those that have keys; returns how many keys there are in all. */
  private long databases(Keyspace keyspace) {
    long keys = 0;
    for (int database = 0; database < keyspace.databases(); database++) {
      long size = keyspace.size(database);
      if (size > 0) {
        figures.put("db." + database, tables(keyspace.tableBytes(database)));
      }
      keys += size;
    }
    return keys;
  }

  /** The expiry of a key stands in its entry. */
  private static Map<String, Object> tables(long bytes) {
    Map<String, Object> tables = new LinkedHashMap<>();
    tables.put("overhead.hashtable.main", bytes);
    tables.put("overhead.hashtable.expires", 0L);
    tables.put("overhead.hashtable.slot-to-keys", 0L);
    return tables;
  }

  private void keys(MemoryFigures memory, long keys) {
    figures.put("overhead.total", memory.overhead());
    figures.put("keys.count", keys);
    figures.put("keys.bytes-per-key", keys == 0 ? 0L : memory.used() / keys);
    figures.put("dataset.bytes", memory.dataset());
    figures.put("dataset.percentage", percent(memory.dataset(), memory.used()));
    figures.put("peak.percentage", percent(memory.used(), memory.peak()));
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
  }

  /** The C library tells of its pages only what is resident, as where Redis is built with it. */
  private void allocator(MemoryFigures memory) {
    figures.put("allocator.allocated", memory.used());
    figures.put("allocator.active", memory.resident());
    figures.put("allocator.resident", memory.resident());
    figures.put("allocator-fragmentation.ratio", memory.fragmentation());
    figures.put("allocator-fragmentation.bytes", memory.resident() - memory.used());
    figures.put("allocator-rss.ratio", 1.0);
    figures.put("allocator-rss.bytes", 0L);
    figures.put("rss-overhead.ratio", 1.0);
    figures.put("rss-overhead.bytes", 0L);
    figures.put("fragmentation", memory.fragmentation());
    figures.put("fragmentation.bytes", memory.resident() - memory.used());
  }

  void write(ReplyWriter reply) {
    write(figures, reply);
  }

  private static void write(Map<?, ?> map, ReplyWriter reply) {
    reply.map(map.size());
    map.forEach((name, value) -> {
      reply.bulk(String.valueOf(name));
      writeValue(value, reply);
    });
  }

  private static void writeValue(Object value, ReplyWriter reply) {
    switch (value) {
      case Double number -> reply.doubleValue(number);
      case Long number -> reply.integer(number);
      case Map<?, ?> map -> write(map, reply);
      default -> throw new IllegalStateException("a figure of " + value.getClass());
    }
  }
}
