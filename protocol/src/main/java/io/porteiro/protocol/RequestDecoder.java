package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of one connection into requests.
 *
 * <pre>
 *   *2\r\n      $4\r\n     ECHO\r\n   $5\r\n     hello\r\n         a multibulk request
 *   REQUEST     LENGTH     DATA       LENGTH     DATA
 *
 *   *3\r\n ...  $70000\r\n            hello...           \r\n      with a large argument
 *   REQUEST     LENGTH                LARGE              LARGE_END
 *
 *   ECHO "hello"\r\n                                               an inline request
 *   REQUEST
 * </pre>
 *
 * Whole requests are decoded where the transport has read them, without a copy. An unfinished one
 * is kept with all progress made, so that no byte is looked at twice.
 */
public final class RequestDecoder implements AutoCloseable {
  /** The longest inline request, and the longest line with a count or length, without its end. */
  static final int MAX_LINE_BYTES = 64 << 10;

  private static final int MAX_UNAUTHENTICATED_ARGUMENTS = 10;
  private static final int MAX_UNAUTHENTICATED_BYTES = 16 << 10;
  private static final int LINE_END_BYTES = 2;

  /** Pieces of an unfinished request that are kept as they are, instead of copied together. */
  private static final int MIN_PIECE_BYTES = 16 << 10;

  /** No address. */
  private static final long NO_LINE = 0;

  /** Stands for what is no number: more than any limit. */
  private static final long MANY = Long.MAX_VALUE;

  private enum State {
    /** Before the first byte of a request, or in its first line. */
    REQUEST,
    /** Before or in the line with an argument's length. */
    LENGTH,
    /** Before or in the bytes of an argument. */
    DATA,
    /** In the bytes of a large argument. */
    LARGE,
    /** Before the line end after a large argument. */
    LARGE_END,
    /** After the last argument of a request that is not used up yet. */
    COMPLETE,
    /** Nothing can be decoded any more. */
    FAILED
  }

  private final RequestLimits limits;
  private final BulkMemory.Source bulkMemory;
  private final Inbound in;
  private final UnfinishedRequest unfinished;

  private State state = State.REQUEST;
  private boolean authenticated = true;

  /** How many of the bytes after position are known not to hold the line's end. */
  private int searched;

  /** Arguments of the current request that are still to come. */
  private int remaining;

  /** Length of the argument that is being received. */
  private int length;

  /** Where the arguments of the current request are put, and the index of its first one. */
  private ArgumentTable arguments;

  private int firstArgument;

  /** Whether a complete request that was given out is to be given out again. */
  private boolean rewound;

  private @Nullable ProtocolError error;

  public RequestDecoder(
      RequestLimits limits, ByteBufAllocator allocator, BulkMemory.Source bulkMemory) {
    this.limits = limits;
    this.bulkMemory = bulkMemory;
    this.in = new Inbound(allocator);
    this.unfinished = new UnfinishedRequest(allocator);
    this.arguments = unfinished.arguments();
  }

  /** Without authentication requests are bounded closer, and decoded one at a time. */
  public void setAuthenticated(boolean authenticated) {
    this.authenticated = authenticated;
  }

  /** Takes (and later releases) what was read from the connection. */
  public void feed(ByteBuf read) {
    if (state == State.FAILED) {
      read.release();
    } else {
      unfinished.shift(in.feed(read));
    }
  }

  /**
   * Decodes the next requests into the batch, replacing what was in it. Call it until it returns
   * false: then all that was fed is used up or kept for later.
   *
   * @return whether the batch holds a request or an error
   */
  public boolean decode(RequestBatch batch) {
    releaseUsed();
    batch.begin();
    fill(batch);
    if (batch.size() == 0 && error == null) {
      keepRest();
    }
    boolean found = batch.size() > 0 || error != null;
    batch.end(error);
    error = null;
    return found;
  }

  private void releaseUsed() {
    if (state == State.COMPLETE && !rewound) {
      unfinished.release();
      in.mark = in.position;
      state = State.REQUEST;
    }
    rewound = false;
  }

