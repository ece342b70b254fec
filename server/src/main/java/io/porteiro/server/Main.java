package io.porteiro.server;

import io.porteiro.server.config.CommandLine;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.config.FatalConfigException;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.config.Surroundings;
import io.porteiro.server.metrics.MachineMemory;

/** Reads the arguments and starts the server. */
public final class Main {
  /** How many of its buffers Netty watches, to report those that were never released. */
  private static final String LEAK_DETECTION = "io.netty.leakDetection.level";

  /** What tells this machine in the identifiers that Netty gives to connections. */
  private static final String MACHINE = "io.netty.machineId";

  private Main() {}

  /**
   * Runs the server until it is shut down.
   *
   * @param arguments those of {@code redis-server}: {@code [config-file] [--name value ...]}
   */
  public static void main(String[] arguments) {
    try {
      // No switch: one over types is compiled when it is first reached, which takes milliseconds.
      CommandLine.Wish wish = CommandLine.parse(arguments, surroundings());
      if (wish instanceof CommandLine.Print print) {
        System.out.print(print.text());
      } else if (wish instanceof CommandLine.Start start) {
        start(start.config());
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
    leaveLeakDetectionToTests(); // before Netty is there, and so the next
    nameNoMachine();
    try {
      if (!new Server(config).start()) {
        System.exit(1);
      }
    } catch (ConfigException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  /**
   * Watching one buffer of 128, as Netty does unless told otherwise, takes a tenth of the processor
   * time that pipelined commands cost. Tests keep it, and whoever sets the property.
   */
  private static void leaveLeakDetectionToTests() {
    if (System.getProperty(LEAK_DETECTION) == null) {
      System.setProperty(LEAK_DETECTION, "disabled");
    }
  }

  /** Netty would ask all network interfaces for their addresses; nobody reads its identifiers. */
  private static void nameNoMachine() {
    if (System.getProperty(MACHINE) == null) {
      System.setProperty(MACHINE, "00:00:00:00:00:00");
    }
  }
}
