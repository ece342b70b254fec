package io.porteiro.server.rdb;

import io.porteiro.server.structure.Value;
import java.io.IOException;

/** What a whole snapshot looks like, around its entries. */
public abstract sealed class SnapshotFormat permits RdbFileWriter, CommandFileWriter {
  final RdbOutput out;
  private final EntryEncoding encoding;

  SnapshotFormat(RdbOutput out, EntryEncoding encoding) {
    this.out = out;
    this.encoding = encoding;
  }

  /**
   * Begins a database, before its first key.
   *
   * @param keys how many are to be expected, a hint
   * @param expiringKeys how many of them have an expiry, likewise
   */
  public abstract void selectDatabase(int number, long keys, long expiringKeys) throws IOException;

  /** An upper bound of what a key and its value take. */
  public final long maxBytes(byte[] key, Value value) {
    return encoding.maxBytes(key, value);
  }

  /** A key and its value as it stands, under the lock that guards it. */
  public final void entry(byte[] key, long expireAtMs, Value value) throws IOException {
    encoding.write(out, key, expireAtMs, value);
  }

  /** A key and its value as it was captured. */
  public final void entry(CapturedEntry entry) throws IOException {
    encoding.write(out, entry);
  }

  /**
   * Ends the file and hands all of it to the sink.
   *
   * @param checksum whether it is summed up, where the format has a place for that
   */
  public abstract void finish(boolean checksum) throws IOException;
}