  /** An unfinished request has a batch of its own, so that it is the only one. */
  private void fill(RequestBatch batch) {
    if (state == State.REQUEST) {
      fillFresh(batch);
    } else if (state == State.COMPLETE || advance(batch)) {
      batch.add(unfinished);
    }
  }

  private void fillFresh(RequestBatch batch) {
    while (!batch.isFull(authenticated) && advance(batch)) {
      if (isUnfinished()) {
        batch.add(unfinished);
        return;
      }
      batch.add(firstArgument, in.mark);
      state = State.REQUEST;
      if (authenticated) {
        addAlike(batch);
      }
    }
    if (state != State.REQUEST && state != State.FAILED) {
      becomeUnfinished();
    }
  }

  /**
   * Adds the requests that come next and differ from the last one only in their last argument, as
   * clients send them that ask for many items one by one: up to there one comparison replaces
   * decoding.
   */
  private void addAlike(RequestBatch batch) {
    int count = arguments.count() - firstArgument;
    long first = in.mark;
    if (count < 2 || NativeBytes.getByte(first) != '*') {
      return;
    }
    long alikeBytes = arguments.end(arguments.count() - 2) + LINE_END_BYTES - first;
    long at = in.position;
    while (!batch.isFull(true)
        && in.limit - at >= alikeBytes + Long.BYTES
        && NativeBytes.areEqual(first, at, alikeBytes)) {
      int head = Heads.parse(NativeBytes.getLong(at + alikeBytes), '$');
      long data = at + alikeBytes + Heads.lengthOf(head);
      int bytes = Heads.numberOf(head);
      if (head < 0 || in.limit - data < bytes + LINE_END_BYTES) {
        break;
      }
      arguments.repeat(firstArgument, count - 1, at - first);
      arguments.add(data, bytes);
      batch.addAlike(arguments.count() - count, at);
      at = data + bytes + LINE_END_BYTES;
    }
    in.position = at;
  }

  private boolean isUnfinished() {
    return arguments == unfinished.arguments();
  }

  /** The current request gets a table of its own. */
  private void becomeUnfinished() {
    if (!isUnfinished()) {
      arguments.moveTo(unfinished.arguments(), firstArgument);
      arguments = unfinished.arguments();
      firstArgument = 0;
    }
  }

  /** Goes on until a request is complete (true) or nothing more can be decoded now (false). */
  private boolean advance(RequestBatch batch) {
    while (step(batch)) {
      if (state == State.COMPLETE) {
        return true;
      }
    }
    return false;
  }

  private boolean step(RequestBatch batch) {
    return switch (state) {
      case REQUEST -> request(batch);
      case LENGTH -> length(batch);
      case DATA -> data();
      case LARGE -> large();
      case LARGE_END -> largeEnd();
      case COMPLETE, FAILED -> false;
    };
  }

  private boolean request(RequestBatch batch) {
    in.mark = in.position;
    if (in.position == in.limit || batch.inline().hasQuotes()) {
      return false; // the next line with quotes would overwrite the last one
    }
    return NativeBytes.getByte(in.position) == '*' ? multibulk(batch) : inline(batch);
  }

  private boolean multibulk(RequestBatch batch) {
    int head = shortHead('*');
    if (head >= 0) {
      passLine(in.position + Heads.lengthOf(head));
      return begin(batch, Heads.numberOf(head));
    }
    long end = lineEnd('\r', "too big mbulk count string");
    return end != NO_LINE && multibulk(batch, end);
  }

  private boolean multibulk(RequestBatch batch, long end) {
    long digits = in.position + 1;
    long count = Numbers.isLong(digits, end - digits) ? Numbers.toLong(digits, end - digits) : MANY;
    if (count > Integer.MAX_VALUE) {
      return fail("invalid multibulk length");
    }
    if (count > MAX_UNAUTHENTICATED_ARGUMENTS && !authenticated) {
      return fail("unauthenticated multibulk length");
    }
    passLine(end + LINE_END_BYTES);
    return begin(batch, (int) Math.max(count, 0));
  }

  private boolean begin(RequestBatch batch, int count) {
    if (count <= 0) {
      return true; // nothing to answer
    }
    remaining = count;
    arguments = batch.arguments();
    firstArgument = arguments.count();
    return shortArguments();
  }

