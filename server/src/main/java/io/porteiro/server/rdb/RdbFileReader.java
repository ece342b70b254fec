package io.porteiro.server.rdb;

import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads a whole RDB file and hands what is in it to a {@link RdbVisitor}.
 *
 * <pre>
 *   "REDIS" version (4 digits) | item | item | ... | 0xff | CRC-64 (8 bytes, 0: not computed)
 * </pre>
 *
 * An item is a key with its value, or something about the file, the database or the next key; its
 * first byte tells ({@link FileCode}, {@link ValueCode}).
 */
public final class RdbFileReader {
  private static final String MAGIC = "REDIS";
  private static final int VERSION_DIGITS = 4;
  private static final long NOT_COMPUTED = 0;

  /** Longer remarks are passed over (old Redis kept Lua scripts there). */
  private static final long MAX_AUXILIARY_BYTES = 1 << 10;

  private final FileRdbInput in;
  private final MemoryPool pool;
  private final RdbVisitor visitor;
  private final ValueReader values;

  private long database;

  /** Of the next key, whatever other items are between. */
  private long expireAtMs = RdbVisitor.NO_EXPIRY;

  /** The key that is being read. */
  private byte @Nullable [] key;

  public RdbFileReader(FileRdbInput in, MemoryPool pool, RdbVisitor visitor) {
    this.in = in;
    this.pool = pool;
    this.visitor = visitor;
    this.values = new ValueReader(pool);
  }

  /**
   * Reads up to and with the checksum; the input then stands behind it. Bytes that follow are left
   * alone.
   *
   * @throws RdbFormatException if the file is damaged or not understood, if its values do not fit
   *     into memory, or as the visitor refuses; what was visited so far is to be thrown away
   */
  public void read() throws IOException {
    try {
      int version = readHeader();
      readItems();
      if (version >= RdbVersion.CHECKSUM_SINCE) {
        verifyChecksum();
      }
    } catch (RdbFormatException e) {
      throw key == null ? e : e.atKey(database, key);
    } catch (MemoryLimitException e) {
      RdbFormatException full = in.bad("does not fit into memory: " + e.getMessage());
      throw key == null ? full : full.atKey(database, key);
    }
  }

  private int readHeader() throws IOException {
    if (!MAGIC.equals(readAscii(MAGIC.length()))) {
      throw new RdbFormatException("not an RDB file: it does not start with REDIS", 0);
    }
    String digits = readAscii(VERSION_DIGITS);
    int version = digits.matches("[0-9]+") ? Integer.parseInt(digits) : 0;
    if (version < RdbVersion.OLDEST_READ || version > RdbVersion.NEWEST_READ) {
      throw in.bad("cannot read RDB version " + digits);
    }
    return version;
  }

  private String readAscii(int length) throws IOException {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) in.readByte());
    }
    return text.toString();
  }

  private void readItems() throws IOException {
    int code = in.readByte();
    while (code != FileCode.EOF) {
      readItem(code);
      code = in.readByte();
    }
  }

  private void readItem(int code) throws IOException {
    switch (code) {
      case FileCode.AUXILIARY -> readAuxiliary();
      case FileCode.SELECT_DATABASE -> selectDatabase();
      case FileCode.SIZE_HINT -> readSizeHint();
      case FileCode.EXPIRE_AT_SECONDS -> expireAtMs = secondsToMs(in.readInt());
      case FileCode.EXPIRE_AT_MS -> expireAtMs = orNone(in.readLong());
      case FileCode.IDLE_TIME -> LengthCode.read(in);
      case FileCode.FREQUENCY -> in.readByte();
      case FileCode.MODULE_AUXILIARY -> skipModuleAuxiliary();
      case FileCode.FUNCTION_LIBRARY -> StringInput.skip(in);
      case FileCode.SLOT_INFO -> skipSlotInfo();
      default -> readEntry(code);
    }
  }

  private static long secondsToMs(int seconds) {
    return seconds == -1 ? RdbVisitor.NO_EXPIRY : seconds * 1000L;
  }

  /** Redis writes no expiry as -1 where it has to write one. */
  private static long orNone(long expireAtMs) {
    return expireAtMs == -1 ? RdbVisitor.NO_EXPIRY : expireAtMs;
  }

  private void readAuxiliary() throws IOException {
    byte[] name = StringInput.readShort(in, MAX_AUXILIARY_BYTES, pool);
    byte[] value = StringInput.readShort(in, MAX_AUXILIARY_BYTES, pool);
    if (name != null && value != null) {
      visitor.auxiliary(latin(name), latin(value));
    }
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private void selectDatabase() throws IOException {
    long number = LengthCode.read(in);
    if (!visitor.selectDatabase(number)) {
      throw in.bad(
          "database " + Long.toUnsignedString(number) + " is beyond the configured databases");
    }
    database = number;
  }

  /** Only a hint, and it may be wrong: nothing is allocated by it. */
  private void readSizeHint() throws IOException {
    LengthCode.read(in);
    LengthCode.read(in);
  }

  private void skipModuleAuxiliary() throws IOException {
    LengthCode.read(in); // module id
    ModuleItem.readUnsigned(in); // before or after the keys
    ModuleItem.skipAll(in);
  }

  private void skipSlotInfo() throws IOException {
    LengthCode.read(in);
    LengthCode.read(in);
    LengthCode.read(in);
  }

  private void readEntry(int code) throws IOException {
    if (code >= FileCode.FIRST) {
      throw in.bad("unknown or unreadable item 0x" + Integer.toHexString(code));
    }
    byte[] name = StringInput.read(in, pool);
    key = name;
    switch (values.read(in, code)) {
      case Decoded.Ours ours -> accept(name, ours.value());
      case Decoded.Foreign foreign -> visitor.foreign(database, name, foreign.typeName());
    }
    expireAtMs = RdbVisitor.NO_EXPIRY;
    key = null;
  }

  private void accept(byte[] name, Value value) throws IOException {
    if (!visitor.entry(database, name, expireAtMs, value)) {
      throw in.bad("the key is in the file twice");
    }
  }

  private void verifyChecksum() throws IOException {
    long computed = in.checksum();
    long stored = in.readLong();
    if (stored != NOT_COMPUTED && stored != computed) {
      throw in.bad(
          "wrong checksum: the file says %016x, its bytes are %016x".formatted(stored, computed));
    }
  }
}
