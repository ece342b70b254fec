import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a change costs with the log on. */
final class AppendOnly implements Scenario {
  private static final String[] LOG = {
    "--appendonly", "yes", "--appendfsync", "everysec", "--auto-aof-rewrite-percentage", "0"
  };
  private static final double TARGET = 0.8;

  @Override
  public String name() {
    return "appendonly";
  }

  @Override
  public void run(Bench bench) throws Exception {
    List<Comparison.Contestant> contestants = contestants(bench);
    Comparison comparison =
        new Comparison(
            name(), bench, contestants, List.of(Operation.PFADD_CHANGING, Operation.ADD_NEW_10M));
    comparison.run();
    comparison.printFigures();
    comparison.printRatios(Operation.PFADD_CHANGING, TARGET);
    for (Comparison.Contestant contestant : contestants) {
      bench.close(contestant.server());
    }
  }

  private static List<Comparison.Contestant> contestants(Bench bench) throws IOException {
    List<Comparison.Contestant> contestants = new ArrayList<>();
    if (Bench.isRedisInstalled()) {
      contestants.add(
          new Comparison.Contestant("redis", bench.startRedis(LOG), false, false, false));
    }
    Server ours = bench.startOurs(bench.options.transports.getFirst(), 1, LOG);
    contestants.add(new Comparison.Contestant("porteiro", ours, true, true, false));
    return contestants;
  }
}
