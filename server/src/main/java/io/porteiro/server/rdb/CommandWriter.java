package io.porteiro.server.rdb;

import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.bloom.BloomDump;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.string.StringValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Writes keys with their values as the commands that make them, which are those of Redis and of the
 * Bloom module when they rewrite a log:
 *
 * <pre>
 *   SET key value                        strings, HyperLogLogs among them
 *   BF.LOADCHUNK key 1 header            a filter, empty
 *   BF.LOADCHUNK key iterator bits       its bits, a piece at a time
 *   PEXPIREAT key ms                     where there is an expiry
 * </pre>
 *
 * Not for several threads.
 */
public final class CommandWriter implements EntryEncoding {
  /**
   * The longest that an argument gets besides its bytes: a length of 19 digits and two line ends.
   */
  private static final long MAX_FRAME_BYTES = 1 + 19 + 2 + 2;

  private static final long MAX_NUMBER_BYTES = 20;
  private static final long MAX_NAME_BYTES = 12;

  /** A command's count, and its name and two more arguments but for their bytes. */
  private static final long MAX_COMMAND_BYTES =
      4 + MAX_NAME_BYTES + 4 * MAX_FRAME_BYTES + MAX_NUMBER_BYTES;

  private static final byte[] SET = bytes("SET");
  private static final byte[] PEXPIREAT = bytes("PEXPIREAT");
  private static final byte[] LOADCHUNK = bytes("BF.LOADCHUNK");
  private static final byte[] SELECT = bytes("SELECT");
  private static final byte[] LINE_END = bytes("\r\n");

  /** The iterator that comes with a filter's header. */
  private static final long HEADER = 1;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] digits(long number) {
    return bytes(Long.toString(number));
  }

  @Override
  public long maxBytes(byte[] key, Value value) {
    long perCommand = MAX_COMMAND_BYTES + key.length;
    return perCommand
        + switch (value) {
          case StringValue string -> perCommand + string.length();
          case BloomFilter filter -> maxBytes(filter, perCommand);
          default -> throw unknown(value);
        };
  }

  private static long maxBytes(BloomFilter filter, long perCommand) {
    long commands = 1 + filter.linkCount() + filter.bitArrayBytes() / BitSource.CHUNK_BYTES;
    return commands * perCommand
        + BloomDump.headerBytes(filter.linkCount())
        + filter.bitArrayBytes();
  }

  @Override
  public void write(RdbOutput out, byte[] key, long expireAtMs, Value value) throws IOException {
    switch (value) {
      case StringValue string when string.isNumber() -> set(out, key, string.number());
      case StringValue string -> set(out, key, string.address(), string.length());
      case BloomFilter filter -> load(out, key, BloomImage.ofLocked(filter));
      default -> throw unknown(value);
    }
    expire(out, key, expireAtMs);
  }

  @Override
  public void write(RdbOutput out, CapturedEntry entry) throws IOException {
    switch (entry.value) {
      case CapturedValue.WholeNumber number -> set(out, entry.key, number.number());
      case CapturedValue.Text text -> set(out, entry.key, text.block().address(), text.length());
      case BloomImage filter -> load(out, entry.key, filter);
    }
    expire(out, entry.key, entry.expireAtMs);
  }

  private static IllegalStateException unknown(Value value) {
    return new IllegalStateException("no command makes a " + value.type());
  }

  private static void set(RdbOutput out, byte[] key, long number) throws IOException {
    begin(out, 3, SET, key);
    argument(out, digits(number));
  }

  private static void set(RdbOutput out, byte[] key, long address, long length) throws IOException {
    begin(out, 3, SET, key);
    beginArgument(out, length);
    out.write(address, length);
    out.write(LINE_END);
  }

  private static void load(RdbOutput out, byte[] key, BloomImage filter) throws IOException {
    begin(out, 4, LOADCHUNK, key);
    argument(out, digits(HEADER));
    argument(out, filter.dumpHeader());
    long iterator = HEADER;
    for (BloomImage.Link link : filter.links()) {
      for (long done = 0; done < link.bytes(); done += BitSource.CHUNK_BYTES) {
        long length = Math.min(BitSource.CHUNK_BYTES, link.bytes() - done);
        iterator += length;
        begin(out, 4, LOADCHUNK, key);
        argument(out, digits(iterator));
        beginArgument(out, length);
        link.bits().writeChunk(out, done, length);
        out.write(LINE_END);
      }
    }
  }

  private static void expire(RdbOutput out, byte[] key, long expireAtMs) throws IOException {
    if (expireAtMs != RdbVisitor.NO_EXPIRY) {
      begin(out, 3, PEXPIREAT, key);
      argument(out, digits(expireAtMs));
    }
  }

  /** What comes next is for this database. */
  static void select(RdbOutput out, int database) throws IOException {
    begin(out, 2, SELECT, digits(database));
  }

  private static void begin(RdbOutput out, int arguments, byte[] name, byte[] first)
      throws IOException {
    out.writeByte('*');
    out.write(digits(arguments));
    out.write(LINE_END);
    argument(out, name);
    argument(out, first);
  }

  private static void argument(RdbOutput out, byte[] bytes) throws IOException {
    beginArgument(out, bytes.length);
    out.write(bytes);
    out.write(LINE_END);
  }

  private static void beginArgument(RdbOutput out, long length) throws IOException {
    out.writeByte('$');
    out.write(digits(length));
    out.write(LINE_END);
  }
}
