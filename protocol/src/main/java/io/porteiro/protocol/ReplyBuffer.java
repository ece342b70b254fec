package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes on their way out, in pooled direct pieces: a small first one, each further one twice as
 * large up to {@link #MAX_PIECE_BYTES}.
 *
 * <pre>
 *   finished pieces          current piece
 *   [......][..][.....]      [sealed |written    |free      ]
 *                                    ^begin      ^position  ^limit     (addresses)
 * </pre>
 *
 * A piece is sealed up to some point where a place for a later head is left open (see {@link
 * #defer}), or where {@link LastingBytes} come between.
 */
final class ReplyBuffer {
  /** Each {@link #room} is at most so long. */
  static final int MAX_ROOM_BYTES = 512;

  private static final int MIN_PIECE_BYTES = 512;
  private static final int MAX_FIRST_PIECE_BYTES = 64 << 10;
  private static final int MAX_PIECE_BYTES = 1 << 20;
  private static final int PLACE_BYTES = 32;
  private static final int NO_PLACE = -1;

  private final ByteBufAllocator allocator;

  /** Bytes that come before the finished piece of this index, of which so many are drained. */
  private record Inserted(int index, LastingBytes bytes, long drained) {}

  private final List<ByteBuf> finished = new ArrayList<>();
  private final List<Inserted> inserted = new ArrayList<>(0);
  private long insertedBytes;
  private long finishedBytes;
  private @Nullable ByteBuf piece;
  private long base;
  private long begin;
  private long position;
  private long limit;
  private int nextPieceBytes = MIN_PIECE_BYTES;
  private boolean discarding;

  ReplyBuffer(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * An address at which at least so many bytes can be written, to be followed by {@link #advance}.
   */
  long room(int bytes) {
    if (limit - position < bytes) {
      nextPiece(bytes);
    }
    return position;
  }

  void advance(int bytes) {
    position += bytes;
  }

  /** Up to eight bytes given as a word, the first in its lowest bits. */
  void word(long word, int length) {
    NativeBytes.putLong(room(Long.BYTES), word);
    position += length;
  }

  /** Copies bytes from memory, over as many pieces as it takes. */
  void copy(long address, long length) {
    long done = 0;
    while (done < length) {
      int step = stepOf(length - done);
      NativeBytes.copy(address + done, position, step);
      position += step;
      done += step;
    }
  }

  void copy(byte[] bytes) {
    int done = 0;
    while (done < bytes.length) {
      int step = stepOf(bytes.length - done);
      NativeBytes.copyFrom(bytes, done, position, step);
      position += step;
      done += step;
    }
  }

  /** How much of the rest fits the current piece, after making sure that there is one. */
  private int stepOf(long rest) {
    if (position == limit) {
      nextPiece((int) Math.min(rest, MAX_PIECE_BYTES));
    }
    return (int) Math.min(rest, limit - position);
  }

  private void nextPiece(int bytes) {
    if (discarding && piece != null) {
      position = begin;
      return;
    }
    finish();
    int capacity = Math.clamp(Integer.highestOneBit(bytes) * 2L, nextPieceBytes, MAX_PIECE_BYTES);
    use(allocator.directBuffer(capacity, capacity));
    nextPieceBytes = Math.min(capacity * 2, MAX_PIECE_BYTES);
  }

  private void use(ByteBuf fresh) {
    piece = fresh;
    base = NativeBytes.addressOf(fresh);
    begin = base;
    position = base;
    limit = base + fresh.capacity();
  }

  /** Moves the current piece to the finished ones. */
  private void finish() {
    if (piece == null) {
      return;
    }
    if (position == begin || discarding) {
      piece.release();
    } else {
      piece.setIndex((int) (begin - base), (int) (position - base));
      addFinished(piece);
    }
    piece = null;
    begin = 0;
    position = 0;
    limit = 0;
  }

  private void addFinished(ByteBuf bytes) {
    finished.add(bytes);
    finishedBytes += bytes.readableBytes();
  }

  /** Appends bytes that stay where they are; they are this object's from here on. */
  void append(LastingBytes bytes) {
    if (discarding) {
      bytes.release();
      return;
    }
    seal();
    inserted.add(new Inserted(finished.size(), bytes, 0));
    insertedBytes += bytes.length();
    finishedBytes += bytes.length();
  }

  /** What was written to the current piece so far becomes a finished one. */
  private void seal() {
    if (position > begin) {
      addFinished(current().retainedSlice((int) (begin - base), (int) (position - begin)));
      begin = position;
    }
  }

  /** Leaves a place open, for a head that is written later. */
  int defer() {
    if (discarding) {
      return NO_PLACE;
    }
    room(PLACE_BYTES);
    ByteBuf current = current();
    seal();
    finished.add(current.retainedSlice((int) (position - base), PLACE_BYTES).setIndex(0, 0));
    position += PLACE_BYTES;
    begin = position;
    return finished.size() - 1;
  }

  private ByteBuf current() {
    if (piece == null) {
      throw new IllegalStateException("no piece");
    }
    return piece;
  }

  /** Fills a place with a type byte, a number and the line's end. */
  void fill(int place, byte type, long number) {
    if (place == NO_PLACE) {
      return;
    }
    ByteBuf head = finished.get(place);
    int length = Heads.put(NativeBytes.addressOf(head), type, number);
    head.writerIndex(length);
    finishedBytes += length;
  }

  /** Of the pending bytes those that lie elsewhere. */
  long insertedBytes() {
    return insertedBytes;
  }

  long pendingBytes() {
    return discarding ? finishedBytes : finishedBytes + (position - begin);
  }

  void truncate(long bytes) {
    if (discarding) {
      return;
    }
    if (bytes >= finishedBytes) {
      position = begin + (bytes - finishedBytes);
      return;
    }
    position = begin;
    while (finishedBytes > bytes) {
      truncateLast(finishedBytes - bytes);
    }
  }

  private void truncateLast(long tooMany) {
    if (!inserted.isEmpty() && inserted.getLast().index == finished.size()) {
      drop(inserted.removeLast());
      return;
    }
    ByteBuf last = finished.getLast();
    int drop = (int) Math.min(tooMany, last.readableBytes());
    finishedBytes -= drop;
    if (drop == last.readableBytes()) {
      finished.removeLast().release();
    } else {
      last.writerIndex(last.writerIndex() - drop);
    }
  }

  private void drop(Inserted whole) {
    long rest = whole.bytes.length() - whole.drained;
    insertedBytes -= rest;
    finishedBytes -= rest;
    whole.bytes.release();
  }

  /** While true, a piece that is never handed out takes what is written, over and over. */
  void setDiscarding(boolean discarding) {
    if (discarding == this.discarding) {
      return;
    }
    finish();
    this.discarding = discarding;
  }

  boolean isDiscarding() {
    return discarding;
  }

  /**
   * Hands over everything, or where lasting bytes are among it, about so much; true: that is all.
   */
  boolean drain(Consumer<ByteBuf> receiver, long maxBytes) {
    if (!discarding) {
      finish();
    }
    nextPieceBytes = firstPieceBytes();
    if (!inserted.isEmpty() && !drainUpTo(receiver, maxBytes)) {
      return false;
    }
    for (ByteBuf bytes : finished) {
      receiver.accept(bytes);
    }
    finished.clear();
    finishedBytes = 0;
    return true;
  }

  /** Goes on until there are no lasting bytes any more, or so much was handed over. */
  private boolean drainUpTo(Consumer<ByteBuf> receiver, long maxBytes) {
    int next = 0;
    long left = maxBytes;
    while (left > 0 && !inserted.isEmpty()) {
      ByteBuf bytes = inserted.getFirst().index == next ? nextOfInserted() : finished.get(next++);
      left -= bytes.readableBytes();
      finishedBytes -= bytes.readableBytes();
      receiver.accept(bytes);
    }
    forgetFirst(next);
    return inserted.isEmpty();
  }

  /** A copy of the next part of the first lasting bytes. */
  private ByteBuf nextOfInserted() {
    Inserted first = inserted.getFirst();
    int step = (int) Math.min(first.bytes.length() - first.drained, MAX_PIECE_BYTES);
    ByteBuf copy = allocator.directBuffer(step, step);
    NativeBytes.copy(first.bytes.address() + first.drained, NativeBytes.addressOf(copy), step);
    insertedBytes -= step;
    if (first.drained + step == first.bytes.length()) {
      inserted.removeFirst();
      first.bytes.release();
    } else {
      inserted.set(0, new Inserted(first.index, first.bytes, first.drained + step));
    }
    return copy.writerIndex(step);
  }

  private void forgetFirst(int pieces) {
    finished.subList(0, pieces).clear();
    inserted.replaceAll(one -> new Inserted(one.index - pieces, one.bytes, one.drained));
  }

  /** The next batch of replies will be about as long as this one. */
  private int firstPieceBytes() {
    long fitting = Math.min(finishedBytes, MAX_FIRST_PIECE_BYTES - 1);
    return Math.max(MIN_PIECE_BYTES, (int) Long.highestOneBit(fitting) * 2);
  }

  void close() {
    finish();
    finished.forEach(ByteBuf::release);
    finished.clear();
    inserted.forEach(one -> one.bytes.release());
    inserted.clear();
    insertedBytes = 0;
    finishedBytes = 0;
  }
}
