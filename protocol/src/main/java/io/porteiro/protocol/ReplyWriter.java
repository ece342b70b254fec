package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.function.Consumer;

/**
 * Writes replies. The only place that knows the difference between RESP2 and RESP3.
 *
 * <p>Texts given as String are written one byte a char (ISO 8859-1), so that bytes decoded the same
 * way come out unchanged.
 */
public final class ReplyWriter implements AutoCloseable {
  private static final Constant OK = Constant.of("+OK\r\n");
  private static final Constant PONG = Constant.of("+PONG\r\n");
  private static final Constant NULL_BULK = Constant.of("$-1\r\n");
  private static final Constant NULL_ARRAY = Constant.of("*-1\r\n");
  private static final Constant NULL = Constant.of("_\r\n");
  private static final Constant TRUE = Constant.of("#t\r\n");
  private static final Constant FALSE = Constant.of("#f\r\n");
  private static final Constant CR_LF = Constant.of("\r\n");

  private final ReplyBuffer buffer;
  private Consumer<String> errorListener = error -> {};
  private int protocol = 2;

  public ReplyWriter(ByteBufAllocator allocator) {
    this.buffer = new ReplyBuffer(allocator);
  }

  /** A writer for nobody: everything is dropped, but the error listener is told. */
  public static ReplyWriter discarding() {
    ReplyWriter writer = new ReplyWriter(UnpooledByteBufAllocator.DEFAULT);
    writer.setDiscarding(true);
    return writer;
  }

  /** 2 or 3. */
  public int protocol() {
    return protocol;
  }

  public void setProtocol(int protocol) {
    if (protocol != 2 && protocol != 3) {
      throw new IllegalArgumentException("RESP" + protocol);
    }
    this.protocol = protocol;
  }

  /** Who is told the text of each error that is written. */
  public void setErrorListener(Consumer<String> listener) {
    errorListener = listener;
  }

  private boolean isResp3() {
    return protocol == 3;
  }

  public void ok() {
    constant(OK);
  }

  public void pong() {
    constant(PONG);
  }

  /** A text without line ends, such as {@code QUEUED}. */
  public void simpleString(String text) {
    line('+', text);
  }

  /**
   * An error; the text begins with its code, without '-'. CR and LF at its ends are dropped, others
   * become blanks.
   */
  public void error(String text) {
    errorListener.accept(text);
    line('-', oneLine(text));
  }

  private static String oneLine(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isLineEnd(text.charAt(from))) {
      from++;
    }
    while (from < to && isLineEnd(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to).replace('\r', ' ').replace('\n', ' ');
  }

  private static boolean isLineEnd(char c) {
    return c == '\r' || c == '\n';
  }

  public void integer(long value) {
    head(':', value);
  }

  public void bulk(byte[] bytes) {
    head('$', bytes.length);
    buffer.copy(bytes);
    constant(CR_LF);
  }

  /** A bulk string, one byte a char. */
  public void bulk(String text) {
    head('$', text.length());
    text(text);
    constant(CR_LF);
  }

  /** A bulk string, copied from memory before this returns. */
  public void bulk(long address, long length) {
    head('$', length);
    buffer.copy(address, length);
    constant(CR_LF);
  }

  /** A bulk string that is copied only when it is sent, piece by piece. */
  public void bulk(LastingBytes bytes) {
    head('$', bytes.length());
    buffer.append(bytes);
    constant(CR_LF);
  }

  public void nullBulk() {
    constant(isResp3() ? NULL : NULL_BULK);
  }

  public void nullArray() {
    constant(isResp3() ? NULL : NULL_ARRAY);
  }

  /** The head of an array; its elements follow. */
  public void array(long elements) {
    head('*', elements);
  }

  /** The head of a map; keys and values follow alternately. RESP2: an array of twice as many. */
  public void map(long entries) {
    if (isResp3()) {
      head('%', entries);
    } else {
      head('*', 2 * entries);
    }
  }

  /** The head of a set. RESP2: an array. */
  public void set(long elements) {
    head(isResp3() ? '~' : '*', elements);
  }

  /** The head of a push. RESP2: an array. */
  public void push(long elements) {
    head(isResp3() ? '>' : '*', elements);
  }

  /** The head of an attribute, whose entries and then a reply follow. Only in RESP3. */
  public void attribute(long entries) {
    if (!isResp3()) {
      throw new IllegalStateException("RESP2 has no attributes");
    }
    head('|', entries);
  }

  /** RESP2: the integers 1 and 0. */
  public void bool(boolean value) {
    if (isResp3()) {
      constant(value ? TRUE : FALSE);
    } else {
      head(':', value ? 1 : 0);
    }
  }

  /**
   * Several of them at once.
   *
   * @param values bit i is the i-th
   * @param count at most 64
   */
  public void bools(long values, int count) {
    if (isResp3()) {
      for (int i = 0; i < count; i++) {
        bool((values >>> i & 1) == 1);
      }
    } else {
      bits(values, count);
    }
  }

