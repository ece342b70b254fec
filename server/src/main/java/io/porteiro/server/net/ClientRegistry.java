package io.porteiro.server.net;

import io.porteiro.server.command.Clients;
import io.porteiro.server.command.Session;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** All connections, and whether their commands are held. */
public final class ClientRegistry implements Clients {
  private final ConcurrentSkipListMap<Long, Session> sessions = new ConcurrentSkipListMap<>();
  private final AtomicInteger places = new AtomicInteger();
  private final AtomicLong lastId = new AtomicLong();

  private volatile long pausedUntilMs;
  private volatile boolean writesOnly;

  /** Ids are never used again. */
  long nextId() {
    return lastId.incrementAndGet();
  }

  /** Takes a place for one more connection; false if there are as many as may be. */
  boolean tryEnter(long maxclients) {
    int taken;
    do {
      taken = places.get();
      if (taken >= maxclients) {
        return false;
      }
    } while (!places.compareAndSet(taken, taken + 1));
    return true;
  }

  /** Gives a place back that no session came to take. */
  void leave() {
    places.decrementAndGet();
  }

  void add(Session session) {
    sessions.put(session.id(), session);
  }

  /** The connection is gone, and its place with it. */
  void remove(Session session) {
    if (sessions.remove(session.id()) != null) {
      leave();
    }
  }

  @Override
  public Collection<Session> all() {
    return List.copyOf(sessions.values());
  }

  @Override
  public @Nullable Session byId(long id) {
    return sessions.get(id);
  }

  @Override
  public int count() {
    return places.get();
  }

  @Override
  public synchronized void pause(long untilMs, boolean writesOnly) {
    boolean running = pausedUntilMs > 0;
    this.writesOnly = writesOnly && (!running || this.writesOnly);
    pausedUntilMs = Math.max(pausedUntilMs, untilMs);
  }

  @Override
  public synchronized void unpause() {
    pausedUntilMs = 0;
    sessions.values().forEach(session -> connection(session).resumeSoon());
  }

  @Override
  public boolean isPaused(boolean write, long nowMs) {
    long untilMs = pausedUntilMs;
    if (untilMs == 0 || (!write && writesOnly)) {
      return false;
    }
    if (nowMs < untilMs) {
      return true;
    }
    end(untilMs);
    return false;
  }

  /** The pause is over: the next one starts afresh. */
  private synchronized void end(long untilMs) {
    if (pausedUntilMs == untilMs) {
      pausedUntilMs = 0;
    }
  }

  @Override
  public void hold(Session session) {
    connection(session).hold(pausedUntilMs);
  }

  private static Connection connection(Session session) {
    return (Connection) session.peer();
  }
}
