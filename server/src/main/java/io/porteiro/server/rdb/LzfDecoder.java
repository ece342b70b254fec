package io.porteiro.server.rdb;

import io.porteiro.server.memory.OffHeap;
import java.io.IOException;

/**
 * Unpacks LZF (Marc Lehmann's format) straight to where the bytes belong, reading the packed ones
 * as they come.
 *
 * <pre>
 *   000nnnnn                     n + 1 literal bytes follow
 *   nnnooooo oooooooo            copy n + 2 bytes (n = 1 to 6) from o + 1 bytes back
 *   111ooooo nnnnnnnn oooooooo   copy n + 9 bytes from o + 1 bytes back
 * </pre>
 */
final class LzfDecoder {
  /** A copy of 264 bytes takes three: nothing unpacks to more than 88 times its size. */
  private static final long MAX_RATIO = 88;

  private static final int LITERALS_BELOW = 32;
  private static final int LONG_COPY = 7;
  private static final int OVERLAP_FREE_BYTES = Long.BYTES;

  private final RdbInput in;
  private final long packedEnd;
  private final long start;
  private final long end;
  private long at;

  private LzfDecoder(RdbInput in, long packedLength, long to, long length) {
    this.in = in;
    this.packedEnd = in.offset() + packedLength;
    this.start = to;
    this.end = to + length;
    this.at = to;
  }

  /** Refuses lengths that cannot be true, before anything is allocated for them. */
  static void checkLengths(RdbInput in, long packedLength, long length) throws IOException {
    in.require(packedLength);
    if (length < 0 || length / MAX_RATIO > packedLength) {
      throw in.bad(
          packedLength
              + " packed bytes cannot hold "
              + Long.toUnsignedString(length)
              + " unpacked ones");
    }
  }

  /**
   * Unpacks {@code packedLength} bytes of the input to exactly {@code length} bytes.
   *
   * @throws RdbFormatException if they are another number, or refer to before the start
   */
  static void decode(RdbInput in, long packedLength, long to, long length) throws IOException {
    checkLengths(in, packedLength, length);
    new LzfDecoder(in, packedLength, to, length).run();
  }

  private void run() throws IOException {
    while (in.offset() < packedEnd) {
      int control = in.readByte();
      if (control < LITERALS_BELOW) {
        literals(control + 1);
      } else {
        copy(control);
      }
    }
    if (at != end || in.offset() != packedEnd) {
      throw in.bad("packed bytes have another length than announced");
    }
  }

  private void literals(int length) throws IOException {
    if (length > packedEnd - in.offset() || length > end - at) {
      throw in.bad("packed literals pass the end");
    }
    in.readFully(at, length);
    at += length;
  }

  private void copy(int control) throws IOException {
    int length = control >>> 5;
    if (length == LONG_COPY) {
      length += in.readByte();
    }
    length += 2;
    int distance = ((control & 31) << 8 | in.readByte()) + 1;
    if (distance > at - start || length > end - at) {
      throw in.bad("a packed reference passes the start or the end");
    }
    copyBack(distance, length);
  }

  private void copyBack(int distance, int length) {
    long last = at + length;
    if (distance >= OVERLAP_FREE_BYTES) {
      for (; last - at >= Long.BYTES; at += Long.BYTES) {
        OffHeap.putLong(at, OffHeap.getLong(at - distance));
      }
    }
    for (; at < last; at++) {
      OffHeap.putByte(at, OffHeap.getByte(at - distance));
    }
  }
}
