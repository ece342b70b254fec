import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Servers that are given the same commands in turn. The first is the one that the others are
 * compared with.
 */
final class Comparison {
  private static final int WARM_UP_ROUND = 0;
  private static final double SETTLE_SECONDS = 0.2;
  private static final double LONGEST_WARM_UP = 3; // of one cell
  private static final double UNIT_SECONDS = 0.3;

  /** A server that takes part. */
  record Contestant(
      String name, Server server, boolean isOurs, boolean knowsBloom, boolean hasTargets) {
    /** One of others' must not lose its data. */
    boolean isStartedHere() {
      return server.directory() != null;
    }
  }

  private record Cell(
      Contestant contestant,
      Operation operation,
      int wantedConnections,
      int connections,
      int pipelining) {
    Cell of(Contestant other, Operation same) {
      int fitting = same.connections(wantedConnections, pipelining);
      return new Cell(other, same, wantedConnections, fitting, pipelining);
    }
  }

  private final String scenario;
  private final Bench bench;
  private final List<Contestant> contestants;
  private final List<Operation> operations;
  private final Map<Cell, List<Run>> runs = new HashMap<>();

  /** The base's PINGs beside each cell, for the same moment of a machine that is not quiet. */
  private final Map<Cell, List<Run>> units = new HashMap<>();

  Comparison(
      String scenario, Bench bench, List<Contestant> contestants, List<Operation> operations) {
    this.scenario = scenario;
    this.bench = bench;
    this.contestants = contestants;
    this.operations = operations;
  }

  void run() throws Exception {
    fill();
    warmUp();
    int rounds = bench.options.rounds;
    for (int round = 1; round <= rounds; round++) {
      Bench.tell("%s: round %d of %d", scenario, round, rounds);
      round(round, SETTLE_SECONDS, bench.options.seconds);
    }
  }

  private void fill() throws Exception {
    Bench.tell("%s: filling", scenario);
    for (Contestant contestant : contestants) {
      Set<Data> filled = EnumSet.noneOf(Data.class);
      for (Operation operation : operations) {
        if (isKnown(contestant, operation) && filled.add(operation.data)) {
          operation.data.fill(contestant.server);
        }
      }
    }
  }

  private static boolean isKnown(Contestant contestant, Operation operation) {
    return contestant.knowsBloom || !operation.isBloom();
  }

  /** All that will be measured, until the compiler has seen it. */
  private void warmUp() throws Exception {
    Bench.tell("%s: warming up", scenario);
    long cells = cells().stream().filter(cell -> cell.contestant.isOurs).count();
    double seconds = Math.min(LONGEST_WARM_UP, bench.options.warmUpSeconds / Math.max(1, cells));
    for (Cell cell : cells()) {
      measure(cell, WARM_UP_ROUND, 0, cell.contestant.isOurs ? seconds : SETTLE_SECONDS);
    }
  }

  private void round(int round, double settle, double seconds) throws Exception {
    List<Cell> cells = cells();
    for (int from = 0; from < cells.size(); ) {
      List<Cell> turn = sameWork(cells, from);
      from += turn.size();
      boolean needsUnit = turn.stream().anyMatch(cell -> !Double.isNaN(target(cell)));
      Run unit = needsUnit ? measureUnit(turn.getFirst(), round) : null;
      // who comes first may find another machine than who comes last
      for (Cell cell : round % 2 == 0 ? turn.reversed() : turn) {
        runs.computeIfAbsent(cell, c -> new ArrayList<>())
            .add(measure(cell, round, settle, seconds));
        units.computeIfAbsent(cell, c -> new ArrayList<>()).add(unit);
      }
    }
  }

  private Run measureUnit(Cell beside, int round) throws Exception {
    return measure(beside.of(base(), Operation.PING), round, SETTLE_SECONDS, UNIT_SECONDS);
  }

  private static List<Cell> sameWork(List<Cell> cells, int from) {
    Cell first = cells.get(from);
    return cells.stream()
        .filter(c ->
            c.operation == first.operation
                && c.wantedConnections == first.wantedConnections
                && c.pipelining == first.pipelining)
        .toList();
  }