  /** A short line such as $4, in one word; negative if it is none. */
  private int shortHead(char type) {
    return in.limit - in.position < Long.BYTES
        ? -1
        : Heads.parse(NativeBytes.getLong(in.position), type);
  }

  /** The hot loop: arguments up to the first that is long, incomplete or malformed. */
  private boolean shortArguments() {
    ArgumentTable table = arguments;
    long at = in.position;
    long limit = in.limit;
    int left = remaining;
    int headBefore = 0;
    while (left > 0 && limit - at >= Long.BYTES) {
      int head = Heads.parse(NativeBytes.getLong(at), '$');
      long data = at + Heads.lengthOf(head);
      int bytes = Heads.numberOf(head);
      if (head < 0 || limit - data < bytes + LINE_END_BYTES) {
        break;
      }
      table.add(data, bytes);
      at = data + bytes + LINE_END_BYTES;
      left--;
      if (head == headBefore) { // items of a batch: more of them may be equally long
        int more = equallyLong(table, head, at, limit, left);
        at += more * (long) (Heads.lengthOf(head) + bytes + LINE_END_BYTES);
        left -= more;
      }
      headBefore = head;
    }
    in.position = at;
    return afterArguments(left);
  }

  /**
   * Adds whole arguments as long as those before, up to the first that is not.
   *
   * @param most bounds their number
   * @return their number, also bounded by the room in the table
   */
  private static int equallyLong(ArgumentTable table, int head, long from, long limit, int most) {
    int headBytes = Heads.lengthOf(head);
    int bytes = Heads.numberOf(head);
    int step = headBytes + bytes + LINE_END_BYTES;
    long word = NativeBytes.getLong(from - step);
    long last = limit - Math.max(step, Long.BYTES);
    long at = from;
    int bound = Math.min(most, table.room());
    int added = 0;
    while (added < bound
        && at <= last
        && Heads.areEqual(NativeBytes.getLong(at), word, headBytes)) {
      table.put(added, at + headBytes, bytes);
      at += step;
      added++;
    }
    table.extend(added);
    return added;
  }

  private boolean afterArguments(int left) {
    remaining = left;
    state = left == 0 ? State.COMPLETE : State.LENGTH;
    return true;
  }

  private boolean length(RequestBatch batch) {
    long end = lineEnd('\r', "too big bulk count string");
    if (end == NO_LINE) {
      return false;
    }
    byte type = NativeBytes.getByte(in.position);
    if (type != '$') {
      return fail("expected '$', got '" + (char) (type & 0xff) + "'");
    }
    return length(batch, end);
  }

  private boolean length(RequestBatch batch, long end) {
    long digits = in.position + 1;
    long bytes = Numbers.isLong(digits, end - digits) ? Numbers.toLong(digits, end - digits) : MANY;
    if (bytes < 0 || bytes > Math.min(limits.protoMaxBulkLen(), Integer.MAX_VALUE)) {
      return fail("invalid bulk length");
    }
    if (bytes > MAX_UNAUTHENTICATED_BYTES && !authenticated) {
      return fail("unauthenticated bulk length");
    }
    if (bytes >= LargeArgument.MIN_BYTES && batch.size() > 0) {
      return putBack();
    }
    passLine(end + LINE_END_BYTES);
    length = (int) bytes;
    return length < LargeArgument.MIN_BYTES ? beginData() : beginLarge();
  }

  /** A request with a large argument has a batch of its own: this one ends before it. */
  private boolean putBack() {
    arguments.truncate(firstArgument);
    restart(in.mark);
    return false;
  }

  private boolean beginData() {
    state = State.DATA;
    return true;
  }

  private boolean data() {
    if (in.limit - in.position < length + LINE_END_BYTES) {
      return false;
    }
    arguments.add(in.position, length);
    in.position += length + LINE_END_BYTES;
    remaining--;
    return shortArguments();
  }

  private boolean beginLarge() {
    becomeUnfinished();
    if (!unfinished.isSettled()) {
      long from = in.mark;
      ByteBuf piece = in.split();
      unfinished.shift(NativeBytes.addressOf(piece) - from);
      unfinished.settle(piece);
    }
    unfinished.begin(new LargeArgument(bulkMemory, length));
    state = State.LARGE;
    return true;
  }

