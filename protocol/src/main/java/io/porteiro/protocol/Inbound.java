package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that were read and are still needed: the buffer that the transport read into as long as
 * that will do, else a copy of the rest.
 *
 * <pre>
 *   [ used up | of the current request | not yet decoded |  free  ]
 *             ^mark                    ^position         ^limit        (addresses)
 * </pre>
 */
final class Inbound {
  private static final int MIN_CAPACITY = 256;

  private final ByteBufAllocator allocator;
  private @Nullable ByteBuf buffer;
  private boolean own;
  private long base;

  /** The first byte that is still needed. */
  long mark;

  /** The first byte that is not decoded. */
  long position;

  /** The end of what was read. */
  long limit;

  Inbound(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Appends what was read, and releases it, now or later.
   *
   * @return how far the bytes between mark and limit have moved
   */
  long feed(ByteBuf in) {
    if (buffer == null && isAddressable(in)) {
      use(in, false);
      return 0;
    }
    try {
      return append(in);
    } finally {
      in.release();
    }
  }

  private static boolean isAddressable(ByteBuf in) {
    return in.isDirect() && (in.hasMemoryAddress() || in.isContiguous());
  }

  private void use(ByteBuf in, boolean own) {
    buffer = in;
    this.own = own;
    base = NativeBytes.addressOf(in);
    mark = base + in.readerIndex();
    position = mark;
    limit = base + in.writerIndex();
  }

  private long append(ByteBuf in) {
    int length = in.readableBytes();
    long moved = makeRoom(length);
    ByteBuf target = writable();
    target.setIndex(0, (int) (limit - base)).writeBytes(in);
    limit += length;
    return moved;
  }

  private ByteBuf writable() {
    if (buffer == null) {
      throw new IllegalStateException("no buffer");
    }
    return buffer;
  }

  private long makeRoom(int length) {
    boolean fits = own && writable().capacity() - (limit - base) >= length;
    return fits ? 0 : copyRest(limit - mark + length);
  }

  /** Bytes of the buffer, needed or not. */
  int capacity() {
    return buffer == null ? 0 : buffer.capacity();
  }

  /**
   * Nothing more can be decoded before more is read: keeps what is needed and gives back the rest
   * of the memory.
   *
   * @return how far the bytes between mark and limit have moved
   */
  long keepRest() {
    if (buffer == null) {
      return 0;
    }
    if (mark == limit) {
      release();
      return 0;
    }
    long rest = limit - mark;
    boolean wellFilled = rest >= capacity() / 4;
    return own && wellFilled ? 0 : copyRest(rest);
  }

  private long copyRest(long capacity) {
    if (capacity > Integer.MAX_VALUE) {
      throw new IllegalStateException("no buffer can have " + capacity + " bytes");
    }
    long rest = limit - mark;
    long decoded = position - mark;
    long from = mark;
    int rounded = (int) Math.max(MIN_CAPACITY, roundUp(capacity));
    ByteBuf copy = allocator.directBuffer(rounded, rounded);
    NativeBytes.copy(from, NativeBytes.addressOf(copy), rest);
    release();
    use(copy.writerIndex((int) rest), true);
    position = mark + decoded;
    return mark - from;
  }

  private static long roundUp(long capacity) {
    long power = Long.highestOneBit(capacity);
    return power == capacity ? power : Math.min(power * 2, Integer.MAX_VALUE);
  }

  /**
   * Gives away the buffer with all that lies before position, which stays where it is; goes on with
   * a copy of the rest.
   */
  ByteBuf detach() {
    ByteBuf full = writable().retain();
    mark = position;
    if (mark == limit) {
      release();
    } else {
      copyRest(limit - mark);
    }
    return full;
  }

  /** A compact copy of what lies between mark and position, which then is no longer needed here. */
  ByteBuf split() {
    int length = (int) (position - mark);
    ByteBuf copy = allocator.directBuffer(length, length);
    NativeBytes.copy(mark, NativeBytes.addressOf(copy), length);
    mark = position;
    return copy.writerIndex(length);
  }

  void release() {
    if (buffer != null) {
      buffer.release();
      buffer = null;
    }
    own = false;
    base = 0;
    mark = 0;
    position = 0;
    limit = 0;
  }
}
