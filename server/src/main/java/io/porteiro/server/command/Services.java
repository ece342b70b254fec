package io.porteiro.server.command;

import io.porteiro.server.access.AccessLog;
import io.porteiro.server.access.Users;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.metrics.Metrics;
import io.porteiro.server.store.Keyspace;
import java.time.InstantSource;

/** What commands may ask of the rest of the server. */
public record Services(
    CommandTable table,
    Keyspace keyspace,
    ServerConfig config,
    Metrics metrics,
    Journal journal,
    Persistence persistence,
    Clients clients,
    Channels channels,
    Lifecycle lifecycle,
    Users users,
    AccessLog accessLog,
    KeyspaceNotifications notifications,
    Tracking tracking,
    CommandObserver observer,
    InstantSource clock) {
  /**
   * What a log is executed with: the same data, but nobody is told and nothing is counted.
   *
   * @param limitless what decides what a command does, without limits
   * @param commands how many commands there are
   */
  Services forReplay(ServerConfig limitless, int commands) {
    return new Services(
        table,
        keyspace,
        limitless,
        new Metrics(commands),
        Journal.NONE,
        persistence,
        clients,
        channels,
        lifecycle,
        new Users(table.catalog(), () -> true), // of whom the default one may do everything
        accessLog,
        new KeyspaceNotifications(channels),
        new Tracking(clients, keyspace),
        CommandObserver.NONE,
        clock);
  }
}
