package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Where arguments are, kept off-heap, because a request may have millions of them and the heap is
 * small. It grows with the arguments that came, whatever count was announced.
 *
 * <pre>
 *   byte  0        8         12       16
 *         | address | length | memory |      memory: 0, or 1 + index into the large arguments
 * </pre>
 */
final class ArgumentTable {
  static final int ENTRY_BYTES = 16;

  /** A table is one buffer of at most 1 GiB. */
  static final int MAX_ENTRIES = 1 << 26;

  private static final int LENGTH = 8;
  private static final int MEMORY = 12;
  private static final int MIN_ENTRIES = 32;

  private final ByteBufAllocator allocator;
  private @Nullable ByteBuf buffer;
  private long base;
  private long end;
  private long limit;

  ArgumentTable(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  int count() {
    return (int) ((end - base) / ENTRY_BYTES);
  }

  /** Bytes of memory that the table takes. */
  long heldBytes() {
    return limit - base;
  }

  /** Where entry {@code i} is, until the table grows or is cleared. */
  long entry(int i) {
    return base + (long) i * ENTRY_BYTES;
  }

  void add(long address, int length) {
    if (end == limit) {
      grow(count() + 1);
    }
    put(end, address, length);
    end += ENTRY_BYTES;
  }

  /**
   * Adds entries like those from {@code first} on, of arguments that are not large, whose bytes lie
   * further on by a distance.
   */
  void repeat(int first, int count, long distance) {
    ensure(count);
    long from = entry(first);
    for (int i = 0; i < count; i++) {
      NativeBytes.putLong(end, NativeBytes.getLong(from) + distance);
      NativeBytes.putLong(end + LENGTH, NativeBytes.getLong(from + LENGTH));
      from += ENTRY_BYTES;
      end += ENTRY_BYTES;
    }
  }

  /** Where the bytes of argument {@code i} end. */
  long end(int i) {
    return address(entry(i)) + length(entry(i));
  }

  /** Entries that can be added without growing. */
  int room() {
    return (int) ((limit - end) / ENTRY_BYTES);
  }

  /**
   * Writes an entry behind the last, within the {@link #room}, to be added with {@link #extend}.
   */
  void put(int index, long address, int length) {
    put(end + (long) index * ENTRY_BYTES, address, length);
  }

  /** Adds so many entries that were {@link #put} behind the last. */
  void extend(int entries) {
    end += (long) entries * ENTRY_BYTES;
  }

  static void put(long entry, long address, int length) {
    NativeBytes.putLong(entry, address);
    NativeBytes.putLong(entry + LENGTH, length);
  }

  /** Adds a large argument, which lives in memory {@code index} of its request. */
  void addLarge(long address, int length, int index) {
    add(address, length);
    NativeBytes.putLong(end - ENTRY_BYTES + LENGTH, length | (index + 1L) << Integer.SIZE);
  }

  static long address(long entry) {
    return NativeBytes.getLong(entry);
  }

  static int length(long entry) {
    return NativeBytes.getInt(entry + LENGTH);
  }

  /** The index of the memory in which a large argument lives, or -1. */
  static int memoryIndex(long entry) {
    return NativeBytes.getInt(entry + MEMORY) - 1;
  }

  /** Moves the entries from index {@code first} on to the end of another table. */
  void moveTo(ArgumentTable target, int first) {
    long bytes = end - entry(first);
    if (bytes > 0) {
      target.ensure(count() - first);
      NativeBytes.copy(entry(first), target.end, bytes);
      target.end += bytes;
      truncate(first);
    }
  }

  /** The bytes that entries from {@code first} on point to have moved. */
  void shift(int first, long distance) {
    for (long entry = entry(first); entry < end; entry += ENTRY_BYTES) {
      NativeBytes.putLong(entry, NativeBytes.getLong(entry) + distance);
    }
  }

  void truncate(int count) {
    end = entry(count);
  }

  private void ensure(int more) {
    if (limit - end < (long) more * ENTRY_BYTES) {
      grow(count() + more);
    }
  }

  private void grow(int entries) {
    int capacity = Math.max(MIN_ENTRIES, Integer.highestOneBit(entries) * 2) * ENTRY_BYTES;
    ByteBuf larger = allocator.directBuffer(capacity, capacity);
    long address = NativeBytes.addressOf(larger);
    long used = end - base;
    NativeBytes.copy(base, address, used);
    release();
    buffer = larger;
    base = address;
    end = address + used;
    limit = address + capacity;
  }

  /** Empties the table and gives its memory back. */
  void release() {
    if (buffer != null) {
      buffer.release();
      buffer = null;
    }
    base = 0;
    end = 0;
    limit = 0;
  }
}
