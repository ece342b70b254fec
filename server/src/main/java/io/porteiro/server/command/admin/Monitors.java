package io.porteiro.server.command.admin;

import io.porteiro.protocol.Request;
import io.porteiro.server.command.Clients;
import io.porteiro.server.command.Session;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The connections that MONITOR shows every command. Any thread. */
final class Monitors {
  private final Map<Session, Clients> monitors = new ConcurrentHashMap<>();

  void add(Session session, Clients clients) {
    session.setMonitor(true);
    monitors.put(session, clients);
  }

  boolean isEmpty() {
    return monitors.isEmpty();
  }

  /** Shows a command to all; drops who has left or was reset. */
  void show(Session session, Request request, long nowMs) {
    monitors.entrySet().removeIf(entry -> hasLeft(entry.getKey(), entry.getValue()));
    if (!isEmpty()) {
      String line = line(session, request, nowMs);
      monitors.keySet().forEach(m -> m.peer().push(reply -> reply.simpleString(line)));
    }
  }

  private static boolean hasLeft(Session monitor, Clients clients) {
    return !monitor.isMonitor() || clients.byId(monitor.id()) != monitor;
  }

  private static String line(Session session, Request request, long nowMs) {
    StringBuilder line = new StringBuilder();
    line.append(nowMs / 1000).append('.').append(String.format("%06d", nowMs % 1000 * 1000));
    line.append(" [").append(session.database()).append(' ').append(address(session)).append(']');
    for (int i = 0; i < request.count(); i++) {
      line.append(' ').append(QuotedText.of(request.text(i)));
    }
    return line.toString();
  }

  private static String address(Session session) {
    return session.peer().isUnixSocket()
        ? "unix:" + session.peer().address()
        : session.peer().address();
  }
}
