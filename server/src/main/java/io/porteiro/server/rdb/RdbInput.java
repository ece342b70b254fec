package io.porteiro.server.rdb;

import io.porteiro.server.memory.OffHeap;
import java.io.IOException;

/**
 * The bytes of an RDB encoding, read once from front to back: a window of off-heap memory that a
 * source fills again when it is used up (a file) or once for all (a DUMP payload).
 *
 * <p>How many bytes are left is always known, and every announced length is compared with it before
 * anything is allocated, so that a damaged length costs nothing.
 */
public abstract class RdbInput {
  /** A window that is filled again holds so many bytes, the last one fewer. */
  static final long WINDOW_BYTES = 1 << 20;

  /** The next byte of the window, and its end. */
  private long at;

  private long end;

  /** Offset in the source of the window's end. */
  private long endOffset;

  /** Bytes in the source, all in all. */
  private final long size;

  /**
   * @param size bytes in the source, all in all
   */
  RdbInput(long size) {
    this.size = size;
  }

  /**
   * Provides the next window with {@link #window}: {@link #WINDOW_BYTES}, or what is left. Called
   * only while bytes are left.
   */
  abstract void refill() throws IOException;

  /** Reads bytes that are behind the window to where they belong, past the window. */
  abstract void readPastWindow(long to, long length) throws IOException;

  final void window(long address, long length) {
    at = address;
    end = address + length;
    endOffset += length;
  }

  /** What of the window is read already ends here. */
  final long windowAt() {
    return at;
  }

  /** Offset of the next byte from the start of the file or payload. */
  public final long offset() {
    return endOffset - (end - at);
  }

  /** Bytes that are left. */
  public final long remaining() {
    return size - offset();
  }

  final RdbFormatException bad(String reason) {
    return new RdbFormatException(reason, offset());
  }

  /** Refuses unless so many bytes (unsigned) are left. */
  final void require(long length) throws IOException {
    if (length < 0 || length > remaining()) {
      throw bad(
          "unexpected end: "
              + Long.toUnsignedString(length)
              + " bytes are announced and "
              + remaining()
              + " are left");
    }
  }

  /** 0 to 255. */
  final int readByte() throws IOException {
    if (at == end) {
      require(1);
      refill();
    }
    return OffHeap.getByte(at++) & 0xff;
  }

  final int readInt() throws IOException {
    return (int) readLittleEndian(Integer.BYTES);
  }

  final long readLong() throws IOException {
    return readLittleEndian(Long.BYTES);
  }

  final double readDouble() throws IOException {
    return Double.longBitsToDouble(readLong());
  }

  /** An unsigned number of 1 to 8 bytes. */
  final long readLittleEndian(int bytes) throws IOException {
    long value = 0;
    for (int shift = 0; shift < 8 * bytes; shift += 8) {
      value |= (long) readByte() << shift;
    }
    return value;
  }

  final long readBigEndian(int bytes) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | readByte();
    }
    return value;
  }

  /** Copies the next bytes. */
  final void readFully(long to, long length) throws IOException {
    require(length);
    long inWindow = Math.min(length, end - at);
    copyFromWindow(to, inWindow);
    long left = length - inWindow;
    if (left >= WINDOW_BYTES) {
      readPastWindow(to + inWindow, left);
      endOffset += left;
    } else if (left > 0) {
      refill();
      copyFromWindow(to + inWindow, left);
    }
  }

  private void copyFromWindow(long to, long length) {
    OffHeap.copy(at, to, length);
    at += length;
  }

  final void skip(long length) throws IOException {
    require(length);
    long left = length;
    while (left > end - at) {
      left -= end - at;
      at = end;
      refill();
    }
    at += left;
  }
}
