package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.Journal;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.metrics.InfoText;
import io.porteiro.server.metrics.MachineMemory;
import io.porteiro.server.metrics.ProcessStats;
import java.util.Locale;

/** INFO on memory. */
final class MemoryInfo {
  private MemoryInfo() {}

  static void write(InfoText info, CommandContext context) {
    MemoryFigures memory = MemoryFigures.of(context);
    info.section("Memory")
        .bytes("used_memory", memory.used())
        .bytes("used_memory_rss", memory.resident())
        .bytes("used_memory_peak", memory.peak())
        .field("used_memory_peak_perc", percent(memory.used(), memory.peak()))
        .field("used_memory_overhead", memory.overhead())
        .field("used_memory_startup", 0)
        .field("used_memory_dataset", memory.dataset())
        .field("used_memory_dataset_perc", percent(memory.dataset(), memory.used()))
        .field("allocator_allocated", memory.used())
        .field("allocator_active", memory.resident())
        .field("allocator_resident", memory.resident())
        .bytes("total_system_memory", MachineMemory.ofThisProcess().totalBytes());
    languages(info);
    limit(info, context.config());
    fragmentation(info, memory);
    elsewhere(info, memory, context.services().journal());
    freeing(info, context.keyspace().pool());
  }

  private static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.2f%%", whole == 0 ? 0 : 100.0 * part / whole);
  }

  /** There are no scripts; but there is Java. */
  private static void languages(InfoText info) {
    info.bytes("java_heap_used", ProcessStats.heapBytes())
        .bytes("java_heap_max", Runtime.getRuntime().maxMemory())
        .field("used_memory_lua", 0)
        .field("used_memory_vm_eval", 0)
        .field("used_memory_lua_human", InfoText.human(0))
        .field("used_memory_scripts_eval", 0)
        .field("number_of_cached_scripts", 0)
        .field("number_of_functions", 0)
        .field("number_of_libraries", 0)
        .field("used_memory_vm_functions", 0)
        .bytes("used_memory_vm_total", 0)
        .field("used_memory_functions", 0)
        .bytes("used_memory_scripts", 0);
  }

  private static void limit(InfoText info, ServerConfig config) {
    info.bytes("maxmemory", config.maxmemory()).field("maxmemory_policy", config.maxmemoryPolicy());
  }

  /** The C library tells of its pages only what is resident, as where Redis is built with it. */
  private static void fragmentation(InfoText info, MemoryFigures memory) {
    info.decimal("allocator_frag_ratio", 2, memory.fragmentation())
        .field("allocator_frag_bytes", memory.resident() - memory.used())
        .decimal("allocator_rss_ratio", 2, 1)
        .field("allocator_rss_bytes", 0)
        .decimal("rss_overhead_ratio", 2, 1)
        .field("rss_overhead_bytes", 0)
        .decimal("mem_fragmentation_ratio", 2, memory.fragmentation())
        .field("mem_fragmentation_bytes", memory.resident() - memory.used());
  }

  private static void elsewhere(InfoText info, MemoryFigures memory, Journal journal) {
    info.field("mem_not_counted_for_evict", memory.snapshot())
        .field("mem_snapshot", memory.snapshot())
        .field("mem_replication_backlog", 0)
        .field("mem_total_replication_buffers", 0)
        .field("mem_clients_slaves", 0)
        .field("mem_clients_normal", memory.clients())
        .field("mem_cluster_links", 0)
        .field("mem_aof_buffer", journal.memoryBytes())
        .field("mem_allocator", "libc")
        .field("active_defrag_running", 0);
  }

  private static void freeing(InfoText info, MemoryPool pool) {
    info.field("lazyfree_pending_objects", pool.pendingFrees())
        .field("lazyfreed_objects", pool.frees());
  }
}
