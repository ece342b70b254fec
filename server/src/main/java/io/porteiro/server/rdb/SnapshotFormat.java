package io.porteiro.server.rdb;

import io.porteiro.server.structure.Value;
import java.io.IOException;

/** What a whole snapshot looks like, around its entries. */
public sealed interface SnapshotFormat permits RdbFileWriter, CommandFileWriter {
  /**
   * Begins a database, before its first key.
   *
   * @param keys how many are to be expected, a hint
   * @param expiringKeys how many of them have an expiry, likewise
   */
  void selectDatabase(int number, long keys, long expiringKeys) throws IOException;

  /** An upper bound of what a key and its value take. */
  long maxBytes(byte[] key, Value value);

  /** A key and its value as it stands, under the lock that guards it. */
  void entry(byte[] key, long expireAtMs, Value value) throws IOException;

  /** A key and its value as it was captured. */
  void entry(CapturedEntry entry) throws IOException;

  /**
   * Ends the file and hands all of it to the sink.
   *
   * @param checksum whether it is summed up, where the format has a place for that
   */
  void finish(boolean checksum) throws IOException;
}
