package io.porteiro.server.command;

import io.porteiro.protocol.Numbers;
import io.porteiro.protocol.Request;
import io.porteiro.server.memory.OffHeap;
import java.nio.charset.StandardCharsets;

/** A cursor over the arguments of a request, beginning behind the command's name. */
public final class Arguments {
  private static final int TOLD_BYTES = 1024;

  private Request request = new Request();
  private int next;

  void reset(Request request, int first) {
    this.request = request;
    this.next = first;
  }

  /** All arguments, the command's name included. */
  public int count() {
    return request.count();
  }

  public int remaining() {
    return request.count() - next;
  }

  public boolean hasNext() {
    return next < request.count();
  }

  /** Index of the argument that comes next. */
  public int index() {
    return next;
  }

  /** Passes over one argument and returns its index. */
  public int skip() {
    requireNext();
    return next++;
  }

  /** Passes over the next argument if it is this word, in any case. */
  public boolean accept(String word) {
    if (hasNext() && isWord(next, word)) {
      next++;
      return true;
    }
    return false;
  }

  /** Whether argument {@code index} is this word (ASCII), in any case. */
  public boolean isWord(int index, String word) {
    int length = request.length(index);
    if (length != word.length()) {
      return false;
    }
    long address = request.address(index);
    for (int i = 0; i < length; i++) {
      if (lower(OffHeap.getByte(address + i)) != lower((byte) word.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static int lower(byte b) {
    return b >= 'A' && b <= 'Z' ? b + 32 : b;
  }

  /**
   * The next argument as a canonical 64-bit decimal, as Redis reads integers.
   *
   * @throws CommandException {@link Errors#NOT_AN_INTEGER}, or a syntax error if there is none
   */
  public long nextLong() {
    return longAt(skip(), Errors.NOT_AN_INTEGER);
  }

  /** As {@link #nextLong()}, with an error of the command's own. */
  public long nextLong(String error) {
    return longAt(skip(), error);
  }

  /** Argument {@code index} as a canonical 64-bit decimal. */
  public long longAt(int index, String error) {
    long address = request.address(index);
    int length = request.length(index);
    if (!Numbers.isLong(address, length)) {
      throw new CommandException(error);
    }
    return Numbers.toLong(address, length);
  }

  /** A copy of the next argument. */
  public byte[] nextBytes() {
    return request.bytes(skip());
  }

  /** The next argument, each byte one char. */
  public String nextText() {
    return textAt(skip());
  }

  /** Bytes of argument {@code index}. */
  public int lengthAt(int index) {
    return request.length(index);
  }

  /** Argument {@code index}, each byte one char. */
  public String textAt(int index) {
    return new String(request.bytes(index), StandardCharsets.ISO_8859_1);
  }

  /**
   * Argument {@code index} as an error tells it back: up to its first zero byte, as C prints it,
   * and not at any length.
   */
  public String toldAt(int index) {
    int length = Math.min(request.length(index), TOLD_BYTES);
    byte[] bytes = OffHeap.toArray(request.address(index), length);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int zero = text.indexOf(0);
    return zero < 0 ? text : text.substring(0, zero);
  }

  private void requireNext() {
    if (!hasNext()) {
      throw Errors.syntax();
    }
  }
}
