package io.porteiro.server.rdb;

import io.porteiro.server.memory.OffHeap;
import java.util.Arrays;

/**
 * Packs with LZF; the format is drawn at {@link LzfDecoder}. Greedy: at each place only the last
 * place with the same three bytes (as far as the table knows) is tried. Not for several threads.
 */
final class LzfEncoder {
  private static final int HASH_BITS = 14;
  private static final int MAX_LITERALS = 32;
  private static final int MIN_COPY = 3;
  private static final int MAX_COPY = 264;
  private static final int MAX_SHORT_COPY = 8;
  private static final int MAX_DISTANCE = 1 << 13;

  /** What is longer than this is not packed: positions are ints. */
  private static final long MAX_BYTES = 1 << 30;

  /**
   * Last place of each hash, plus {@link #base}. A string starts with a base above all entries of
   * those before it, so that the table need not be cleared for each.
   */
  private final int[] places = new int[1 << HASH_BITS];

  private int base = 1;
  private long from;
  private int length;
  private long to;
  private int limit;
  private int written;

  /**
   * Packs {@code length} bytes into at most {@code limit} bytes.
   *
   * @return the number of packed bytes, or 0 if they would not fit
   */
  long encode(long from, long length, long to, long limit) {
    if (length > MAX_BYTES) {
      return 0;
    }
    start(from, (int) length, to, (int) Math.min(limit, MAX_BYTES));
    boolean fits = run();
    base += this.length;
    return fits ? written : 0;
  }

  private void start(long from, int length, long to, int limit) {
    this.from = from;
    this.length = length;
    this.to = to;
    this.limit = limit;
    this.written = 0;
    if (base > Integer.MAX_VALUE - length) {
      Arrays.fill(places, 0);
      base = 1;
    }
  }

  private boolean run() {
    int literalsFrom = 0;
    int at = 0;
    while (at <= length - MIN_COPY) {
      int place = lastPlace(at);
      int copied = place < 0 ? 0 : matchLength(place, at);
      if (copied < MIN_COPY) {
        at++;
      } else if (putLiterals(literalsFrom, at) && putCopy(at - place, copied)) {
        at = literalsFrom = at + copied;
      } else {
        return false;
      }
    }
    return putLiterals(literalsFrom, length);
  }

  /** The last place within reach with the same hash, or -1; from now on {@code at} is the last. */
  private int lastPlace(int at) {
    int three = threeBytes(at);
    int slot = (three * 0x9E3779B1) >>> (Integer.SIZE - HASH_BITS);
    int place = places[slot] - base;
    places[slot] = base + at;
    return place >= 0 && at - place <= MAX_DISTANCE ? place : -1;
  }

  private int threeBytes(int at) {
    return (OffHeap.getShort(from + at) & 0xffff) | (OffHeap.getByte(from + at + 2) & 0xff) << 16;
  }

  private int matchLength(int place, int at) {
    int most = Math.min(length - at, MAX_COPY);
    int same = 0;
    while (same < most
        && OffHeap.getByte(from + place + same) == OffHeap.getByte(from + at + same)) {
      same++;
    }
    return same;
  }

  private boolean putLiterals(int start, int end) {
    for (int at = start; at < end; at += MAX_LITERALS) {
      int run = Math.min(MAX_LITERALS, end - at);
      if (written + 1 + run > limit) {
        return false;
      }
      put(run - 1);
      OffHeap.copy(from + at, to + written, run);
      written += run;
    }
    return true;
  }

  private boolean putCopy(int distance, int copied) {
    if (written + 3 > limit) {
      return false;
    }
    int offset = distance - 1;
    if (copied <= MAX_SHORT_COPY) {
      put((copied - 2) << 5 | offset >>> 8);
    } else {
      put(7 << 5 | offset >>> 8);
      put(copied - 9);
    }
    put(offset);
    return true;
  }

  private void put(int b) {
    OffHeap.putByte(to + written++, (byte) b);
  }
}
