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
    InstantSource clock) {}
