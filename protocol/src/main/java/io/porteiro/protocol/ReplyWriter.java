package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.Consumer;

/**
 * Writes replies. The only place that knows the difference between RESP2 and RESP3.
 *
 * <p>Texts given as String are written one byte a char (ISO 8859-1), so that bytes decoded the same
 * way come out unchanged.
 */
@SuppressWarnings("DoNotCallSuggester") // until filled in
public final class ReplyWriter implements AutoCloseable {
  public ReplyWriter(ByteBufAllocator allocator) {}

  /** 2 or 3. */
  public int protocol() {
    throw new UnsupportedOperationException();
  }

  public void setProtocol(int protocol) {
    throw new UnsupportedOperationException();
  }

  public void ok() {
    throw new UnsupportedOperationException();
  }

  public void simpleString(String text) {
    throw new UnsupportedOperationException();
  }

  /** An error; the text begins with its code, without '-'. CR and LF become blanks. */
  public void error(String text) {
    throw new UnsupportedOperationException();
  }

  public void integer(long value) {
    throw new UnsupportedOperationException();
  }

  public void bulk(byte[] bytes) {
    throw new UnsupportedOperationException();
  }

  public void bulk(String text) {
    throw new UnsupportedOperationException();
  }

  /** A bulk string, copied from memory before this returns. */
  public void bulk(long address, long length) {
    throw new UnsupportedOperationException();
  }

  public void nullBulk() {
    throw new UnsupportedOperationException();
  }

  public void nullArray() {
    throw new UnsupportedOperationException();
  }

  /** The head of an array; its elements follow. */
  public void array(long elements) {
    throw new UnsupportedOperationException();
  }

  /** The head of a map; keys and values follow alternately. RESP2: an array of twice as many. */
  public void map(long entries) {
    throw new UnsupportedOperationException();
  }

  /** The head of a set. RESP2: an array. */
  public void set(long elements) {
    throw new UnsupportedOperationException();
  }

  /** The head of a push. RESP2: an array. */
  public void push(long elements) {
    throw new UnsupportedOperationException();
  }

  /** The head of an attribute, whose entries and then a reply follow. Only in RESP3. */
  public void attribute(long entries) {
    throw new UnsupportedOperationException();
  }

  /** RESP2: the integers 1 and 0. */
  public void bool(boolean value) {
    throw new UnsupportedOperationException();
  }

  /** RESP2: a bulk string. */
  public void doubleValue(double value) {
    throw new UnsupportedOperationException();
  }

  /** RESP2: a bulk string. */
  public void bigNumber(String digits) {
    throw new UnsupportedOperationException();
  }

  /**
   * A text with a format of three letters, such as {@code txt}. RESP2: a bulk string of the text.
   */
  public void verbatim(String format, String text) {
    throw new UnsupportedOperationException();
  }

  public void verbatim(String format, byte[] text) {
    throw new UnsupportedOperationException();
  }

  /** RESP2: an error. */
  public void bulkError(String text) {
    throw new UnsupportedOperationException();
  }

  /**
   * Leaves a place for the head of an aggregate whose size is not known yet.
   *
   * @return the place, for {@link #deferredArray} and its like
   */
  public int defer() {
    throw new UnsupportedOperationException();
  }

  /** Fills a deferred place; the innermost first. */
  public void deferredArray(int place, long elements) {
    throw new UnsupportedOperationException();
  }

  public void deferredMap(int place, long entries) {
    throw new UnsupportedOperationException();
  }

  public void deferredSet(int place, long elements) {
    throw new UnsupportedOperationException();
  }

  /** Bytes written and not yet drained. */
  public long pendingBytes() {
    throw new UnsupportedOperationException();
  }

  /** Drops what was written after {@link #pendingBytes} was {@code bytes}: half a reply. */
  public void truncate(long bytes) {
    throw new UnsupportedOperationException();
  }

  /** While true, everything written is dropped (CLIENT REPLY OFF and SKIP). */
  public void setDiscarding(boolean discarding) {
    throw new UnsupportedOperationException();
  }

  /** Hands over all finished buffers, in order; the receiver releases them. */
  public void drain(Consumer<ByteBuf> receiver) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}

  public void setErrorListener(Consumer<String> listener) {
    throw new UnsupportedOperationException();
  }

  public long mark() {
    throw new UnsupportedOperationException();
  }

  public void truncateTo(long mark) {
    throw new UnsupportedOperationException();
  }
}
