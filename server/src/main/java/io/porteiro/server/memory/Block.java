package io.porteiro.server.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Off-heap bytes with a count of holders. Whoever allocated it is the first; the last to {@link
 * #release} frees it, on any thread.
 *
 * <p>The owner unlinks a block only under its shard's write lock, and readers use it only under the
 * lock, so that besides the owner only those who took a count of their own (a snapshot, the
 * populating thread) can hold it.
 */
public final class Block {
  /**
   * From here on blocks are maps of their own: lazily zeroed, given back to the kernel when freed.
   */
  public static final long MAPPED_FROM_BYTES = 1 << 20;

  private static final int SNAPSHOT = 1 << 30;

  private static final VarHandle HOLDERS;

  static {
    try {
      HOLDERS = MethodHandles.lookup().findVarHandle(Block.class, "holders", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final MemoryPool pool;
  private long address;
  private long size;

  /**
   * Their number; a snapshot, of which only one runs at a time, counts as one and sets {@link
   * #SNAPSHOT} besides, so that the moment is seen when nobody else holds the block any more.
   */
  private volatile int holders;

  private Block(MemoryPool pool, long address, long size, int holders) {
    this.pool = pool;
    this.address = address;
    this.size = size;
    this.holders = holders;
  }

  /** A block whose sole holder is who asked for it. */
  static Block of(MemoryPool pool, long address, long size) {
    return new Block(pool, address, size, 1);
  }

  /** A block that only the running snapshot holds. */
  static Block ofSnapshot(MemoryPool pool, long address, long size) {
    return new Block(pool, address, size, SNAPSHOT | 1);
  }

  public long address() {
    return address;
  }

  /** Usable bytes: what was asked for, which is also what is counted. */
  public long size() {
    return size;
  }

  boolean isMapped() {
    return size >= MAPPED_FROM_BYTES;
  }

  /**
   * Changes the size, keeping the bytes that fit; new bytes are zero. The address may change. Only
   * for the sole holder, under the lock that guards the block.
   *
   * @throws MemoryLimitException if the memory is not to be had; the block is as it was
   */
  public void resize(long newSize) {
    if (holders != 1) {
      throw new IllegalStateException("resize of a shared block");
    }
    address = pool.resize(this, newSize);
    size = newSize;
  }

  /**
   * Adds a holder. The caller must hold the block already, or the lock under which its owner holds
   * it.
   */
  public void retain() {
    if ((int) HOLDERS.getAndAdd(this, 1) <= 0) {
      throw new IllegalStateException("retain of a freed block");
    }
  }

  /** Takes one holder away; the last one frees the memory. */
  public void release() {
    int before = (int) HOLDERS.getAndAdd(this, -1);
    switch (before) {
      case 1 -> pool.free(this);
      case SNAPSHOT | 2 -> pool.countSnapshot(size);
      default -> requireHeld(before > 0 && before != (SNAPSHOT | 1));
    }
  }

  /**
   * Adds the running snapshot as a holder, once. Like {@link #retain}, but what nobody else holds
   * any more counts as memory of the snapshot.
   */
  public void holdForSnapshot() {
    int before = (int) HOLDERS.getAndAdd(this, SNAPSHOT + 1);
    requireHeld(before > 0 && before < SNAPSHOT);
  }

  /** Takes the snapshot away; if it is the last holder, the memory is freed. */
  public void releaseFromSnapshot() {
    int before = (int) HOLDERS.getAndAdd(this, -SNAPSHOT - 1);
    if (before == (SNAPSHOT | 1)) {
      pool.freeOfSnapshot(this);
    } else {
      requireHeld(before > SNAPSHOT);
    }
  }

  private static void requireHeld(boolean held) {
    if (!held) {
      throw new IllegalStateException("a block that is not held");
    }
  }

  /** Whether someone besides the caller holds the block. */
  public boolean isShared() {
    return (holders & ~SNAPSHOT) > 1;
  }
}
