package io.porteiro.server.net;

import io.netty.buffer.ByteBufAllocator;
import io.porteiro.protocol.RequestBatch;
import io.porteiro.server.command.CommandDispatcher;
import io.porteiro.server.command.Services;
import io.porteiro.server.metrics.LoopMetrics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What the connections of one event loop share; used on its thread only. */
final class ConnectionLoop {
  private final CommandDispatcher dispatcher;
  private final Consumer<String> errorListener;
  private final RequestBatch batch = new RequestBatch(ByteBufAllocator.DEFAULT);
  private final Set<Connection> connections = Collections.newSetFromMap(new IdentityHashMap<>());

  ConnectionLoop(Services services) {
    this.dispatcher = new CommandDispatcher(services);
    this.errorListener = dispatcher::errorReplied;
  }

  CommandDispatcher dispatcher() {
    return dispatcher;
  }

  Consumer<String> errorListener() {
    return errorListener;
  }

  RequestBatch batch() {
    return batch;
  }

  LoopMetrics metrics() {
    return dispatcher.metrics();
  }

  void add(Connection connection) {
    connections.add(connection);
  }

  void remove(Connection connection) {
    connections.remove(connection);
  }

  /** Once a second: idle clients, output limits, memory count. */
  void tick(long nowMs) {
    copyOfConnections().forEach(connection -> connection.tick(nowMs));
  }

  /** The server ends: what is written is sent, then the connections close. */
  void closeAll() {
    copyOfConnections().forEach(Connection::closeAfterFlush);
    batch.close();
  }

  private List<Connection> copyOfConnections() {
    return new ArrayList<>(connections);
  }
}
