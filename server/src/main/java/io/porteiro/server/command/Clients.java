package io.porteiro.server.command;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** All connections. Any thread may ask. */
public interface Clients {
  /** Those connected now, in order of their ids. */
  Collection<Session> all();

  @Nullable Session byId(long id);

  int count();

  /**
   * Holds commands until a time: {@link CommandDispatcher} does not execute them, the connections
   * are not read from. A later pause can only extend and widen.
   *
   * @param untilMs Unix milliseconds
   * @param writesOnly whether commands that only read go on
   */
  void pause(long untilMs, boolean writesOnly);

  /** Ends the pause; what was held goes on. */
  void unpause();

  /** Whether a command of this kind is held now. */
  boolean isPaused(boolean write, long nowMs);

  /** Keeps a connection from being read until the pause ends. On its event loop. */
  void hold(Session session);
}
