package io.porteiro.server.command;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The clients of a {@link CommandHarness}. */
public final class FakeClients implements Clients {
  private final Map<Long, HarnessClient> clients = new ConcurrentSkipListMap<>();
  private final List<Session> held = new ArrayList<>();
  private long pausedUntilMs = Long.MIN_VALUE;
  private boolean writesOnly = true;

  void add(HarnessClient client) {
    clients.put(client.session().id(), client);
  }

  void remove(HarnessClient client) {
    clients.remove(client.session().id());
  }

  @Override
  public Collection<Session> all() {
    return clients.values().stream().map(HarnessClient::session).toList();
  }

  @Override
  public @Nullable Session byId(long id) {
    HarnessClient client = clients.get(id);
    return client == null ? null : client.session();
  }

  @Override
  public int count() {
    return clients.size();
  }

  @Override
  public synchronized void pause(long untilMs, boolean newWritesOnly) {
    pausedUntilMs = Math.max(pausedUntilMs, untilMs);
    writesOnly = writesOnly && newWritesOnly;
  }

  @Override
  public void unpause() {
    List<Session> released;
    synchronized (this) {
      pausedUntilMs = Long.MIN_VALUE;
      writesOnly = true;
      released = List.copyOf(held);
      held.clear();
    }
    released.forEach(session -> {
      HarnessClient client = clients.get(session.id());
      if (client != null) {
        client.resume();
      }
    });
  }

  @Override
  public synchronized boolean isPaused(boolean write, long nowMs) {
    return nowMs < pausedUntilMs && (write || !writesOnly);
  }

  @Override
  public synchronized void hold(Session session) {
    held.add(session);
  }

  /** How many clients are held. */
  public synchronized int held() {
    return held.size();
  }
}
