package io.porteiro.server.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Bytes at absolute addresses, little-endian whatever the machine.
 *
 * <p>Nothing here checks bounds: an address comes from a {@link Block} or from the inbound buffer,
 * and whoever holds it knows its length. Access through one constant segment of all memory compiles
 * to plain loads and stores.
 */
public final class OffHeap {
  /** All of memory, offset = address. Restricted, because with it any address can be touched. */
  @SuppressWarnings("restricted")
  public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private OffHeap() {}

  public static byte getByte(long address) {
    return MEMORY.get(ValueLayout.JAVA_BYTE, address);
  }

  public static void putByte(long address, byte value) {
    MEMORY.set(ValueLayout.JAVA_BYTE, address, value);
  }

  public static short getShort(long address) {
    return MEMORY.get(SHORT, address);
  }

  public static void putShort(long address, short value) {
    MEMORY.set(SHORT, address, value);
  }

  public static int getInt(long address) {
    return MEMORY.get(INT, address);
  }

  public static void putInt(long address, int value) {
    MEMORY.set(INT, address, value);
  }

  public static long getLong(long address) {
    return MEMORY.get(LONG, address);
  }

  public static void putLong(long address, long value) {
    MEMORY.set(LONG, address, value);
  }

  public static void copy(long from, long to, long length) {
    MemorySegment.copy(MEMORY, from, MEMORY, to, length);
  }

  public static void copyFrom(byte[] source, int offset, long to, int length) {
    MemorySegment.copy(source, offset, MEMORY, ValueLayout.JAVA_BYTE, to, length);
  }

  public static void copyTo(long from, byte[] target, int offset, int length) {
    MemorySegment.copy(MEMORY, ValueLayout.JAVA_BYTE, from, target, offset, length);
  }

  /** A copy on the heap, for what is small and seldom. */
  public static byte[] toArray(long address, int length) {
    byte[] bytes = new byte[length];
    copyTo(address, bytes, 0, length);
    return bytes;
  }

  public static void fill(long address, long length, byte value) {
    MEMORY.asSlice(address, length).fill(value);
  }

  /** Whether two ranges hold the same bytes. For short ones: a word at a time. */
  public static boolean areEqual(long left, long right, int length) {
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      if (getLong(left + i) != getLong(right + i)) {
        return false;
      }
    }
    while (i < length && getByte(left + i) == getByte(right + i)) {
      i++;
    }
    return i >= length;
  }
}
