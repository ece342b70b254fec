package io.porteiro.server.http.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The Java machine, under the names that Prometheus's own library for Java uses. */
final class JvmMetrics implements MetricSource {
  private static final double MILLIS_PER_SECOND = 1000;

  @Override
  public void addTo(Families families) {
    memory(families);
    buffers(families);
    collections(families);
    families.gauge(
        "jvm_threads_current",
        "Threads that run.",
        ManagementFactory.getThreadMXBean().getThreadCount());
    families.info(
        "jvm_runtime",
        "The Java machine.",
        "version",
        Runtime.version().toString(),
        "vendor",
        System.getProperty("java.vm.vendor", "unknown"));
  }

  private static void memory(Families families) {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    Map<String, MemoryUsage> areas =
        Map.of("heap", memory.getHeapMemoryUsage(), "nonheap", memory.getNonHeapMemoryUsage());
    memory(families, "jvm_memory_used_bytes", "Used.", areas, MemoryUsage::getUsed);
    memory(families, "jvm_memory_committed_bytes", "Committed.", areas, MemoryUsage::getCommitted);
    memory(families, "jvm_memory_max_bytes", "Limit; -1 is none.", areas, MemoryUsage::getMax);
  }

  private static void memory(
      Families families,
      String name,
      String what,
      Map<String, MemoryUsage> areas,
      ToLongFunction<MemoryUsage> value) {
    families.gauge(
        name,
        "Memory that the Java machine manages; filters and strings are outside of it. " + what,
        areas.entrySet(),
        area -> Labels.of("area", area.getKey()),
        area -> value.applyAsLong(area.getValue()));
  }

  private static void buffers(Families families) {
    List<BufferPoolMXBean> pools = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class);
    families.gauge(
        "jvm_buffer_pool_used_bytes",
        "Memory of Java's buffers outside the heap.",
        pools,
        pool -> Labels.of("pool", pool.getName()),
        BufferPoolMXBean::getMemoryUsed);
  }

  private static void collections(Families families) {
    families.summary(
        "jvm_gc_collection_seconds",
        "Garbage collections, and how long they took.",
        ManagementFactory.getGarbageCollectorMXBeans(),
        collector -> Labels.of("gc", collector.getName()),
        GarbageCollectorMXBean::getCollectionCount,
        collector -> collector.getCollectionTime() / MILLIS_PER_SECOND);
  }
}
