package io.porteiro.it.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A real PostgreSQL with an empty database, on a free loopback port. Where Debian's package is not
 * installed, the tests that need it are reported as skipped. {@link #close} ends it and removes its
 * files.
 */
public final class PostgresProcess implements AutoCloseable {
  private static final Path PACKAGES = Path.of("/usr/lib/postgresql");

  /** PostgreSQL refuses to run as root; its package makes this user. */
  private static final String USER = "postgres";

  private final Path programs;
  private final Path directory;
  private final int port = RespProcess.freePort();
  private @Nullable Process process;

  private PostgresProcess(Path programs) throws IOException {
    this.programs = programs;
    directory = Files.createTempDirectory("porteiro-pg-");
  }

  /** A database that takes connections. */
  public static PostgresProcess started() throws IOException, InterruptedException {
    Optional<Path> programs = programs();
    Assumptions.assumeTrue(programs.isPresent(), "PostgreSQL's server is not installed");
    PostgresProcess postgres = new PostgresProcess(programs.orElseThrow());
    try {
      postgres.start();
      return postgres;
    } catch (IOException | IllegalStateException e) {
      postgres.close();
      throw e;
    }
  }

  private static Optional<Path> programs() throws IOException {
    if (!Files.isDirectory(PACKAGES)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(PACKAGES)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder());
    }
  }

  private void start() throws IOException, InterruptedException {
    if (isRoot()) {
      Files.setOwner(
          directory,
          directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
    }
    String data = directory.resolve("data").toString();
    Process initdb =
        launch("initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync");
    if (initdb.waitFor() != 0) {
      throw new IllegalStateException("initdb failed:\n" + log());
    }
    process =
        launch(
            "postgres",
            "-D",
            data,
            "-p",
            Integer.toString(port),
            "-h",
            "127.0.0.1",
            "-k",
            directory.toString(),
            "-F"); // no fsync: it is not the one that is killed
    Eventually.holds("PostgreSQL listens", this::listens);
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private Process launch(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"));
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
        .start();
  }

  private boolean listens() {
    if (process == null || !process.isAlive()) {
      throw new IllegalStateException("PostgreSQL ended:\n" + log());
    }
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return log().contains("ready to accept connections");
    } catch (IOException e) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(directory.resolve("log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For JDBC; no password is asked for. */
  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  public String user() {
    return USER;
  }

  @Override
  public void close() throws IOException {
    if (process != null && process.isAlive()) {
      end(process);
    }
    Files.walkFileTree(directory, new Deletion());
  }

  /** At once: TERM would wait for its clients. */
  private static void end(Process process) throws IOException {
    new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start();
    Eventually.holds("PostgreSQL ends", () -> !process.isAlive());
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
