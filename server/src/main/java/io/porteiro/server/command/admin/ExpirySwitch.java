package io.porteiro.server.command.admin;

/** Turns the background removal of expired keys on and off: DEBUG SET-ACTIVE-EXPIRE. */
@FunctionalInterface
public interface ExpirySwitch {
  void setEnabled(boolean enabled);
}
