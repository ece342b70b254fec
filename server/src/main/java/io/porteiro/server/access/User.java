package io.porteiro.server.access;

import java.util.Locale;

/**
 * Someone who may log in. Connections hold the user, and see a change of the rules at once: it
 * replaces the rights.
 */
public final class User {
  /** The user of connections that have not logged in. */
  public static final String DEFAULT = "default";

  private final String name;
  private volatile Rights rights;
  private volatile boolean removed;

  User(String name, Rights rights) {
    this.name = name;
    this.rights = rights;
  }

  /** Each character one byte. */
  public String name() {
    return name;
  }

  public boolean isDefault() {
    return name.equals(DEFAULT);
  }

  public Rights rights() {
    return rights;
  }

  void setRights(Rights rights) {
    this.rights = rights;
  }

  /** Whether the user is no more: nothing is permitted to connections that are still there. */
  public boolean isRemoved() {
    return removed;
  }

  void remove(Rights none) {
    removed = true;
    rights = none;
  }

  /** Whether a password, as bytes, lets one log in. */
  boolean admits(PasswordHash password) {
    return !removed && rights.admits(password);
  }

  /** The line of a configuration that makes the user anew. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "user %s %s", name, rights);
  }
}
