package io.porteiro.server.store;

/**
 * One client's WATCH of one key. Whoever changes the key sets the flag under the write lock of its
 * shard; EXEC reads it when it has taken its locks.
 */
public final class Watch {
  /** Heap bytes of a watch besides its key, with its places in the shard's map and the session. */
  private static final long HEAP_BYTES = 240;

  private final int database;
  private final byte[] key;
  private final long hash;
  private final Object owner;
  private volatile boolean changed;

  Watch(int database, byte[] key, long hash, Object owner) {
    this.database = database;
    this.key = key;
    this.hash = hash;
    this.owner = owner;
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

  boolean isOwnedBy(Object other) {
    return owner.equals(other);
  }

  long heapBytes() {
    return HEAP_BYTES + key.length;
  }

  public boolean isChanged() {
    return changed;
  }

  void setChanged() {
    changed = true;
  }
}