  /**
   * Several integers, each 0 or 1.
   *
   * @param values bit i is the i-th
   * @param count at most 64
   */
  public void bits(long values, int count) {
    buffer.advance(Heads.putBits(buffer.room(count * Heads.DIGIT_BYTES), values, count));
  }

  /** RESP2: a bulk string. */
  public void doubleValue(double value) {
    lineOrBulk(',', Doubles.format(value));
  }

  /** RESP2: a bulk string. */
  public void bigNumber(String digits) {
    lineOrBulk('(', digits);
  }

  private void lineOrBulk(char resp3Type, String text) {
    if (isResp3()) {
      line(resp3Type, text);
    } else {
      bulk(text);
    }
  }

  /**
   * A text with a format of three letters, such as {@code txt}. RESP2: a bulk string of the text.
   */
  public void verbatim(String format, String text) {
    verbatimHead(format, text.length());
    text(text);
    constant(CR_LF);
  }

  /** The same with the text's bytes. */
  public void verbatim(String format, byte[] text) {
    verbatimHead(format, text.length);
    buffer.copy(text);
    constant(CR_LF);
  }

  private void verbatimHead(String format, int length) {
    if (format.length() != 3) {
      throw new IllegalArgumentException("a format has three letters: " + format);
    }
    if (isResp3()) {
      head('=', length + 4L);
      text(format);
      text(":");
    } else {
      head('$', length);
    }
  }

  /** RESP2: an error. */
  public void bulkError(String text) {
    if (isResp3()) {
      errorListener.accept(text);
      head('!', text.length());
      text(text);
      constant(CR_LF);
    } else {
      error(text);
    }
  }

  /**
   * Leaves a place for the head of an aggregate whose size is not known yet.
   *
   * @return the place, for {@link #deferredArray} and its like
   */
  public int defer() {
    return buffer.defer();
  }

  /** Fills a place that {@link #defer} left, once. Before {@link #drain}. */
  public void deferredArray(int place, long elements) {
    fill(place, '*', elements);
  }

  /** The same for a map. */
  public void deferredMap(int place, long entries) {
    if (isResp3()) {
      fill(place, '%', entries);
    } else {
      fill(place, '*', 2 * entries);
    }
  }

  /** The same for a set. */
  public void deferredSet(int place, long elements) {
    fill(place, isResp3() ? '~' : '*', elements);
  }

  private void fill(int place, char type, long number) {
    buffer.fill(place, (byte) type, number);
  }

  private void constant(Constant constant) {
    buffer.word(constant.word(), constant.length());
  }

  private void head(char type, long number) {
    if (number >= 0 && number < 10) {
      buffer.word(Heads.word((byte) type, number), Heads.DIGIT_BYTES);
    } else {
      long room = buffer.room(Heads.MAX_BYTES);
      buffer.advance(Heads.put(room, (byte) type, number));
    }
  }

  private void line(char type, String text) {
    NativeBytes.putByte(buffer.room(1), (byte) type);
    buffer.advance(1);
    text(text);
    constant(CR_LF);
  }

  private void text(String text) {
    int length = text.length();
    for (int from = 0; from < length; from += ReplyBuffer.MAX_ROOM_BYTES) {
      text(text, from, Math.min(length - from, ReplyBuffer.MAX_ROOM_BYTES));
    }
  }

  private void text(String text, int from, int length) {
    long room = buffer.room(length);
    for (int i = 0; i < length; i++) {
      NativeBytes.putByte(room + i, (byte) text.charAt(from + i));
    }
    buffer.advance(length);
  }

  /** Bytes written and not yet drained. */
  public long pendingBytes() {
    return buffer.pendingBytes();
  }

  /** The place where the next reply begins, for {@link #truncateTo}. Before {@link #drain}. */
  public long mark() {
    return buffer.pendingBytes();
  }

  /** Drops what was written after a mark: half a reply. */
  public void truncateTo(long mark) {
    buffer.truncate(mark);
  }

  /** While true, everything written is dropped (CLIENT REPLY OFF and SKIP). */
  public void setDiscarding(boolean discarding) {
    buffer.setDiscarding(discarding);
  }

  public boolean isDiscarding() {
    return buffer.isDiscarding();
  }

  /** Bytes written and not yet drained that take memory of this object's. */
  public long heldBytes() {
    return buffer.pendingBytes() - buffer.insertedBytes();
  }

  /** Hands over all that was written, in order; the receiver releases the buffers. */
  public void drain(Consumer<ByteBuf> receiver) {
    buffer.drain(receiver, Long.MAX_VALUE);
  }

  /**
   * Hands over what was written, in order; but of {@link LastingBytes} and what is before and
   * behind them not much more than so many bytes at a time.
   *
   * @return whether that was all
   */
  public boolean drain(Consumer<ByteBuf> receiver, long maxBytes) {
    return buffer.drain(receiver, maxBytes);
  }

  /** Drops what is not drained. */
  @Override
  public void close() {
    buffer.close();
  }
}
