package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Splits an inline line into arguments, with the quoting of redis-cli: {@code "..."} knows {@code
 * \n \r \t \b \a \xNN} and takes any other escaped byte as it is; {@code '...'} knows {@code \'}
 * only; a closing quote must be followed by a blank or the end.
 *
 * <p>Plain words stay where they are. Words with quotes are unquoted into a buffer that the next
 * line uses again.
 */
final class InlineArguments {
  private final ByteBufAllocator allocator;
  private @Nullable ByteBuf unquoted;
  private long out;
  private long in;
  private long end;

  InlineArguments(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Adds the words of a line to the table.
   *
   * @return false if a quote is not closed, or closed in the middle of a word
   */
  boolean split(long from, long to, ArgumentTable arguments) {
    in = from;
    end = to;
    while (skipBlanks()) {
      if (!word(arguments)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a line since the last {@link #reset} had quotes, and so uses the buffer. */
  boolean hasQuotes() {
    return out != 0;
  }

  /** The buffer may be used again. */
  void reset() {
    out = 0;
  }

  private boolean skipBlanks() {
    while (in < end && isBlank(NativeBytes.getByte(in))) {
      in++;
    }
    return in < end;
  }

  /** As C's isspace. */
  private static boolean isBlank(byte value) {
    return value == ' ' || (value >= '\t' && value <= '\r');
  }

  /** What ends a word outside of quotes: less than what is skipped between words. */
  private static boolean endsWord(byte value) {
    return value == ' ' || value == '\n' || value == '\r' || value == '\t';
  }

  private static boolean isQuote(byte value) {
    return value == '"' || value == '\'';
  }

  private boolean word(ArgumentTable arguments) {
    long start = in;
    while (in < end && !endsWord(NativeBytes.getByte(in))) {
      if (isQuote(NativeBytes.getByte(in))) {
        return quotedWord(start, arguments);
      }
      in++;
    }
    arguments.add(start, (int) (in - start));
    return true;
  }

  /** A quoted part and what stands before it, which is copied, too. The closing quote ends it. */
  private boolean quotedWord(long start, ArgumentTable arguments) {
    reserve();
    long word = out;
    NativeBytes.copy(start, out, in - start);
    out += in - start;
    boolean closed = next() == '"' ? doubleQuoted() : singleQuoted();
    arguments.add(word, (int) (out - word));
    return closed;
  }

  private boolean doubleQuoted() {
    while (in < end) {
      byte value = NativeBytes.getByte(in++);
      if (value == '"') {
        return isClosedRight();
      }
      put(value == '\\' && in < end ? escaped() : value);
    }
    return false;
  }

  private boolean singleQuoted() {
    while (in < end) {
      byte value = NativeBytes.getByte(in++);
      if (value == '\'') {
        return isClosedRight();
      }
      put(value == '\\' && in < end && NativeBytes.getByte(in) == '\'' ? next() : value);
    }
    return false;
  }

  private boolean isClosedRight() {
    return in == end || isBlank(NativeBytes.getByte(in));
  }

  private byte next() {
    return NativeBytes.getByte(in++);
  }

  private byte escaped() {
    byte value = next();
    return switch (value) {
      case 'x' -> hexadecimal();
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'a' -> 7;
      default -> value;
    };
  }

  private byte hexadecimal() {
    int high = in + 1 < end ? digit(in) : -1;
    int low = in + 1 < end ? digit(in + 1) : -1;
    if (high < 0 || low < 0) {
      return 'x';
    }
    in += 2;
    return (byte) (high << 4 | low);
  }

  private static int digit(long address) {
    return Character.digit(NativeBytes.getByte(address), 16);
  }

  private void put(byte value) {
    NativeBytes.putByte(out++, value);
  }

  /** Unquoting never makes a line longer, so a buffer of the longest line's length will do. */
  private void reserve() {
    if (out == 0) {
      ByteBuf buffer = unquoted;
      if (buffer == null) {
        buffer = allocator.directBuffer(RequestDecoder.MAX_LINE_BYTES + 1);
        unquoted = buffer;
      }
      out = NativeBytes.addressOf(buffer);
    }
  }

  void release() {
    if (unquoted != null) {
      unquoted.release();
      unquoted = null;
    }
  }
}
