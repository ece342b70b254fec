package io.porteiro.server.persistence;

import io.porteiro.server.store.ChangeListener;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import org.jspecify.annotations.Nullable;

/** Saving changes nothing, and of what is loaded nobody is told. */
enum SilentListener implements ChangeListener {
  INSTANCE;

  @Override
  public void changed(int database, Key key, @Nullable KeyspaceEvent event) {}

  @Override
  public void expired(int database, Entry entry) {}
}
