package io.porteiro.server.command;

import io.porteiro.protocol.BulkMemory;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import org.jspecify.annotations.Nullable;

/** A large argument in a counted block, which a command can make a value of without copying it. */
public final class ArgumentMemory implements BulkMemory {
  private final Block block;

  private ArgumentMemory(Block block) {
    this.block = block;
  }

  /** Takes the memory of large arguments from a pool. */
  public static BulkMemory.Source from(MemoryPool pool) {
    return capacity -> allocate(pool, capacity);
  }

  private static @Nullable BulkMemory allocate(MemoryPool pool, long capacity) {
    try {
      return new ArgumentMemory(pool.allocate(capacity));
    } catch (MemoryLimitException e) {
      return null; // the request is answered -OOM
    }
  }

  /** The block, for a command that took the argument and keeps it. */
  public Block block() {
    return block;
  }

  @Override
  public long address() {
    return block.address();
  }

  @Override
  public long capacity() {
    return block.size();
  }

  @Override
  public boolean grow(long capacity) {
    try {
      block.resize(capacity);
      return true;
    } catch (MemoryLimitException e) {
      return false; // the request is answered -OOM
    }
  }

  @Override
  public void release() {
    block.release();
  }
}
