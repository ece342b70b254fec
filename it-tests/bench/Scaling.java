import java.util.ArrayList;
import java.util.List;

/** What a second event loop brings to one hot filter. */
final class Scaling implements Scenario {
  private static final double TARGET = 1.7;
  private static final int CONNECTIONS = 16;
  private static final int PIPELINING = 16;

  @Override
  public String name() {
    return "scaling";
  }

  @Override
  public void run(Bench bench) throws Exception {
    Table table =
        new Table(
            "BF.MEXISTS of 100", "kcmd/s, 1 loop", "2 loops", "rate", "CPU us/cmd", "verdict");
    String transport = bench.options.transports.getFirst();
    List<Server> servers = List.of(bench.startOurs(transport, 1), bench.startOurs(transport, 2));
    for (Operation operation : List.of(Operation.MEXISTS_HITS_1M, Operation.MEXISTS_HITS_400M)) {
      for (Server server : servers) {
        operation.data.fill(server);
      }
      compare(bench, servers, operation, table);
    }
    for (Server server : servers) {
      bench.close(server);
    }
    table.print();
    if (!Bench.isLoadApart(2)) {
      System.out.println(
          "The load shares a core with the second loop here, which costs it a part.\n");
    }
  }

  private void compare(Bench bench, List<Server> servers, Operation operation, Table table)
      throws Exception {
    List<List<Run>> runs = List.of(new ArrayList<>(), new ArrayList<>());
    for (int round = 0; round <= bench.options.rounds; round++) {
      for (int i = 0; i < servers.size(); i++) {
        double seconds = round == 0 ? 5 * bench.options.seconds : bench.options.seconds;
        Run run = measure(bench, round, servers.get(i), operation, seconds);
        if (round > 0) { // the compiler has seen it
          runs.get(i).add(run);
        }
      }
    }
    Spread gain = Spread.ofRatios(runs.get(1), runs.get(0), Run::rate);
    table.add(
        operation.title,
        Spread.of(runs.get(0), Run::rate).show(1e3),
        Spread.of(runs.get(1), Run::rate).show(1e3),
        gain.show(),
        Spread.number(Spread.of(runs.get(0), Run::serverMicros).median())
            + ", "
            + Spread.number(Spread.of(runs.get(1), Run::serverMicros).median()),
        gain.median() * 1.1 >= TARGET ? "met" : "MISSED (>= " + TARGET + ")");
  }

  private Run measure(Bench bench, int round, Server server, Operation operation, double seconds)
      throws Exception {
    return bench.run(
        name(),
        round,
        "porteiro",
        server,
        operation,
        Generator.Settings.closedLoop(CONNECTIONS, PIPELINING, 0.2, seconds));
  }
}
