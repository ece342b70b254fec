import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a server costs that has just been started, with its own defaults and on any core. */
final class Startup implements Scenario {
  private static final double PONG_TARGET_MS = 450;
  private static final double IDLE_TARGET_MB = 75;
  private static final long POLL_MS = 1;
  private static final long IDLE_MS = 1000;

  @Override
  public String name() {
    return "start";
  }

  @Override
  public void run(Bench bench) throws Exception {
    Table table = new Table("server", "what", "median (least-most)", "verdict");
    measure(bench, "porteiro", bench.ours(), true, table);
    if (Bench.isRedisInstalled()) {
      measure(bench, "redis", "redis-server", false, table);
    }
    table.print();
  }

  private static void measure(Bench bench, String name, String program, boolean isOurs, Table table)
      throws Exception {
    List<Double> pongMs = new ArrayList<>();
    List<Double> idleMb = new ArrayList<>();
    for (int i = 0; i < 2 * bench.options.rounds; i++) {
      Server server = bench.prepare(Map.of(), List.of(program), List.of());
      long start = System.nanoTime();
      server.start(POLL_MS);
      pongMs.add((System.nanoTime() - start) / 1e6);
      Server.pause(IDLE_MS);
      idleMb.add(server.residentSetBytes() / 1e6);
      bench.close(server);
    }
    add(table, name, "first PONG after exec, ms", pongMs, isOurs ? PONG_TARGET_MS : Double.NaN);
    add(table, name, "resident when idle, MB", idleMb, isOurs ? IDLE_TARGET_MB : Double.NaN);
  }

  private static void add(
      Table table, String name, String what, List<Double> values, double target) {
    Spread spread = Spread.of(values.stream().mapToDouble(v -> v).toArray());
    table.add(
        name,
        what,
        spread.show(),
        Double.isNaN(target)
            ? ""
            : Comparison.verdict(spread.median(), target) + " (<= " + Spread.number(target) + ")");
  }
}
