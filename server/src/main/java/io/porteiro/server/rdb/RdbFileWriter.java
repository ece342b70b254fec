package io.porteiro.server.rdb;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes a whole RDB file; what it looks like is told at {@link RdbFileReader}. */
public final class RdbFileWriter {
  private static final String MAGIC = "REDIS";
  private static final long NOT_COMPUTED = 0;
  private static final int EXPIRY_BYTES = 1 + Long.BYTES;

  private final RdbOutput out;
  private final ValueWriter values;

  /**
   * A writer of one file.
   *
   * @param compress whether strings are packed where that makes them shorter
   */
  public RdbFileWriter(RdbOutput out, MemoryPool pool, boolean compress) {
    this.out = out;
    this.values = new ValueWriter(pool, compress);
  }

  public void header() throws IOException {
    out.write((MAGIC + "%04d".formatted(RdbVersion.WRITTEN)).getBytes(StandardCharsets.US_ASCII));
  }

  public void auxiliary(String name, String value) throws IOException {
    out.writeByte(FileCode.AUXILIARY);
    values.strings().write(out, name.getBytes(StandardCharsets.ISO_8859_1));
    values.strings().write(out, value.getBytes(StandardCharsets.ISO_8859_1));
  }

  /**
   * Begins a database, before its first key.
   *
   * @param keys how many are to be expected, a hint
   * @param expiringKeys how many of them have an expiry, likewise
   */
  public void selectDatabase(int number, long keys, long expiringKeys) throws IOException {
    out.writeByte(FileCode.SELECT_DATABASE);
    LengthCode.write(out, number);
    out.writeByte(FileCode.SIZE_HINT);
    LengthCode.write(out, keys);
    LengthCode.write(out, expiringKeys);
  }

  /** Whether a key and its value would go into the output's buffer without flushing it. */
  public boolean fitsBuffer(byte[] key, Value value) {
    return EXPIRY_BYTES + StringOutput.maxBytes(key.length) + ValueWriter.maxBytes(value)
        <= out.freeBytes();
  }

  /** A key and its value as it stands, under the lock that guards it. */
  public void entry(byte[] key, long expireAtMs, Value value) throws IOException {
    beforeValue(key, expireAtMs, ValueWriter.typeCode(value.type()));
    values.write(out, value);
  }

  /**
   * Holds a value as it is now, under the lock that guards it, so that it can be written without.
   */
  public static CapturedEntry capture(byte[] key, long expireAtMs, Value value) {
    CapturedValue image = ValueWriter.image(value);
    image.retain();
    return new CapturedEntry(key, expireAtMs, ValueWriter.typeCode(value.type()), image);
  }

  /**
   * A key and its value as it was captured.
   *
   * @param reader how the bits of a filter are read; they may be more than at the capture
   */
  public void entry(CapturedEntry entry, RangeReader reader) throws IOException {
    beforeValue(entry.key, entry.expireAtMs, entry.type);
    values.write(out, entry.value, reader);
  }

  private void beforeValue(byte[] key, long expireAtMs, int type) throws IOException {
    if (expireAtMs != RdbVisitor.NO_EXPIRY) {
      out.writeByte(FileCode.EXPIRE_AT_MS);
      out.writeLong(expireAtMs);
    }
    out.writeByte(type);
    values.strings().write(out, key);
  }

  /**
   * Ends the file and hands all of it to the sink.
   *
   * @param checksum whether it is written or declared not computed
   */
  public void finish(boolean checksum) throws IOException {
    out.writeByte(FileCode.EOF);
    out.writeLong(checksum ? out.checksum() : NOT_COMPUTED);
    out.flush();
  }
}
