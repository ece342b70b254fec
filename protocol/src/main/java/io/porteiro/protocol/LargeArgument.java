package io.porteiro.protocol;

import org.jspecify.annotations.Nullable;

/**
 * An argument that is received into memory of its own. The memory grows with what has come, never
 * with what is announced. Where more is refused, the rest is dropped as it comes.
 */
final class LargeArgument {
  /** Arguments from this length on are large. */
  static final int MIN_BYTES = 64 << 10;

  private static final long DOUBLED_UP_TO_BYTES = 1 << 20;

  private final BulkMemory.Source source;
  private final int length;
  private int received;
  private @Nullable BulkMemory memory;
  private boolean refused;

  LargeArgument(BulkMemory.Source source, int length) {
    this.source = source;
    this.length = length;
  }

  int length() {
    return length;
  }

  boolean isComplete() {
    return received == length;
  }

  boolean isRefused() {
    return refused;
  }

  /** Null before the first byte, after the memory was refused, and after {@link #take}. */
  @Nullable BulkMemory memory() {
    return memory;
  }

  /** Bytes of memory held. */
  long heldBytes() {
    return memory == null ? 0 : memory.capacity();
  }

  /**
   * Takes what has come.
   *
   * @return how many of the available bytes belong to this argument
   */
  int receive(long address, long available) {
    int taken = (int) Math.min(available, length - received);
    BulkMemory target = refused ? null : withRoom(received + (long) taken);
    if (target != null) {
      NativeBytes.copy(address, target.address() + received, taken);
    } else {
      refuse();
    }
    received += taken;
    return taken;
  }

  private @Nullable BulkMemory withRoom(long needed) {
    BulkMemory current = memory;
    if (current == null) {
      memory = source.allocate(capacityFor(needed, 0));
    } else if (current.capacity() < needed
        && !current.grow(capacityFor(needed, current.capacity()))) {
      return null;
    }
    return memory;
  }

  /** Grows by half or so at a time, but not past what was announced. */
  private long capacityFor(long needed, long capacity) {
    long growth = capacity < DOUBLED_UP_TO_BYTES ? capacity : capacity / 4;
    return Math.min(length, Math.max(Math.max(needed, MIN_BYTES), capacity + growth));
  }

  private void refuse() {
    refused = true;
    release();
  }

  /** Hands the memory to the caller. */
  BulkMemory take() {
    BulkMemory taken = memory;
    if (taken == null) {
      throw new IllegalStateException("the argument has no memory, or was taken before");
    }
    memory = null;
    return taken;
  }

  void release() {
    if (memory != null) {
      memory.release();
      memory = null;
    }
  }
}
