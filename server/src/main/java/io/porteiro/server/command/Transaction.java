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

  private final List<Queued> queue = new ArrayList<>();
  private final EnumSet<CommandFlag> flags = EnumSet.noneOf(CommandFlag.class);
  private boolean failed;
  private long bytes;

  /**
   * Copies a request to the end of the queue.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room; the queue is as it
   *     was
   */
  void add(MemoryPool pool, CommandSpec spec, Request request) {
    Block memory = pool.allocate(request.byteCount());
    queue.add(new Queued(spec, request.copyTo(memory.address()), memory));
    flags.addAll(spec.flags());
    bytes += memory.size();
  }

  List<Queued> queue() {
    return queue;
  }

  /** Whether a queued command has the flag. */
  boolean holds(CommandFlag flag) {
    return flags.contains(flag);
  }

  /** How many commands are queued. */
  public int size() {
    return queue.size();
  }

  /** Bytes of the queued commands, for CLIENT LIST. */
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
    queue.clear();
  }
}
