package io.porteiro.server.persistence.log;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Reads the commands of a file one by one, strictly: what a log's writer would not have written is
 * damage.
 *
 * <pre>
 *   #TS:1700000000\r\n                       a remark, passed over
 *   *2\r\n $6\r\n SELECT\r\n $1\r\n 0\r\n     a command
 * </pre>
 *
 * <p>The current command lies in memory as a whole; memory grows only with bytes that are there.
 */
public final class CommandReader implements AutoCloseable {
  /** What was found. */
  public enum Found {
    COMMAND,
    /** The file ends behind the command before. */
    END,
    /** The file ends within a command or remark. */
    CUT
  }

  private static final long WINDOW_BYTES = 1 << 20;
  private static final int MAX_DIGITS = 18;
  private static final long CUT = -1;

  private final FileChannel file;
  private final long fileBytes;
  private final Block window;

  /** Where the command begins, in the file and in the window; where the window's bytes end. */
  private long offset;

  private long start;
  private long end;

  /** What of the command is understood. */
  private long at;

  private int count;
  private long[] starts = new long[8];
  private int[] lengths = new int[8];

  /**
   * A reader that begins where the file stands.
   *
   * @param file stays the caller's
   */
  public CommandReader(FileChannel file, MemoryPool pool) throws IOException {
    this.file = file;
    this.offset = file.position();
    this.fileBytes = file.size();
    this.window = pool.allocateUnlimited(WINDOW_BYTES);
  }

  /** Where the command that was read last begins, or what is cut. */
  public long offset() {
    return offset;
  }

  /** Arguments of the command, its name the first. */
  public int count() {
    return count;
  }

  /** Where argument {@code i} lies, until the next command is read. */
  public long address(int i) {
    return window.address() + start + starts[i];
  }

  public int length(int i) {
    return lengths[i];
  }

  /**
   * Reads the next command.
   *
   * @throws LogFormatException if there is something else
   */
  public Found next() throws IOException {
    pass();
    while (has(1) && byteAt(0) == '#') {
      if (!remark()) {
        return Found.CUT;
      }
      pass();
    }
    return has(1) ? command() : Found.END;
  }

  /** What was understood is behind us. */
  private void pass() {
    start += at;
    offset += at;
    at = 0;
    count = 0;
  }

  private boolean remark() throws IOException {
    while (has(at + 1)) {
      if (byteAt(at++) == '\n') {
        return true;
      }
    }
    at = 0;
    return false;
  }

  private Found command() throws IOException {
    long arguments = head('*');
    if (arguments == 0) {
      throw bad("a command without arguments");
    }
    for (long i = 0; i < arguments; i++) {
      if (!argument()) {
        at = 0;
        return Found.CUT;
      }
    }
    if (arguments == CUT) {
      at = 0;
      return Found.CUT;
    }
    return Found.COMMAND;
  }

  private boolean argument() throws IOException {
    long length = head('$');
    if (length > Integer.MAX_VALUE) {
      throw bad("an argument of " + length + " bytes");
    }
    if (length == CUT || !has(at + length + 2)) {
      return false;
    }
    add(at, (int) length);
    at += length;
    return lineEnd();
  }

  private void add(long argumentStart, int length) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    starts[count] = argumentStart;
    lengths[count++] = length;
  }

  /** The number in a line of this type, or {@link #CUT}. */
  private long head(char type) throws IOException {
    if (!has(at + 1)) {
      return CUT;
    }
    if (byteAt(at) != type) {
      throw bad("'" + type + "' is expected, not " + describe(byteAt(at)));
    }
    at++;
    return number();
  }

  private long number() throws IOException {
    long number = 0;
    for (int digits = 0; ; digits++) {
      if (!has(at + 1)) {
        return CUT;
      }
      int digit = byteAt(at) - '0';
      if (digits > 0 && digit == '\r' - '0') {
        return lineEnd() ? number : CUT;
      }
      if (digit < 0 || digit > 9 || digits == MAX_DIGITS || (digits > 0 && number == 0)) {
        throw bad("a number is expected, not " + describe(byteAt(at)));
      }
      number = 10 * number + digit;
      at++;
    }
  }

  private boolean lineEnd() throws IOException {
    if (has(at + 1) && byteAt(at) != '\r') {
      throw bad("a line end is expected, not " + describe(byteAt(at)));
    }
    if (has(at + 2) && byteAt(at + 1) != '\n') {
      throw bad("a line end is expected, not " + describe(byteAt(at + 1)));
    }
    at += 2;
    return has(at);
  }

  private static String describe(byte value) {
    return value > ' ' && value < 127
        ? "'" + (char) value + "'"
        : "byte 0x%02x".formatted(value & 0xff);
  }

  private LogFormatException bad(String reason) {
    return new LogFormatException(reason, offset + at);
  }

  private byte byteAt(long index) {
    return OffHeap.getByte(window.address() + start + index);
  }

  /** Whether the file has so many bytes from the command's start on; they are in memory then. */
  private boolean has(long bytes) throws IOException {
    if (end - start >= bytes) {
      return true;
    }
    if (bytes > fileBytes - offset) {
      return false;
    }
    fill(bytes);
    return true;
  }

  private void fill(long bytes) throws IOException {
    OffHeap.copy(window.address() + start, window.address(), end - start);
    end -= start;
    start = 0;
    if (bytes > window.size()) {
      window.resize(Math.max(bytes, Math.min(2 * window.size(), fileBytes - offset)));
    }
    long wanted = Math.min(window.size(), fileBytes - offset);
    while (end < wanted) {
      end += read(window.address() + end, Math.min(wanted - end, WINDOW_BYTES));
    }
  }

  private int read(long to, long length) throws IOException {
    ByteBuffer buffer = OffHeap.MEMORY.asSlice(to, length).asByteBuffer();
    int read = file.read(buffer);
    if (read < 0) {
      throw new EOFException("the file became shorter while it was read");
    }
    return read;
  }

  @Override
  public void close() {
    window.release();
  }
}