  /** In the order in which they are measured: whose work is the same follow each other. */
  private List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Operation operation : operations) {
      for (int connections : bench.options.connections) {
        for (int pipelining : bench.options.pipelining) {
          for (Contestant contestant : contestants) {
            if (isKnown(contestant, operation) && pipelining <= operation.mostPipelining()) {
              int fitting = operation.connections(connections, pipelining);
              cells.add(new Cell(contestant, operation, connections, fitting, pipelining));
            }
          }
        }
      }
    }
    return cells;
  }

  private Run measure(Cell cell, int round, double settle, double seconds) throws Exception {
    return bench.run(
        scenario,
        round,
        cell.contestant.name,
        cell.contestant.server,
        cell.operation,
        Generator.Settings.closedLoop(cell.connections, cell.pipelining, settle, seconds));
  }

  // --- what came out

  private static final double THOUSAND = 1e3;

  /** Within ten in a hundred of a target counts as met. */
  private static final double TOLERANCE = 1.1;

  private static final int TARGET_CONNECTIONS = 50;

  void printFigures() {
    Table table =
        new Table(
            "operation",
            "conns",
            "pipe",
            "server",
            "kcmd/s (least-most)",
            "p50 / p99 / p99.9 us",
            "CPU us/cmd",
            "busy",
            "load us",
            "rate / " + base().name,
            "CPU / " + base().name);
    for (Cell cell : cells()) {
      addFigures(table, cell);
    }
    table.print();
  }

  private Contestant base() {
    return contestants.getFirst();
  }

  private void addFigures(Table table, Cell cell) {
    List<Run> of = runs.get(cell);
    List<Run> base = runs.get(cell.of(base(), cell.operation));
    boolean compares = base != null && cell.contestant != base();
    table.add(
        cell.operation.title,
        "" + cell.connections,
        "" + cell.pipelining,
        cell.contestant.name,
        Spread.of(of, Run::rate).show(THOUSAND),
        "%s / %s / %s"
            .formatted(
                Spread.number(Spread.of(of, Run::p50).median()),
                Spread.number(Spread.of(of, Run::p99).median()),
                Spread.number(Spread.of(of, Run::p999).median())),
        Spread.of(of, Run::serverMicros).show(),
        Spread.number(Spread.of(of, Run::busy).median()),
        Spread.number(Spread.of(of, Run::loadMicros).median()),
        compares ? Spread.ofRatios(of, base, Run::rate).show() : "",
        compares ? Spread.ofRatios(of, base, Run::serverMicros).show() : "");
  }

  /** Processor time per command in units of the base's PING, beside the targets. */
  void printTargets() {
    if (base().isOurs) {
      return; // without Redis there is no unit
    }
    Table table = new Table("operation", "conns", "pipe", "in PINGs", "target", "verdict");
    for (Cell cell : cells()) {
      double target = target(cell);
      if (!Double.isNaN(target)) {
        Spread pings = Spread.ofRatios(runs.get(cell), units.get(cell), Run::serverMicros);
        table.add(
            cell.operation.title,
            "" + cell.connections,
            "" + cell.pipelining,
            pings.show(),
            "<= " + target,
            verdict(pings.median(), target));
      }
    }
    if (!table.isEmpty()) {
      System.out.printf("CPU per command in units of %s's PING just before%n%n", base().name);
      table.print();
    }
  }

  /** The issue sets targets for one configuration only. */
  private static double target(Cell cell) {
    return cell.contestant.hasTargets && cell.wantedConnections == TARGET_CONNECTIONS
        ? cell.operation.target(cell.pipelining)
        : Double.NaN;
  }

  /** No command should cost more than the base's beyond noise, where commands are pipelined. */
  void printWorse() {
    for (Cell cell : cells()) {
      List<Run> base = runs.get(cell.of(base(), cell.operation));
      if (base != null && cell.contestant.isOurs && cell.pipelining > 1) {
        Spread ratio = Spread.ofRatios(runs.get(cell), base, Run::serverMicros);
        if (ratio.median() > TOLERANCE) {
          System.out.printf(
              "costs more than %s: %s, %s, %d connections, %d pipelined: %s%n",
              base().name,
              cell.contestant.name,
              cell.operation.title,
              cell.connections,
              cell.pipelining,
              ratio.show());
        }
      }
    }
    System.out.println();
  }

  static String verdict(double value, double target) {
    return value <= target ? "met" : value <= TOLERANCE * target ? "met within 10 %" : "MISSED";
  }

  /** Processor time per command beside the base's, and what it may be at most. */
  void printRatios(Operation operation, double target) {
    Table table =
        new Table("operation", "conns", "pipe", "server", "CPU / " + base().name, "verdict");
    for (Cell cell : cells()) {
      List<Run> base = runs.get(cell.of(base(), operation));
      if (cell.operation == operation && cell.contestant.isOurs && base() != cell.contestant) {
        Spread ratio = Spread.ofRatios(runs.get(cell), base, Run::serverMicros);
        table.add(
            operation.title,
            "" + cell.connections,
            "" + cell.pipelining,
            cell.contestant.name,
            ratio.show(),
            verdict(ratio.median(), target) + " (<= " + target + ")");
      }
    }
    table.print();
  }
}
