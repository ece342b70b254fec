package io.porteiro.server.command.admin;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.Clients;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Session;
import io.porteiro.server.config.ServerConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The connections that MONITOR shows every command. Any thread. */
final class Monitors {
  private final Map<Session, Clients> monitors = new ConcurrentHashMap<>();
  private final ServerConfig config;

  Monitors(ServerConfig config) {
    this.config = config;
  }

  void add(Session session, Clients clients) {
    session.setMonitor(true);
    monitors.put(session, clients);
  }

  boolean isEmpty() {
    return monitors.isEmpty();
  }

  /** Shows a command to all; drops who has left or was reset. */
  void show(Session session, CommandSpec spec, Request request, long nowMs) {
    monitors.entrySet().removeIf(entry -> hasLeft(entry.getKey(), entry.getValue()));
    if (!isEmpty()) {
      String line = line(session, spec, request, nowMs);
      monitors.keySet().forEach(m -> m.peer().push(reply -> show(m, line, reply)));
    }
  }

  /** Not after its own RESET. */
  private static void show(Session monitor, String line, ReplyWriter reply) {
    if (monitor.isMonitor()) {
      reply.simpleString(line);
    }
  }

  private static boolean hasLeft(Session monitor, Clients clients) {
    return !monitor.isMonitor() || clients.byId(monitor.id()) != monitor;
  }

  private String line(Session session, CommandSpec spec, Request request, long nowMs) {
    StringBuilder line = new StringBuilder();
    line.append(nowMs / 1000).append('.').append(String.format("%06d", nowMs % 1000 * 1000));
    line.append(" [")
        .append(database(session, spec, request))
        .append(' ')
        .append(address(session))
        .append(']');
    for (int i = 0; i < request.count(); i++) {
      line.append(' ').append(QuotedText.of(argument(spec, request, i)));
    }
    return line.toString();
  }

  /** As it is after the command: SELECT is shown in the database that it selects. */
  private int database(Session session, CommandSpec spec, Request request) {
    if (spec.name().equals("select")) {
      for (int database = 0; database < config.databases(); database++) {
        if (request.text(1).equals(Integer.toString(database))) {
          return database;
        }
      }
    }
    return session.database();
  }

  private String argument(CommandSpec spec, Request request, int index) {
    return ShownArguments.isSecret(spec, request, index, config)
        ? ShownArguments.REDACTED
        : request.text(index);
  }

  private static String address(Session session) {
    return session.peer().isUnixSocket()
        ? "unix:" + session.peer().address()
        : session.peer().address();
  }
}
