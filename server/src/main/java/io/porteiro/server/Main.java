package io.porteiro.server;

import io.porteiro.server.config.CommandLine;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.config.FatalConfigException;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.config.Surroundings;
import io.porteiro.server.metrics.MachineMemory;

/** Reads the arguments and starts the server. */
public final class Main {
  private Main() {}

  /**
   * Runs the server until it is shut down.
   *
   * @param arguments those of {@code redis-server}: {@code [config-file] [--name value ...]}
   */
  public static void main(String[] arguments) {
    try {
      switch (CommandLine.parse(arguments, surroundings())) {
        case CommandLine.Print print -> System.out.print(print.text());
        case CommandLine.Start start -> start(start.config());
      }
    } catch (FatalConfigException e) {
      System.err.print(e.getMessage());
      System.exit(1);
    }
  }

  private static Surroundings surroundings() {
    long maxmemory =
        MachineMemory.ofThisProcess().limitBesideHeap(Runtime.getRuntime().maxMemory());
    return new Surroundings(System.in, System.getenv(), maxmemory);
  }

  private static void start(ServerConfig config) throws FatalConfigException {
    Logging.configure(config); // before anything logs
    try {
      if (!new Server(config).start()) {
        System.exit(1);
      }
    } catch (ConfigException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }
}
