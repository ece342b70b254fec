package io.porteiro.server.store;

/**
 * One client's WATCH of one key. Whoever changes the key sets the flag under the write lock of its
 * shard; EXEC reads it when it has taken its locks.
 */
public final class Watch {
  private final int database;
  private final byte[] key;
  private final long hash;
  private final boolean expiredAtWatch;
  private volatile boolean changed;

  Watch(int database, byte[] key, long hash, boolean expiredAtWatch) {
    this.database = database;
    this.key = key;
    this.hash = hash;
    this.expiredAtWatch = expiredAtWatch;
  }

  public int database() {
    return database;
  }

  public byte[] key() {
    return key;
  }

  long hash() {
    return hash;
  }

  /** Whether the key was there but past its time when WATCH came: its removal then is no change. */
  boolean expiredAtWatch() {
    return expiredAtWatch;
  }

  public boolean isChanged() {
    return changed;
  }

  void setChanged() {
    changed = true;
  }
}
