package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** The commands queued since MULTI: copies, because the inbound buffer goes on. */
public final class Transaction {
  record Queued(CommandSpec spec, Request request, Block memory) {}

  /** Heap bytes of a queued command besides its arguments. */
  private static final long HEAP_BYTES = 160;

  private final MemoryPool pool;
  private final List<Queued> queue = new ArrayList<>();
  private final EnumSet<CommandFlag> held = EnumSet.noneOf(CommandFlag.class);
  private final EnumSet<CommandFlag> lacking = EnumSet.noneOf(CommandFlag.class);
  private boolean failed;
  private long bytes;

  /**
   * @param pool from which the queue takes its memory
   */
  public Transaction(MemoryPool pool) {
    this.pool = pool;
  }

  /**
   * Copies a request to the end of the queue.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if the kernel has no memory; the queue
   *     is as it was
   */
  void add(CommandSpec spec, Request request) {
    Block memory = pool.allocateUnlimited(request.byteCount());
    pool.count(HEAP_BYTES);
    queue.add(new Queued(spec, request.copyTo(memory.address()), memory));
    held.addAll(spec.flags());
    lacking.addAll(EnumSet.complementOf(EnumSet.copyOf(spec.flags())));
    bytes += memory.size() + HEAP_BYTES;
  }

  List<Queued> queue() {
    return queue;
  }

  /** Whether a queued command has the flag. */
  boolean holds(CommandFlag flag) {
    return held.contains(flag);
  }

  /** Whether a queued command does not have the flag. */
  boolean lacks(CommandFlag flag) {
    return lacking.contains(flag);
  }

  /** How many commands are queued. */
  public int size() {
    return queue.size();
  }

  /** Bytes that the queue takes, for CLIENT LIST and {@code client-query-buffer-limit}. */
  public long bytes() {
    return bytes;
  }

  /** Whether a command was refused at queueing: then EXEC executes nothing. */
  public boolean isFailed() {
    return failed;
  }

  public void setFailed() {
    failed = true;
  }

  /** Gives the memory of the queue back. */
  public void discard() {
    queue.forEach(queued -> queued.memory().release());
    pool.count(-HEAP_BYTES * queue.size());
    queue.clear();
    bytes = 0;
  }
}
