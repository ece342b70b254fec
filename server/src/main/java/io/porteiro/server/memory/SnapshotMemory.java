package io.porteiro.server.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a running snapshot takes besides the data: for notes and copies of what changes meanwhile.
 *
 * <p>It comes in slabs of 1 MiB, of which a few are kept in reserve with their pages present, since
 * it is asked for by writers under a lock, and in cells of 4 KiB cut from slabs. It is counted in
 * the pool, but never refused to the one who writes: when all that the snapshot holds does not fit
 * any more, the snapshot is given up, and from then on nothing is handed out.
 *
 * <p>For any thread, except where said.
 */
public final class SnapshotMemory implements AutoCloseable {
  public static final long SLAB_BYTES = 1 << 20;
  public static final long CELL_BYTES = 1 << 12;

  private static final int RESERVE_SLABS = 4;

  /** What a snapshot may take in any case: one must be able to save when memory is full. */
  private static final long FREE_BYTES = 2 * RESERVE_SLABS * SLAB_BYTES;

  private static final long NONE = 0;

  private final MemoryPool pool;
  private final long machineBytes;
  private final Deque<Block> reserve = new ArrayDeque<>();
  private final List<Block> cellSlabs = new ArrayList<>();

  /** The cells given back, linked through their first word; 0 if there is none. */
  private long freeCell = NONE;

  /** The part of the newest of {@link #cellSlabs} that is not cut yet. */
  private long uncut;

  private long uncutEnd;
  private boolean closed;
  private volatile long excessBytes;

  /**
   * Memory for one snapshot.
   *
   * @param machineBytes what the machine or the container has; the pool's limit may be less
   */
  public SnapshotMemory(MemoryPool pool, long machineBytes) {
    this.pool = pool;
    this.machineBytes = machineBytes;
  }

  public MemoryPool pool() {
    return pool;
  }

  /** Fills the reserve up. For the snapshot's thread: making pages present takes milliseconds. */
  public void prepare() {
    while (needsReserve()) {
      Block slab = allocate(SLAB_BYTES);
      if (slab != null) {
        OffHeap.fill(slab.address(), SLAB_BYTES, (byte) 0);
        giveBack(slab);
      }
    }
  }

  private synchronized boolean needsReserve() {
    return !isGivenUp() && !closed && reserve.size() < RESERVE_SLABS;
  }

  /** A slab of undefined content; null if the snapshot is given up. */
  public synchronized @Nullable Block takeSlab() {
    if (!isUsable()) {
      return null;
    }
    Block slab = reserve.poll();
    return slab != null ? slab : allocate(SLAB_BYTES);
  }

  /** A block of undefined content; null if the snapshot is given up. */
  public @Nullable Block take(long size) {
    return size == SLAB_BYTES ? takeSlab() : takeOther(size);
  }

  private synchronized @Nullable Block takeOther(long size) {
    return isUsable() ? allocate(size) : null;
  }

  private boolean isUsable() {
    checkLimit();
    return !isGivenUp() && !closed;
  }

  private @Nullable Block allocate(long size) {
    try {
      return pool.allocateForSnapshot(size);
    } catch (MemoryLimitException _) {
      giveUp();
      return null;
    }
  }

  /** Takes back what {@link #take} or {@link #takeSlab} handed out. */
  public synchronized void giveBack(Block block) {
    if (block.size() == SLAB_BYTES && !closed && reserve.size() < RESERVE_SLABS) {
      reserve.add(block);
    } else {
      block.releaseFromSnapshot();
    }
  }

  /** The address of {@link #CELL_BYTES} of undefined content; 0 if the snapshot is given up. */
  public synchronized long takeCell() {
    long cell = freeCell;
    if (cell != NONE) {
      freeCell = OffHeap.getLong(cell);
      return cell;
    }
    return uncut < uncutEnd || cutSlab() ? cut() : NONE;
  }

  private boolean cutSlab() {
    Block slab = takeSlab();
    if (slab == null) {
      return false;
    }
    cellSlabs.add(slab);
    uncut = slab.address();
    uncutEnd = uncut + SLAB_BYTES;
    return true;
  }

  private long cut() {
    long cell = uncut;
    uncut += CELL_BYTES;
    return cell;
  }

  /** Takes back a cell. After {@link #close} there is nothing to give back any more. */
  public synchronized void giveBackCell(long cell) {
    if (!closed) {
      OffHeap.putLong(cell, freeCell);
      freeCell = cell;
    }
  }

  /** Gives the snapshot up if what it takes and the data together do not fit. */
  public void checkLimit() {
    long limit = Math.min(pool.limitBytes(), machineBytes);
    if (pool.snapshotBytes() > FREE_BYTES && pool.usedBytes() - FREE_BYTES > limit) {
      giveUp();
    }
  }

  private void giveUp() {
    if (excessBytes == 0) {
      excessBytes = Math.max(1, pool.snapshotBytes());
    }
  }

  /** Whether the snapshot took too much: what it notes from now on has gaps. */
  public boolean isGivenUp() {
    return excessBytes != 0;
  }

  /** What it took when it was given up, 0 if it was not. */
  public long excessBytes() {
    return excessBytes;
  }

  /** Gives all slabs and cells back, also those that were never given back here. */
  @Override
  public synchronized void close() {
    closed = true;
    reserve.forEach(Block::releaseFromSnapshot);
    reserve.clear();
    cellSlabs.forEach(Block::releaseFromSnapshot);
    cellSlabs.clear();
    freeCell = NONE;
    uncut = uncutEnd = NONE;
  }
}
