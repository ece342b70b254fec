package io.porteiro.server.persistence.log;

import io.porteiro.server.memory.MemoryPool;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;

/**
 * Tells a file that ends within a command from one in which a length is damaged: that seems to end
 * within a command, too, but there are others behind its beginning, which must not be cut off.
 */
public final class CutCheck {
  /** A value may hold anything, also what looks like commands. */
  private static final int MAX_CANDIDATES = 64;

  private CutCheck() {}

  /**
   * Whether there are whole commands behind the beginning of a cut one.
   *
   * @param offset where that begins
   */
  public static boolean hasCommandBehind(FileChannel file, long offset, MemoryPool pool)
      throws IOException {
    int candidates = 0;
    try (Arena arena = Arena.ofConfined()) {
      long length = file.size() - offset;
      MemorySegment rest = file.map(FileChannel.MapMode.READ_ONLY, offset, length, arena);
      for (long at = 1; at + 3 < length && candidates < MAX_CANDIDATES; at++) {
        if (isHead(rest, at)) {
          candidates++;
          if (isCommand(file, offset + at + 1, pool)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** A line end and the beginning of a command. */
  private static boolean isHead(MemorySegment bytes, long at) {
    return byteAt(bytes, at) == '\n'
        && byteAt(bytes, at - 1) == '\r'
        && byteAt(bytes, at + 1) == '*'
        && byteAt(bytes, at + 2) >= '1'
        && byteAt(bytes, at + 2) <= '9';
  }

  private static byte byteAt(MemorySegment bytes, long at) {
    return bytes.get(ValueLayout.JAVA_BYTE, at);
  }

  private static boolean isCommand(FileChannel file, long offset, MemoryPool pool)
      throws IOException {
    file.position(offset);
    try (CommandReader reader = new CommandReader(file, pool)) {
      return reader.next() == CommandReader.Found.COMMAND;
    } catch (LogFormatException _) {
      return false;
    }
  }
}
