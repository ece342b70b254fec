package io.porteiro.server.store;

import org.jspecify.annotations.Nullable;

/** Hears of every change to the keyspace, under the write lock of the key's shard. */
public interface ChangeListener {
  /**
   * A key was changed, created or deleted. The key's bytes are only the listener's until it
   * returns.
   */
  void changed(int database, Key key, @Nullable KeyspaceEvent event);

  /** A key was removed because its time had passed. */
  void expired(int database, Entry entry);
}
