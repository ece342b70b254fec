package io.porteiro.server.net;

import io.porteiro.server.command.Session;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.metrics.ClientLosses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the connections that hold most where all together hold more than {@code
 * maxmemory-clients}. Those with CLIENT NO-EVICT are spared. To be run every second.
 */
final class ClientEviction implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(ClientEviction.class);

  private final ClientRegistry clients;
  private final ServerConfig config;
  private final ClientLosses losses;

  ClientEviction(ClientRegistry clients, ServerConfig config, ClientLosses losses) {
    this.clients = clients;
    this.config = config;
    this.losses = losses;
  }

  @Override
  public void run() {
    long limit = limitBytes();
    if (limit > 0) {
      evict(limit);
    }
  }

  /** 0 is no limit. */
  private long limitBytes() {
    long setting = config.maxmemoryClients();
    return setting >= 0 ? setting : config.maxmemory() / 100 * -setting;
  }

  private void evict(long limit) {
    List<Connection> connections = new ArrayList<>();
    clients.all().forEach(session -> connections.add((Connection) session.peer()));
    long excess = connections.stream().mapToLong(Connection::burdenBytes).sum() - limit;
    if (excess > 0) {
      connections.sort(Comparator.comparingLong(Connection::burdenBytes).reversed());
      evict(connections, excess);
    }
  }

  private void evict(List<Connection> largestFirst, long excess) {
    long left = excess;
    for (Connection connection : largestFirst) {
      Session session = connection.session();
      if (left > 0 && !session.isNoEvict() && !session.isClosing()) {
        left -= connection.burdenBytes();
        log.info("Client {} at {} is evicted", session.id(), connection.address());
        losses.countEvicted();
        connection.close();
      }
    }
  }
}
