package io.porteiro.server.memory;

import io.porteiro.protocol.NativeBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Bytes at absolute addresses, of a {@link Block} or of the inbound buffer: what the protocol does
 * with them, and what only values need. It inherits instead of handing on, so that a load is one
 * call, and so that values and store see this package and nothing of the protocol.
 */
public final class OffHeap extends NativeBytes {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private OffHeap() {}

  public static short getShort(long address) {
    return MEMORY.get(SHORT, address);
  }

  public static void putShort(long address, short value) {
    MEMORY.set(SHORT, address, value);
  }

  public static void copyTo(long from, byte[] target, int offset, int length) {
    MemorySegment.copy(MEMORY, ValueLayout.JAVA_BYTE, from, target, offset, length);
  }

  public static void fill(long address, long length, byte value) {
    MEMORY.asSlice(address, length).fill(value);
  }
}
