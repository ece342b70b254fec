package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Bytes at absolute addresses, little-endian whatever the machine.
 *
 * <p>Nothing here checks bounds: whoever passes an address holds the buffer or block it lies in,
 * and knows its length. Access through one constant segment of all memory compiles to plain loads
 * and stores.
 */
public class NativeBytes {
  /** All of memory, offset = address. Restricted, because with it any address can be touched. */
  @SuppressWarnings("restricted")
  public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** For the class that adds to this one: it has static methods only. */
  protected NativeBytes() {}

  /** Where index 0 of a direct buffer is, with or without Unsafe. */
  static long addressOf(ByteBuf direct) {
    return direct.hasMemoryAddress()
        ? direct.memoryAddress()
        : MemorySegment.ofBuffer(direct.nioBuffer(0, direct.capacity())).address();
  }

  public static byte getByte(long address) {
    return MEMORY.get(ValueLayout.JAVA_BYTE, address);
  }

  public static void putByte(long address, byte value) {
    MEMORY.set(ValueLayout.JAVA_BYTE, address, value);
  }

  public static int getInt(long address) {
    return MEMORY.get(INT, address);
  }

  public static void putInt(long address, int value) {
    MEMORY.set(INT, address, value);
  }

  /** Eight bytes, the first in the lowest bits. */
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

  /** A copy on the heap, for what is small and seldom. */
  public static byte[] toArray(long address, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(MEMORY, ValueLayout.JAVA_BYTE, address, bytes, 0, length);
    return bytes;
  }

  /** Whether two ranges hold the same bytes. */
  public static boolean areEqual(long left, long leftLength, long right, long rightLength) {
    return leftLength == rightLength && areEqual(left, right, leftLength);
  }

  /**
   * Whether so many bytes are the same: a word at a time, the last of which overlaps the one
   * before. For short ranges.
   */
  static boolean areEqual(long left, long right, long length) {
    if (length < Long.BYTES) {
      return areEqualBytes(left, right, length);
    }
    long last = length - Long.BYTES;
    for (long i = 0; i < last; i += Long.BYTES) {
      if (getLong(left + i) != getLong(right + i)) {
        return false;
      }
    }
    return getLong(left + last) == getLong(right + last);
  }

  private static boolean areEqualBytes(long left, long right, long length) {
    long i = 0;
    while (i < length && getByte(left + i) == getByte(right + i)) {
      i++;
    }
    return i >= length;
  }

  /** Whether a range holds the bytes of an array: a word at a time. */
  public static boolean areEqual(long left, int leftLength, byte[] right) {
    if (leftLength != right.length) {
      return false;
    }
    int i = 0;
    for (; i <= leftLength - Long.BYTES; i += Long.BYTES) {
      if (getLong(left + i) != (long) WORDS.get(right, i)) {
        return false;
      }
    }
    while (i < leftLength && getByte(left + i) == right[i]) {
      i++;
    }
    return i >= leftLength;
  }

  /** The address of the first such byte in {@code [from, to)}, or -1. */
  static long find(byte wanted, long from, long to) {
    for (long at = from; at < to; at++) {
      if (getByte(at) == wanted) {
        return at;
      }
    }
    return -1;
  }
}
