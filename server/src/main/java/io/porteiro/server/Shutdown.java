package io.porteiro.server;

import io.porteiro.server.command.Clients;
import io.porteiro.server.command.Lifecycle;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.net.NetworkServer;
import io.porteiro.server.persistence.LogPersistence;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of the process, by SHUTDOWN or by signal: all clients are held, so that nothing is
 * acknowledged that the log or the last snapshot lacks; then the log is brought to the disk, and
 * the data are saved; then the connections closed.
 *
 * <p>Where saving fails the process goes on and serves its clients, unless it is forced: the data
 * in memory may be the only ones.
 */
final class Shutdown implements Lifecycle {
  private static final Logger log = LoggerFactory.getLogger(Shutdown.class);

  private final ServerConfig config;
  private final LogPersistence persistence;
  private final Clients clients;
  private @Nullable NetworkServer network;
  private boolean running;

  Shutdown(ServerConfig config, LogPersistence persistence, Clients clients) {
    this.config = config;
    this.persistence = persistence;
    this.clients = clients;
  }

  void setNetwork(NetworkServer network) {
    this.network = network;
  }

  /** SIGTERM and SIGINT end the process as their directives say. */
  void onSignals() {
    Signals.handle("TERM", () -> onSignal("SIGTERM", config.shutdownOnSigterm(), true));
    Signals.handle("INT", () -> onSignal("SIGINT", config.shutdownOnSigint(), false));
  }

  /**
   * Ends as the options say.
   *
   * @param logSuffices whether by default no snapshot is written where the log is on: supervisors
   *     wait only so long
   */
  private void onSignal(String name, List<String> options, boolean logSuffices) {
    log.info("Received {}: shutting down", name);
    boolean force = options.contains("force");
    if (options.contains("save")) {
      shutdown(true, force, _ -> {});
    } else if (options.contains("nosave")) {
      shutdown(false, true, _ -> {});
    } else {
      boolean logged = logSuffices && persistence.hasLog();
      shutdown(!logged && !config.save().isEmpty(), force, _ -> {});
    }
  }

  @Override
  public void shutdown(SaveMode mode, boolean now, boolean force, Consumer<String> failed) {
    shutdown(isSaving(mode), force || mode == SaveMode.NOSAVE, failed);
  }

  private void shutdown(boolean snapshot, boolean force, Consumer<String> failed) {
    if (!begin()) {
      failed.accept("ERR Errors trying to SHUTDOWN. Check logs.");
      return;
    }
    Thread.ofPlatform().name("shutdown").start(() -> run(snapshot, force, failed));
  }

  private synchronized boolean begin() {
    boolean first = !running;
    running = true;
    return first;
  }

  /** Whether the end has begun. */
  synchronized boolean isRunning() {
    return running;
  }

  private synchronized void giveUp() {
    running = false;
  }

  private void run(boolean snapshot, boolean force, Consumer<String> failed) {
    clients.pause(Long.MAX_VALUE, false);
    Objects.requireNonNull(network).awaitQuiet();
    persistence.stop();
    if (persistence.isLoading()) {
      exit();
    } else if (endLog(force, failed)) {
      endWith(snapshot, force, failed);
    }
  }

  /** Brings the log to the disk; false if that fails and the server goes on. */
  private boolean endLog(boolean force, Consumer<String> failed) {
    try {
      persistence.syncLog();
    } catch (IOException e) {
      if (!force) {
        goOn(e.toString(), failed);
        return false;
      }
      log.error("The end of the log could not be written: {}", e.toString());
    }
    return true;
  }

  private void endWith(boolean snapshot, boolean force, Consumer<String> failed) {
    if (!snapshot) {
      exit();
      return;
    }
    log.info("Saving the final snapshot");
    boolean begun =
        persistence.save(error -> {
          if (error == null || force) {
            exit();
          } else {
            goOn(error, failed);
          }
        });
    if (!begun) {
      goOn("a save is running", failed);
    }
  }

  private boolean isSaving(SaveMode mode) {
    return switch (mode) {
      case SAVE -> true;
      case NOSAVE -> false;
      case DEFAULT -> !config.save().isEmpty();
    };
  }

  private void goOn(String error, Consumer<String> failed) {
    log.error(
        "Saving failed ({}), so the server goes on: it holds the only copy of the data. Make room,"
            + " or SHUTDOWN NOSAVE",
        error);
    persistence.start();
    clients.unpause();
    giveUp();
    failed.accept("ERR Errors trying to SHUTDOWN. Check logs.");
  }

  private void exit() {
    Objects.requireNonNull(network).close();
    PidFile.delete(config);
    log.info("Porteiro ends, bye");
    Runtime.getRuntime().halt(0);
  }

  /**
   * Saving holds the only state that could be given up, and it is bounded: there is nothing to
   * abort.
   */
  @Override
  public boolean abortShutdown() {
    return false;
  }

  @Override
  public void halt(String reason, Throwable cause) {
    log.error(
        "{}: the process ends, because what it holds can no longer be trusted", reason, cause);
    Runtime.getRuntime().halt(1);
  }
}
