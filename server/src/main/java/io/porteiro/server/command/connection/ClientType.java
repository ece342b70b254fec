package io.porteiro.server.command.connection;

import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Session;
import java.util.Locale;

/** The classes of clients that CLIENT LIST and CLIENT KILL tell apart. */
enum ClientType {
  NORMAL,
  PUBSUB,
  MASTER,
  REPLICA;

  static ClientType named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "normal" -> NORMAL;
      case "pubsub" -> PUBSUB;
      case "master" -> MASTER;
      case "replica", "slave" -> REPLICA;
      default -> throw new CommandException("ERR Unknown client type '" + name + "'");
    };
  }

  boolean includes(Session session) {
    return switch (this) {
      case NORMAL -> !session.isSubscriber();
      case PUBSUB -> session.isSubscriber();
      case MASTER, REPLICA -> false;
    };
  }
}
