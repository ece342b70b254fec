package io.porteiro.server.command;

import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * How the reads of one client are tracked. Its options never change; CLIENT TRACKING ON makes a new
 * one.
 */
public final class ClientTracking {
  private final TrackingOptions options;
  private final NavigableSet<String> prefixes;
  private volatile boolean redirectBroken;

  /** Whether CLIENT CACHING stands before the next command; own event loop only. */
  private boolean caching;

  ClientTracking(TrackingOptions options, Collection<String> prefixes, boolean caching) {
    this.options = options;
    this.prefixes = new TreeSet<>(prefixes);
    this.caching = caching;
  }

  public TrackingOptions options() {
    return options;
  }

  /** The prefixes it hears of, in order of their bytes; all that were ever asked for. */
  public Collection<String> prefixes() {
    return prefixes;
  }

  /** Whether a message could not be sent because the client it should go to is gone. */
  public boolean isRedirectBroken() {
    return redirectBroken;
  }

  void setRedirectBroken() {
    redirectBroken = true;
  }

  /** Whether CLIENT CACHING makes an exception for the next command. */
  public boolean isCaching() {
    return caching;
  }

  public void setCaching(boolean caching) {
    this.caching = caching;
  }

  /** Whether keys that are read now are to be remembered. */
  boolean remembersReads() {
    if (options.broadcast()) {
      return false;
    }
    return caching ? !options.optOut() : !options.optIn();
  }
}
