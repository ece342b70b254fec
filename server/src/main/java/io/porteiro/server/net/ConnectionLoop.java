package io.porteiro.server.net;

import io.netty.buffer.ByteBufAllocator;
import io.porteiro.protocol.RequestBatch;
import io.porteiro.server.command.CommandDispatcher;
import io.porteiro.server.command.Journal;
import io.porteiro.server.command.Services;
import io.porteiro.server.metrics.LoopMetrics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** What the connections of one event loop share; used on its thread only. */
final class ConnectionLoop {
  private final CommandDispatcher dispatcher;
  private final Consumer<String> errorListener;
  private final RequestBatch batch = new RequestBatch(ByteBufAllocator.DEFAULT);
  private final Set<Connection> connections = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Executor executor;
  private final Journal journal;

  /** Connections with output that waits for the log. */
  private List<Connection> awaitingLog = new ArrayList<>();

  /** Emptied at the end of each turn, and used again. */
  private List<Connection> releasing = new ArrayList<>();

  private final Runnable endTurn = this::endTurn;
  private final Runnable release = this::release;
  private final Runnable released = this::released;
  private boolean turnEnds;

  /** Set before the log is asked, so that it tells us whenever it goes on after that. */
  private volatile boolean waits;

  private final AtomicBoolean releaseScheduled = new AtomicBoolean();

  /**
   * @param executor runs tasks on this loop, at the end of its turn
   */
  ConnectionLoop(Services services, Executor executor) {
    this.dispatcher = new CommandDispatcher(services);
    this.errorListener = dispatcher::errorReplied;
    this.executor = executor;
    this.journal = services.journal();
    journal.onRelease(released);
  }

  Journal journal() {
    return journal;
  }

  // ---- output that waits for the log

  /** Has the connection's output sent when the log permits it, at the end of this turn at best. */
  void awaitLog(Connection connection) {
    awaitingLog.add(connection);
    waits = true;
    if (!turnEnds) {
      turnEnds = true;
      executor.execute(endTurn);
    }
  }

  private void endTurn() {
    turnEnds = false;
    journal.endTurn(released);
    release();
  }

  /** Any thread: the log has gone on. */
  private void released() {
    if (waits && releaseScheduled.compareAndSet(false, true)) {
      executor.execute(release);
    }
  }

  private void release() {
    releaseScheduled.set(false);
    List<Connection> candidates = awaitingLog;
    awaitingLog = releasing;
    releasing = candidates;
    for (int i = 0; i < candidates.size(); i++) {
      Connection connection = candidates.get(i);
      if (!connection.sendIfLogged()) {
        awaitingLog.add(connection);
      }
    }
    candidates.clear();
    waits = !awaitingLog.isEmpty();
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
  }

  /** Those that are still there close unanswered: Netty does not, where a loop ends at once. */
  void abandonAll() {
    copyOfConnections().forEach(Connection::abandon);
    batch.close();
  }

  private List<Connection> copyOfConnections() {
    return new ArrayList<>(connections);
  }
}
