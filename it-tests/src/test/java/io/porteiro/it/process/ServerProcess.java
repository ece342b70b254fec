package io.porteiro.it.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The packaged server, started as a user starts it: by {@code server/bin/porteiro-server}. */
public final class ServerProcess extends RespProcess {
  private static final Path ROOT = Path.of(System.getProperty("porteiro.root", "..")).normalize();

  private ServerProcess(List<String> arguments) {
    super(arguments);
  }

  /** A server that answers, with an empty directory and without save points. */
  public static ServerProcess started(String... arguments) {
    ServerProcess server = prepared(arguments);
    try {
      server.start();
      return server;
    } catch (IllegalStateException e) {
      server.close();
      throw e;
    }
  }

  /** A server not started yet: its directory can be filled first. */
  public static ServerProcess prepared(String... arguments) {
    return new ServerProcess(
        Stream.concat(Stream.of("--save", "", "--appendonly", "no"), Stream.of(arguments))
            .toList());
  }

  /** A server that keeps an append-only log, not started yet. */
  public static ServerProcess preparedWithLog(String... arguments) {
    return prepared(
        Stream.concat(Stream.of("--appendonly", "yes"), Stream.of(arguments))
            .toArray(String[]::new));
  }

  /** A server that answers, with an append-only log in an empty directory. */
  public static ServerProcess startedWithLog(String... arguments) {
    return started(
        Stream.concat(Stream.of("--appendonly", "yes"), Stream.of(arguments))
            .toArray(String[]::new));
  }

  /** The checkout that is tested. */
  public static Path root() {
    return ROOT.toAbsolutePath().normalize();
  }

  @Override
  List<String> command() {
    return List.of(root().resolve("server/bin/porteiro-server").toString());
  }

  @Override
  Map<String, String> environment() {
    return Map.of("PORTEIRO_JAVA_OPTS", System.getProperty("porteiro.java.opts", ""));
  }
}
