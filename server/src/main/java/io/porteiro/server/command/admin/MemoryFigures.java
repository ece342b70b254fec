package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.Session;
import io.porteiro.server.command.Transaction;
import io.porteiro.server.metrics.ProcessStats;

/**
 * Where the memory is, in bytes.
 *
 * @param used all that is counted: blocks in full, and what keys and connections cost
 * @param resident what the system gave, the Java machine included
 * @param overhead what is no value: keys, connections, and what a running snapshot takes
 * @param snapshot what that is
 */
record MemoryFigures(
    long used, long resident, long peak, long overhead, long clients, long snapshot) {
  static MemoryFigures of(CommandContext context) {
    long used = context.keyspace().pool().usedBytes();
    long snapshot = context.keyspace().pool().snapshotBytes();
    long clients =
        context.services().clients().all().stream().mapToLong(MemoryFigures::bytes).sum();
    return new MemoryFigures(
        used,
        ProcessStats.residentBytes(),
        context.services().metrics().peakBytes(used),
        context.keyspace().heapBytes() + clients + snapshot,
        clients,
        snapshot);
  }

  private static long bytes(Session session) {
    Transaction transaction = session.transaction();
    long queued = transaction == null ? 0 : transaction.bytes();
    return session.peer().memoryBytes() + queued;
  }

  /** What values take. */
  long dataset() {
    return Math.max(0, used - overhead);
  }

  /** Resident bytes for each byte used. */
  double fragmentation() {
    return used == 0 ? 0 : (double) resident / used;
  }
}
