package io.porteiro.server.rdb;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.Value;
import java.io.IOException;

/** Writes keys with their values as they stand in RDB files. Not for several threads. */
public final class EntryWriter implements EntryEncoding {
  private static final int EXPIRY_BYTES = 1 + Long.BYTES;

  private final ValueWriter values;

  /**
   * @param pool for packing
   * @param compress whether strings are packed where that makes them shorter
   */
  public EntryWriter(MemoryPool pool, boolean compress) {
    this.values = new ValueWriter(pool, compress);
  }

  StringOutput strings() {
    return values.strings();
  }

  @Override
  public long maxBytes(byte[] key, Value value) {
    return EXPIRY_BYTES + StringOutput.maxBytes(key.length) + ValueWriter.maxBytes(value);
  }

  @Override
  public void write(RdbOutput out, byte[] key, long expireAtMs, Value value) throws IOException {
    beforeValue(out, key, expireAtMs, ValueWriter.typeCode(value.type()));
    values.write(out, value);
  }

  @Override
  public void write(RdbOutput out, CapturedEntry entry) throws IOException {
    beforeValue(out, entry.key, entry.expireAtMs, entry.type);
    values.write(out, entry.value);
  }

  private void beforeValue(RdbOutput out, byte[] key, long expireAtMs, int type)
      throws IOException {
    if (expireAtMs != RdbVisitor.NO_EXPIRY) {
      out.writeByte(FileCode.EXPIRE_AT_MS);
      out.writeLong(expireAtMs);
    }
    out.writeByte(type);
    values.strings().write(out, key);
  }
}
