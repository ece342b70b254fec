import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The load generator, a program in C: it costs less processor time than the servers that it loads.
 */
final class Generator {
  private final Path program;
  private final int core;
  private long next; // a number that no item has yet
  private volatile Process running;

  /** Compiles it. */
  Generator(Path source, Path directory, int core) throws IOException, InterruptedException {
    program = directory.resolve("generate");
    this.core = core;
    Process compiler =
        new ProcessBuilder("gcc", "-O2", "-o", program.toString(), source.toString())
            .inheritIO()
            .start();
    if (compiler.waitFor() != 0) {
      throw new IllegalStateException("gcc does not compile " + source);
    }
  }

  /** How the commands are sent. */
  record Settings(int connections, int pipelining, double warmUp, double seconds, double rate) {
    static Settings closedLoop(int connections, int pipelining, double warmUp, double seconds) {
      return new Settings(connections, pipelining, warmUp, seconds, 0);
    }
  }

  /** Fails where a reply is not the expected one. */
  Run run(Server server, Operation operation, Settings settings)
      throws IOException, InterruptedException {
    running = new ProcessBuilder(command(server, operation, settings)).start();
    String output = new String(running.getInputStream().readAllBytes());
    String errors = new String(running.getErrorStream().readAllBytes());
    if (running.waitFor() != 0) {
      throw new IllegalStateException(operation.title + ": " + errors.strip());
    }
    Run run = Run.parse(output);
    operation.check(run);
    next = run.next();
    return run;
  }

  private List<String> command(Server server, Operation operation, Settings settings) {
    List<String> command = new ArrayList<>(List.of("taskset", "-c", "" + core, "" + program));
    add(command, "--port", server.port());
    add(command, "--pid", server.pid());
    add(command, "--connections", settings.connections);
    add(command, "--pipelining", settings.pipelining);
    add(command, "--warm-up", settings.warmUp);
    add(command, "--seconds", settings.seconds);
    add(command, "--rate", String.format(Locale.ROOT, "%.0f", settings.rate));
    add(command, "--first", next);
    command.addAll(operation.script);
    return command;
  }

  private static void add(List<String> command, String option, Object value) {
    command.add(option);
    command.add(value.toString());
  }

  void stop() throws IOException {
    if (running != null) {
      running.destroyForcibly();
    }
    Files.deleteIfExists(program);
  }
}
