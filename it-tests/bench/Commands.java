import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** All commands on all servers: the table with the targets. */
final class Commands implements Scenario {
  private static final double MB = 1e6;
  private static final double OWN_TARGET_MB = 110;
  private static final long FREEING_MS = 2000;

  @Override
  public String name() {
    return "commands";
  }

  @Override
  public void run(Bench bench) throws Exception {
    List<Operation> operations = operations(bench.options);
    List<Comparison.Contestant> contestants = contestants(bench);
    Comparison comparison = new Comparison(name(), bench, contestants, withPing(operations));
    comparison.run();
    comparison.printFigures();
    comparison.printTargets();
    comparison.printWorse();
    printMemory(contestants);
    for (Comparison.Contestant contestant : contestants) {
      bench.close(contestant.server());
    }
  }

  static boolean isWanted(Options options) {
    return !operations(options).isEmpty();
  }

  private static List<Operation> operations(Options options) {
    return Stream.of(Operation.values())
        .filter(Operation::isInTable)
        .filter(operation -> options.wants("commands") || options.wants(operation.title))
        .filter(operation -> !options.isTargets || operation.hasTargets())
        .toList();
  }

  /** The unit of all others. */
  private static List<Operation> withPing(List<Operation> operations) {
    return Stream.concat(Stream.of(Operation.PING), operations.stream()).distinct().toList();
  }

  private static List<Comparison.Contestant> contestants(Bench bench) throws IOException {
    List<Comparison.Contestant> contestants = new ArrayList<>();
    if (Bench.isRedisInstalled()) {
      contestants.add(new Comparison.Contestant("redis", bench.startRedis(), false, false, false));
    }
    for (String server : bench.options.servers) {
      contestants.add(other(server));
    }
    for (String transport : bench.options.transports) {
      for (int loops : bench.options.loops) {
        Server server = bench.startOurs(transport, loops);
        boolean hasTargets = transport.equals("io_uring") && loops == 1;
        String name = "porteiro %s %d".formatted(transport, loops);
        contestants.add(new Comparison.Contestant(name, server, true, true, hasTargets));
      }
    }
    for (String variant : bench.options.variants) {
      contestants.add(variant(bench, variant));
    }
    return contestants;
  }

  /** Ours with other options for its virtual machine: name=options */
  private static Comparison.Contestant variant(Bench bench, String text) throws IOException {
    int equals = text.indexOf('=');
    String transport = bench.options.transports.getFirst();
    Server server =
        bench.startOurs(text.substring(equals + 1), transport, bench.options.loops.getFirst());
    return new Comparison.Contestant(text.substring(0, equals), server, true, true, false);
  }

  /** name=127.0.0.1:port[:pid] */
  private static Comparison.Contestant other(String text) throws IOException {
    String[] parts = text.split("[=:]", -1);
    if (parts.length < 3 || !List.of("127.0.0.1", "localhost").contains(parts[1])) {
      throw new IllegalArgumentException("--server wants name=127.0.0.1:port[:pid]: " + text);
    }
    long pid = parts.length > 3 ? Long.parseLong(parts[3]) : 0;
    Server server = new Server(Integer.parseInt(parts[2]), pid);
    return new Comparison.Contestant(parts[0], server, false, server.knows("BF.ADD"), false);
  }

  /** What is left of it when all keys are gone is the server's own. */
  private static void printMemory(List<Comparison.Contestant> contestants) throws IOException {
    Table table =
        new Table("server", "resident MB after the benchmark", "without the data", "verdict");
    for (Comparison.Contestant contestant : contestants) {
      if (contestant.isStartedHere()) {
        addMemory(table, contestant);
      }
    }
    table.print();
  }

  private static void addMemory(Table table, Comparison.Contestant contestant) throws IOException {
    Server server = contestant.server();
    double loaded = server.residentSetBytes() / MB;
    server.call("FLUSHALL");
    Server.pause(FREEING_MS);
    double own = server.residentSetBytes() / MB;
    table.add(
        contestant.name(),
        Spread.number(loaded),
        Spread.number(own),
        contestant.isOurs() ? Comparison.verdict(own, OWN_TARGET_MB) + " (<= 110)" : "");
  }
}
