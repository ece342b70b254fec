package io.porteiro.server.store;

import org.jspecify.annotations.Nullable;

/** Nobody is told: of what is loaded, or where a scope only reads. */
public enum SilentListener implements ChangeListener {
  INSTANCE;

  @Override
  public void changed(int database, Key key, @Nullable KeyspaceEvent event) {}

  @Override
  public void expired(int database, Entry entry) {}
}
