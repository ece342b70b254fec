import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Starts servers on their cores and puts load on them from the last core. Whatever it started ends
 * with it, also where it is interrupted.
 */
final class Bench implements AutoCloseable {
  private static final int CORES = Runtime.getRuntime().availableProcessors();
  private static final List<String> IN_MEMORY = List.of("--save", "", "--appendonly", "no");

  /** What the launcher gives to the virtual machine. */
  static final String JAVA_OPTIONS = "PORTEIRO_JAVA_OPTS";

  final Options options;
  private final Path directory;
  private final Generator generator;
  private final PrintWriter csv;
  private final List<Server> servers = new CopyOnWriteArrayList<>();

  Bench(Options options) throws Exception {
    this.options = options;
    directory = Files.createTempDirectory(options.directory, "load-bench-");
    Path source = options.root.resolve("it-tests/bench/generate.c");
    generator = new Generator(source, directory, CORES - 1);
    csv = options.csv.isEmpty() ? null : new PrintWriter(options.csv);
    toCsv(
        "scenario,round,server,operation,connections,pipelining,commands_per_s,p50_us,p99_us,"
            + "p999_us,max_us,server_us,load_us");
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopAll));
  }

  /** One of ours with so many event loops, each with a core while there are enough. */
  Server startOurs(String transport, int loops, String... more) throws IOException {
    return startOurs("", transport, loops, more);
  }

  /** With further options for its virtual machine. */
  Server startOurs(String javaOptions, String transport, int loops, String... more)
      throws IOException {
    List<String> settings = new ArrayList<>(IN_MEMORY);
    settings.addAll(List.of("--io-transport", transport, "--io-threads", "" + loops));
    settings.addAll(List.of(more));
    String inherited = System.getenv().getOrDefault(JAVA_OPTIONS, "");
    Map<String, String> environment = Map.of(JAVA_OPTIONS, inherited + " " + javaOptions);
    return start(environment, pinned(loops, ours()), settings);
  }

  Server startRedis(String... more) throws IOException {
    List<String> settings = new ArrayList<>(IN_MEMORY);
    settings.addAll(List.of(more));
    return start(Map.of(), pinned(1, "redis-server"), settings);
  }

  private static List<String> pinned(int cores, String program) {
    int last = Math.min(cores, CORES) - 1;
    return List.of("taskset", "-c", "0-" + last, program);
  }

  private Server start(Map<String, String> environment, List<String> program, List<String> settings)
      throws IOException {
    Server server = prepare(environment, program, settings);
    server.start();
    return server;
  }

  /** A server on any core that is not started yet. */
  Server prepare(Map<String, String> environment, List<String> program, List<String> settings)
      throws IOException {
    Server server = new Server(directory, environment, program, settings);
    servers.add(server);
    return server;
  }

  String ours() {
    return options.root.resolve("server/bin/porteiro-server").toString();
  }

  static boolean isRedisInstalled() {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "redis-server")));
  }

  /** Whether the load has a core for itself beside so many event loops. */
  static boolean isLoadApart(int loops) {
    return loops < CORES;
  }

  Run run(
      String scenario,
      int round,
      String name,
      Server server,
      Operation operation,
      Generator.Settings settings)
      throws IOException, InterruptedException {
    operation.data.beforeRun(server);
    Run run = generator.run(server, operation, settings);
    operation.data.afterRun(server);
    toCsv(
        String.format(
            Locale.ROOT,
            "%s,%d,%s,\"%s\",%d,%d,%.0f,%.1f,%.1f,%.1f,%.1f,%.4f,%.4f",
            scenario,
            round,
            name,
            operation.title,
            settings.connections(),
            settings.pipelining(),
            run.rate(),
            run.p50(),
            run.p99(),
            run.p999(),
            run.max(),
            run.serverMicros(),
            run.loadMicros()));
    return run;
  }

  private void toCsv(String line) {
    if (csv != null) {
      csv.println(line);
      csv.flush();
    }
  }

  static void tell(String format, Object... values) {
    System.err.printf(Locale.ROOT, format + "%n", values);
  }

  void close(Server server) throws Exception {
    servers.remove(server);
    server.close();
  }

  private synchronized void stopAll() {
    try {
      generator.stop();
      for (Server server : servers) {
        close(server);
      }
      Files.deleteIfExists(directory);
    } catch (Exception e) {
      tell("%s", e);
    }
  }

  @Override
  public void close() {
    stopAll();
    if (csv != null) {
      csv.close();
    }
  }
}
