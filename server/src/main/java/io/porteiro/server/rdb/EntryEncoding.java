package io.porteiro.server.rdb;

import io.porteiro.server.structure.Value;
import java.io.IOException;

/** How keys and their values stand in a file. Not for several threads. */
public sealed interface EntryEncoding permits EntryWriter, CommandWriter {
  /** An upper bound of what a key and its value take. */
  long maxBytes(byte[] key, Value value);

  /** A key and its value as it stands, under the lock that guards it. */
  void write(RdbOutput out, byte[] key, long expireAtMs, Value value) throws IOException;

  /** A key and its value as it was captured. */
  void write(RdbOutput out, CapturedEntry entry) throws IOException;
}