  private boolean large() {
    LargeArgument argument = unfinished.lastLarge();
    in.position += argument.receive(in.position, in.limit - in.position);
    in.mark = in.position;
    if (!argument.isComplete()) {
      return false;
    }
    state = State.LARGE_END;
    return true;
  }

  private boolean largeEnd() {
    if (in.limit - in.position < LINE_END_BYTES) {
      return false;
    }
    in.position += LINE_END_BYTES;
    in.mark = in.position;
    unfinished.endLarge();
    remaining--;
    return shortArguments();
  }

  private boolean inline(RequestBatch batch) {
    long end = lineEnd('\n', "too big inline request");
    return end != NO_LINE && inline(batch, end);
  }

  private boolean inline(RequestBatch batch, long end) {
    long from = in.position;
    long to = end > from && NativeBytes.getByte(end - 1) == '\r' ? end - 1 : end;
    arguments = batch.arguments();
    firstArgument = arguments.count();
    if (!batch.inline().split(from, to, arguments)) {
      arguments.truncate(firstArgument);
      return fail("unbalanced quotes in request");
    }
    passLine(end + 1);
    if (arguments.count() > firstArgument) {
      state = State.COMPLETE;
    }
    return true;
  }

  /** The address of the byte that ends the line at position, or {@link #NO_LINE}. */
  private long lineEnd(char terminator, String tooBig) {
    long end = NativeBytes.find((byte) terminator, in.position + searched, in.limit);
    long known = (end < 0 ? in.limit : end) - in.position;
    if (known > MAX_LINE_BYTES) {
      fail(tooBig);
      return NO_LINE;
    }
    searched = (int) known;
    boolean whole = end >= 0 && (terminator == '\n' || in.limit - end >= LINE_END_BYTES);
    return whole ? end : NO_LINE;
  }

  private void passLine(long next) {
    in.position = next;
    searched = 0;
  }

  private boolean fail(String text) {
    return fail(new ProtocolError(text, true));
  }

  private boolean fail(ProtocolError error) {
    this.error = error;
    state = State.FAILED;
    return false;
  }

  /** All that can be decoded is: keeps what is needed of the buffers, and bounds it. */
  private void keepRest() {
    if (state == State.FAILED) {
      in.release();
    } else if (isWellFilled()) {
      unfinished.settle(in.detach());
    } else {
      unfinished.shift(in.keepRest());
    }
    if (state != State.REQUEST && state != State.FAILED && isTooLarge()) {
      fail(ProtocolError.queryBufferLimit());
    }
  }

  /** Whether most of the inbound buffer is arguments of the current request. */
  private boolean isWellFilled() {
    return !unfinished.isSettled()
        && in.capacity() >= MIN_PIECE_BYTES
        && in.position - in.mark >= in.capacity() / 2;
  }

  private boolean isTooLarge() {
    return heldBytes() + unfinished.largeBytes() > limits.clientQueryBufferLimit()
        || unfinished.arguments().count() > ArgumentTable.MAX_ENTRIES / 2;
  }

  /**
   * Puts back the requests of the batch from this index on; they are decoded again later. The batch
   * must be the last one that was decoded.
   */
  public void rewind(RequestBatch batch, int requestIndex) {
    if (requestIndex >= batch.size()) {
      return;
    }
    if (state == State.COMPLETE) {
      rewound = true;
    } else {
      unfinished.release();
      restart(batch.get(requestIndex).start());
    }
  }

  private void restart(long start) {
    in.position = start;
    in.mark = start;
    searched = 0;
    state = State.REQUEST;
  }

  /**
   * Bytes of memory held for what is not yet decoded or not yet used, without the memory of large
   * arguments.
   */
  public long heldBytes() {
    return in.capacity() + unfinished.heldBytes();
  }

  /** Gives everything back. The requests of the last batch are invalid from then on. */
  @Override
  public void close() {
    in.release();
    unfinished.release();
    state = State.FAILED;
  }
}
