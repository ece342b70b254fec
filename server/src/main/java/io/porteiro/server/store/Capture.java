package io.porteiro.server.store;

/** A running snapshot, as writers see it: what belongs to it is captured before it changes. */
public interface Capture {
  /**
   * Called under the shard's write lock with an entry that was created or captured in an older
   * epoch.
   */
  void capture(int database, Entry entry);

  /**
   * Called under the shard's write lock with a table that was flushed and is out of reach.
   *
   * @return whether the snapshot still needs it; then it {@link Keyspace#discard discards} it later
   */
  boolean keep(KeyTable flushed);
}
