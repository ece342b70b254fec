package io.porteiro.server.persistence.log;

import io.porteiro.server.command.Effects;
import io.porteiro.server.memory.OffHeap;
import java.nio.charset.StandardCharsets;

/**
 * How units stand in a file: one command as it is, several between MULTI and EXEC, SELECT before a
 * command in another database than the one before it. With {@code aof-timestamp-enabled} a line
 * {@code #TS:seconds} goes before the first unit of each second.
 */
final class UnitEncoder {
  private static final byte[] MULTI = bytes("*1\r\n$5\r\nMULTI\r\n");
  private static final byte[] EXEC = bytes("*1\r\n$4\r\nEXEC\r\n");

  /** The longest that SELECT gets. */
  private static final int MAX_SELECT_BYTES = select(Integer.MAX_VALUE).length;

  private static final int MAX_TIMESTAMP_BYTES = timestamp(Long.MAX_VALUE).length;
  private static final int NO_DATABASE = -1;

  private int database = NO_DATABASE;
  private long lastSeconds;

  /** What comes next is the first in its file: it begins with SELECT. */
  void beginFile() {
    database = NO_DATABASE;
  }

  /** At least the bytes that {@link #write} writes. */
  static long maxBytes(Effects unit) {
    long bytes = (long) MAX_TIMESTAMP_BYTES + MULTI.length + EXEC.length;
    for (int i = 0; i < unit.size(); i++) {
      bytes += MAX_SELECT_BYTES + unit.get(i).byteCount();
    }
    return bytes;
  }

  /**
   * Writes a unit.
   *
   * @param seconds Unix time, or 0 if it is not to be noted
   * @return the address behind it
   */
  long write(Effects unit, long address, long seconds) {
    long at = address;
    if (seconds > lastSeconds) {
      lastSeconds = seconds;
      at = put(timestamp(seconds), at);
    }
    boolean single = unit.size() == 1;
    at = single ? at : put(MULTI, at);
    for (int i = 0; i < unit.size(); i++) {
      at = unit.get(i).writeTo(select(unit.get(i).database(), at));
    }
    return single ? at : put(EXEC, at);
  }

  private long select(int wanted, long at) {
    if (wanted == database) {
      return at;
    }
    database = wanted;
    return put(select(wanted), at);
  }

  private static byte[] select(int database) {
    String digits = Integer.toString(database);
    return bytes("*2\r\n$6\r\nSELECT\r\n$" + digits.length() + "\r\n" + digits + "\r\n");
  }

  private static byte[] timestamp(long seconds) {
    return bytes("#TS:" + seconds + "\r\n");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static long put(byte[] bytes, long at) {
    OffHeap.copyFrom(bytes, 0, at, bytes.length);
    return at + bytes.length;
  }
}
