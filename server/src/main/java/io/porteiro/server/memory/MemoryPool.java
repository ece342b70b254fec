package io.porteiro.server.memory;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where all off-heap memory comes from, and where it is counted.
 *
 * <p>A block is counted in full from the moment it is asked for until it is freed, whether its
 * pages are touched or not, and is refused where the total would pass the limit: the check is a
 * compare-and-set on the total, before anything is allocated. Blocks of {@link
 * Block#MAPPED_FROM_BYTES} and more are maps of their own, unmapped on a background thread, because
 * unmapping a gigabyte takes tens of milliseconds.
 */
public final class MemoryPool implements AutoCloseable {
  /** Larger requests are programming errors or attacks; far below where sizes could overflow. */
  public static final long MAX_BLOCK_BYTES = 1L << 46;

  private static final long HUGE_PAGES_FROM_BYTES = 4L << 20;
  private static final long POPULATE_STEP_BYTES = 2L << 20;
  private static final long FREEING_WAIT_MS = 2_000;

  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicLong snapshotBytes = new AtomicLong();
  private final AtomicInteger freeing = new AtomicInteger();
  private final AtomicLong pendingFrees = new AtomicLong();
  private final AtomicLong frees = new AtomicLong();
  private final LinkedBlockingQueue<Runnable> background = new LinkedBlockingQueue<>();
  private final Thread backgroundThread;
  private volatile long limitBytes;
  private volatile boolean hugePages = true;
  private volatile boolean closed;

  /**
   * @param limitBytes most bytes that may be in use, at least 0
   */
  public MemoryPool(long limitBytes) {
    this.limitBytes = limitBytes;
    this.backgroundThread = Thread.ofPlatform().daemon().name("memory").start(this::runBackground);
  }

  /** Bytes in use: all blocks in full, and what was added with {@link #count}. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Bytes of them that nobody but a running snapshot holds, or that it asked for. */
  public long snapshotBytes() {
    return snapshotBytes.get();
  }

  /**
   * Bytes in use without those of a running snapshot: what is compared with the limit. Nobody is
   * refused memory for the snapshot's sake; where both together take too much, the snapshot ends.
   */
  public long lastingBytes() {
    return usedBytes.get() - snapshotBytes.get();
  }

  public long limitBytes() {
    return limitBytes;
  }

  /** Changes the limit. What is in use already stays, also where it is more. */
  public void setLimitBytes(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Whether blocks of 4 MB and more are advised for huge pages, from the next one on. */
  public void setHugePages(boolean hugePages) {
    this.hugePages = hugePages;
  }

  /**
   * Adds to the count what is kept elsewhere: heap cost of entries, connections' buffers. May be
   * negative.
   */
  public void count(long bytes) {
    usedBytes.addAndGet(bytes);
  }

  /**
   * Zeroed memory of {@code size} bytes, from 0 to {@link #MAX_BLOCK_BYTES}.
   *
   * @throws MemoryLimitException if it would pass the limit or the kernel refuses; nothing was
   *     taken
   */
  public Block allocate(long size) {
    requirePossible(size);
    reserve(size);
    return Block.of(this, take(size, size), size);
  }

  /**
   * As {@link #allocate}, for a block that takes the place of a shared one, which stays with who
   * shares it: only growth can be refused for the limit.
   */
  public Block allocateInPlaceOf(Block shared, long size) {
    requirePossible(size);
    reserve(Math.max(0, size - shared.size()));
    usedBytes.addAndGet(Math.min(size, shared.size()));
    return Block.of(this, take(size, size), size);
  }

  /**
   * A block of the running snapshot, beyond the limit too: whoever asks sees to it that the
   * snapshot ends where that is too much.
   *
   * @throws MemoryLimitException if the kernel refuses; nothing was taken
   */
  Block allocateForSnapshot(long size) {
    requirePossible(size);
    usedBytes.addAndGet(size);
    long address = take(size, size);
    countSnapshot(size);
    return Block.ofSnapshot(this, address, size);
  }

  /** Counts bytes in use as the running snapshot's, or, if negative, not any more. */
  public void countSnapshot(long bytes) {
    snapshotBytes.addAndGet(bytes);
  }

  /**
   * As {@link #allocate}, but beyond the limit too: for what connections hold, which is bounded by
   * limits of its own and must not keep a client from freeing memory.
   *
   * @throws MemoryLimitException if the kernel refuses; nothing was taken
   */
  public Block allocateUnlimited(long size) {
    requirePossible(size);
    usedBytes.addAndGet(size);
    return Block.of(this, take(size, size), size);
  }

  /** Zeroed memory for which so many bytes are reserved; they are given back if there is none. */
  private long take(long size, long reserved) {
    long address =
        size >= Block.MAPPED_FROM_BYTES ? map(size) : NativeMemory.calloc(Math.max(1, size));
    if (address == 0) {
      throw refused(size, reserved);
    }
    return address;
  }

  private MemoryLimitException refused(long size, long reserved) {
    usedBytes.addAndGet(-reserved);
    return new MemoryLimitException("the system has no " + size + " bytes left");
  }

  private long map(long size) {
    long address = NativeMemory.map(size);
    if (address != 0 && size >= HUGE_PAGES_FROM_BYTES) {
      NativeMemory.adviseHugePages(address, size, hugePages);
    }
    return address;
  }

  private static void requirePossible(long size) {
    if (size < 0 || size > MAX_BLOCK_BYTES) {
      throw new MemoryLimitException("no block can have " + size + " bytes");
    }
  }

  private void reserve(long size) {
    if (!tryReserve(size)) {
      awaitFreeing();
      if (!tryReserve(size)) {
        throw new MemoryLimitException(
            size + " bytes more than the " + usedBytes.get() + " in use would pass " + limitBytes);
      }
    }
  }

  private boolean tryReserve(long size) {
    long used;
    do {
      used = usedBytes.get();
      if (size > 0 && size > limitBytes - Math.max(0, used - snapshotBytes.get())) {
        return false;
      }
    } while (!usedBytes.compareAndSet(used, used + size));
    return true;
  }

  /** Waits, a bounded time, until what is queued for freeing is freed. */
  private void awaitFreeing() {
    long deadline = System.nanoTime() + FREEING_WAIT_MS * 1_000_000;
    while (freeing.get() > 0 && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }

  long resize(Block block, long newSize) {
    requirePossible(newSize);
    long oldSize = block.size();
    long growth = Math.max(0, newSize - oldSize);
    boolean mapped = newSize >= Block.MAPPED_FROM_BYTES;
    reserve(growth);
    if (mapped != block.isMapped()) {
      return move(block, newSize, growth);
    }
    long address =
        mapped
            ? NativeMemory.remap(block.address(), oldSize, newSize)
            : NativeMemory.realloc(block.address(), Math.max(1, newSize));
    if (address == 0) {
      throw refused(newSize, growth);
    }
    if (growth > 0) {
      clearGrowth(address, oldSize, newSize, mapped);
    } else {
      usedBytes.addAndGet(newSize - oldSize);
    }
    return address;
  }

  /**
   * New pages of a map are zero, but the rest of its last old page may hold what was cut off
   * before.
   */
  private static void clearGrowth(long address, long oldSize, long newSize, boolean mapped) {
    long end = mapped ? Math.min(newSize, (oldSize + 4095) & -4096L) : newSize;
    OffHeap.fill(address + oldSize, end - oldSize, (byte) 0);
  }

  /** Only the difference is counted: shrinking must never be refused. */
  private long move(Block block, long newSize, long growth) {
    long oldSize = block.size();
    long address = take(newSize, growth);
    OffHeap.copy(block.address(), address, Math.min(oldSize, newSize));
    free(block, oldSize - newSize + growth, 0);
    return address;
  }

  void free(Block block) {
    free(block, block.size(), 0);
  }

  void freeOfSnapshot(Block block) {
    free(block, block.size(), block.size());
  }

  private void free(Block block, long counted, long countedOfSnapshot) {
    long address = block.address();
    long size = block.size();
    if (block.isMapped()) {
      freeLater(
          1,
          () -> {
            NativeMemory.unmap(address, size);
            discount(counted, countedOfSnapshot);
          });
    } else {
      NativeMemory.free(address);
      discount(counted, countedOfSnapshot);
    }
  }

  private void discount(long counted, long countedOfSnapshot) {
    usedBytes.addAndGet(-counted);
    snapshotBytes.addAndGet(-countedOfSnapshot);
  }

  /**
   * Runs what frees memory on the background thread; allocations that would be refused wait for it.
   *
   * @param objects how many it frees, for the statistics
   */
  public void freeLater(long objects, Runnable task) {
    freeing.incrementAndGet();
    pendingFrees.addAndGet(objects);
    background.add(() -> {
      try {
        task.run();
      } finally {
        freeing.decrementAndGet();
        pendingFrees.addAndGet(-objects);
        frees.addAndGet(objects);
      }
    });
  }

  /** How many objects wait to be freed in the background. */
  public long pendingFrees() {
    return pendingFrees.get();
  }

  /** How many objects were freed in the background. */
  public long frees() {
    return frees.get();
  }

  /**
   * Makes the pages of a block present, in steps on the background thread, so that writers do not
   * wait for the kernel to clear them. Holds the block until done. The caller must hold it or its
   * lock. Only with huge pages, where a block is soon present as a whole anyway; with small ones it
   * grows with use.
   */
  public void populate(Block block) {
    if (!hugePages) {
      return;
    }
    block.retain();
    background.add(() -> populateStep(block, 0));
  }

  /** One step, then back into the queue: unmapping must not wait behind gigabytes of populating. */
  private void populateStep(Block block, long offset) {
    long length = Math.min(POPULATE_STEP_BYTES, block.size() - offset);
    boolean last = offset + length >= block.size() || closed;
    boolean alone = !block.isShared();
    if (last || alone || !NativeMemory.populate(block.address() + offset, length)) {
      block.release();
    } else {
      background.add(() -> populateStep(block, offset + length));
    }
  }

  /**
   * Gives memory that was freed, by anybody in the process, back to the kernel where the C library
   * has kept it. Threads that allocate meanwhile may wait until the pages of their arena are given
   * back.
   */
  public static void trim() {
    NativeMemory.trim();
  }

  private void runBackground() {
    NativeMemory.link();
    while (!closed) {
      try {
        background.take().run();
      } catch (InterruptedException e) {
        return; // closed
      } catch (RuntimeException e) {
        report(e);
      }
    }
  }

  /** One fault must not keep all memory after it from being freed. */
  private static void report(RuntimeException fault) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, fault);
  }

  /** Stops the background thread. Blocks still held stay valid; the process is about to end. */
  @Override
  public void close() {
    closed = true;
    backgroundThread.interrupt();
  }
}
