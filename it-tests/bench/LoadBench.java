import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Prints how fast the server is and what it costs, beside Redis. */
public final class LoadBench {
  private static final List<Scenario> SCENARIOS =
      List.of(
          new Startup(),
          new Commands(),
          new AppendOnly(),
          new Scaling(),
          new BigFilter(),
          new Allocation(),
          new SmallKeys());

  private LoadBench() {}

  public static void main(String[] arguments) throws Exception {
    try {
      run(new Options(arguments));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  private static void run(Options options) throws Exception {
    if (SCENARIOS.stream().noneMatch(scenario -> isWanted(options, scenario))) {
      throw new IllegalArgumentException(
          "nothing is called " + options.only + "; scenarios: " + scenarioNames());
    }
    try (Bench bench = new Bench(options)) {
      printConditions(options);
      for (Scenario scenario : SCENARIOS) {
        if (isWanted(options, scenario)) {
          System.out.printf("## %s%n%n", scenario.name());
          scenario.run(bench);
        }
      }
    }
  }

  private static List<String> scenarioNames() {
    return SCENARIOS.stream().map(Scenario::name).toList();
  }

  /** A name of an operation asks for the commands. */
  private static boolean isWanted(Options options, Scenario scenario) {
    return scenario instanceof Commands
        ? Commands.isWanted(options)
        : options.wants(scenario.name());
  }

  private static void printConditions(Options options) throws Exception {
    System.out.printf(
        "%s, %d cores, Linux %s, Java %s, %s%n",
        line("grep", "-m1", "model name", "/proc/cpuinfo").replaceFirst(".*: ", ""),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.version"),
        System.getProperty("java.vendor.version"),
        Bench.isRedisInstalled() ? line("redis-server", "--version") : "no Redis");
    System.out.printf(
        "commit %s; %d rounds of %s s; load of the machine before: %s%n%n",
        line("git", "-C", options.root.toString(), "rev-parse", "--short", "HEAD"),
        options.rounds,
        options.seconds,
        Files.readString(Path.of("/proc/loadavg")).strip());
  }

  private static String line(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes()).strip();
  }
}
