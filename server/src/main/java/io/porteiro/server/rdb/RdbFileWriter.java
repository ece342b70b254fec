package io.porteiro.server.rdb;

import io.porteiro.server.memory.MemoryPool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes a whole RDB file; what it looks like is told at {@link RdbFileReader}. */
public final class RdbFileWriter extends SnapshotFormat {
  private static final String MAGIC = "REDIS";
  private static final int VERSION_DIGITS = 4;
  private static final long NOT_COMPUTED = 0;

  private final StringOutput strings;

  /**
   * A writer of one file.
   *
   * @param compress whether strings are packed where that makes them shorter
   */
  public RdbFileWriter(RdbOutput out, MemoryPool pool, boolean compress) {
    EntryWriter entries = new EntryWriter(pool, compress);
    super(out, entries);
    this.strings = entries.strings();
  }

  public void header() throws IOException {
    String version = Integer.toString(RdbVersion.WRITTEN);
    String digits = "0".repeat(VERSION_DIGITS - version.length()) + version;
    out.write((MAGIC + digits).getBytes(StandardCharsets.US_ASCII));
  }

  public void auxiliary(String name, String value) throws IOException {
    out.writeByte(FileCode.AUXILIARY);
    strings.write(out, name.getBytes(StandardCharsets.ISO_8859_1));
    strings.write(out, value.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Override
  public void selectDatabase(int number, long keys, long expiringKeys) throws IOException {
    out.writeByte(FileCode.SELECT_DATABASE);
    LengthCode.write(out, number);
    out.writeByte(FileCode.SIZE_HINT);
    LengthCode.write(out, keys);
    LengthCode.write(out, expiringKeys);
  }

  /** {@inheritDoc} Without a sum it is declared not computed. */
  @Override
  public void finish(boolean checksum) throws IOException {
    out.writeByte(FileCode.EOF);
    out.writeLong(checksum ? out.checksum() : NOT_COMPUTED);
    out.flush();
  }
}
