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
    Options options = new Options(arguments);
    try (Bench bench = new Bench(options)) {
      System.out.printf(
          "%d rounds of %s s; load of the machine before: %s%n%n",
          options.rounds,
          options.seconds,
          Files.readString(Path.of("/proc/loadavg")).strip());
      for (Scenario scenario : SCENARIOS) {
        if (isWanted(options, scenario)) {
          System.out.printf("## %s%n%n", scenario.name());
          scenario.run(bench);
        }
      }
    }
  }

  /** A name of an operation asks for the commands. */
  private static boolean isWanted(Options options, Scenario scenario) {
    return scenario instanceof Commands ? Commands.isWanted(options) : options.wants(scenario.name());
  }
}
