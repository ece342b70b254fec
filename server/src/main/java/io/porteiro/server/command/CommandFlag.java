package io.porteiro.server.command;

import java.util.Locale;

/** Properties of a command, as COMMAND INFO lists them; the dispatcher acts on them. */
public enum CommandFlag {
  WRITE,
  READONLY,
  DENYOOM,
  MODULE,
  ADMIN,
  PUBSUB,
  NOSCRIPT,
  BLOCKING,
  LOADING,
  STALE,
  SKIP_MONITOR,
  SKIP_SLOWLOG,
  ASKING,
  FAST,
  NO_AUTH,
  MAY_REPLICATE,
  SENTINEL,
  NO_ASYNC_LOADING,
  NO_MULTI,
  MOVABLEKEYS,
  ALLOW_BUSY;

  /** For sets of them that are asked for every command; never stored. */
  @SuppressWarnings("EnumOrdinal")
  long bit() {
    return 1L << ordinal();
  }

  /** Whether COMMAND INFO lists it; some are for the server itself, in Redis too. */
  public boolean isListed() {
    return this != MAY_REPLICATE && this != SENTINEL;
  }

  /** The name in COMMAND INFO. */
  public String redisName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
