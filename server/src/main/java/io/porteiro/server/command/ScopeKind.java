package io.porteiro.server.command;

/** Which shards a command needs locked. */
public enum ScopeKind {
  /** None: the command does not look at keys. */
  NONE,
  /** Those of its keys, as the key specifications say. */
  KEYS,
  /** Those of its keys, for writing, whatever the key specifications say. */
  KEYS_WRITE,
  /** Those of its keys, for reading, whatever the key specifications say of writing. */
  KEYS_READ,
  /** All, for reading. */
  ALL_READ,
  /** All, for writing. */
  ALL_WRITE,
  /** One after the other, by the command itself; in EXEC all. */
  WALK
}
