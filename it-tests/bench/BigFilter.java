import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How long it takes to make a filter of a billion items, and what its first adds wait for. */
final class BigFilter implements Scenario {
  private static final long BILLION = 1_000_000_000;
  private static final double RESERVE_TARGET_MS = 10;
  private static final double ADD_TARGET_MS = 2;
  private static final int CONNECTIONS = 50;

  @Override
  public String name() {
    return "big filter";
  }

  @Override
  public void run(Bench bench) throws Exception {
    Table table = new Table("what", "ms (least-most)", "verdict");
    Server server = bench.startOurs(bench.options.transports.getFirst(), 1);
    Spread reserve = reserve(server, 4 * bench.options.rounds);
    table.add(
        "BF.RESERVE of 10^9 items",
        reserve.show(),
        Comparison.verdict(reserve.median(), RESERVE_TARGET_MS));
    addAtHalfLoad(bench, server, table);
    bench.close(server);
    table.print();
  }

  private static Spread reserve(Server server, int times) throws IOException {
    double[] ms = new double[times];
    for (int i = 0; i < times; i++) {
      server.call("DEL", "fresh");
      Server.pause(50);
      long start = System.nanoTime();
      server.call("BF.RESERVE", "fresh", "0.01", "" + BILLION);
      ms[i] = (System.nanoTime() - start) / 1e6;
    }
    return Spread.of(ms);
  }

  /**
   * The first second, in which the helper begins to fault the filter's pages in, does not count.
   * Where Redis is installed it answers PINGs at the same rate in turn: what those wait for is the
   * machine's part.
   */
  private void addAtHalfLoad(Bench bench, Server server, Table table) throws Exception {
    double rate = halfLoad(bench, server);
    Generator.Settings half = atRate(1, 4 * bench.options.seconds, rate);
    Server redis = Bench.isRedisInstalled() ? bench.startRedis() : null;
    List<Run> adds = new ArrayList<>();
    List<Run> pings = new ArrayList<>();
    for (int round = 1; round <= bench.options.rounds; round++) {
      adds.add(add(bench, round, server, half));
      if (redis != null) {
        pings.add(bench.run(name(), round, "redis", redis, Operation.PING, half));
      }
    }
    show(table, String.format(Locale.ROOT, "BF.ADD, fresh 1 GB, %.0f a second", rate), adds, true);
    if (redis != null) {
      show(table, "PING of Redis, likewise", pings, false);
      bench.close(redis);
    }
  }

  /**
   * At how many commands a second the processor is busy half of the time. That is less than half of
   * what it does when many wait: commands that come one by one have a wake-up and two system calls
   * each.
   */
  private double halfLoad(Bench bench, Server server) throws Exception {
    Generator.Settings full =
        Generator.Settings.closedLoop(
            CONNECTIONS, 1, bench.options.warmUpSeconds / 2, 3 * bench.options.seconds);
    double quarter = add(bench, 0, server, full).rate() / 4;
    Generator.Settings oneByOne =
        atRate(bench.options.warmUpSeconds / 2, 4 * bench.options.seconds, quarter);
    return 0.5e6 / add(bench, 0, server, oneByOne).serverMicros();
  }

  private static Generator.Settings atRate(double warmUp, double seconds, double rate) {
    return new Generator.Settings(CONNECTIONS, 1, warmUp, seconds, rate);
  }

  private static void show(Table table, String what, List<Run> runs, boolean judged) {
    Spread p999 = Spread.of(runs, run -> run.p999() / 1e3);
    table.add(what + ": p50", Spread.of(runs, run -> run.p50() / 1e3).show(), "");
    table.add("p99", Spread.of(runs, run -> run.p99() / 1e3).show(), "");
    table.add(
        "p99.9", p999.show(), judged ? Comparison.verdict(p999.median(), ADD_TARGET_MS) : "");
    table.add("longest", Spread.of(runs, run -> run.max() / 1e3).show(), "");
  }

  private Run add(Bench bench, int round, Server server, Generator.Settings settings)
      throws Exception {
    return bench.run(name(), round, "porteiro", server, Operation.ADD_NEW_FRESH, settings);
  }
}
