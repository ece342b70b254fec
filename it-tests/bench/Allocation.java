import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Bytes of heap that the server's threads take per command, by the virtual machine's own count. */
final class Allocation implements Scenario {
  private static final Pattern ALLOCATED = Pattern.compile(" allocated=([0-9]+)([BKMG])");
  private static final double TARGET = 1;
  private static final int CONNECTIONS = 50;

  @Override
  public String name() {
    return "allocation";
  }

  @Override
  public void run(Bench bench) throws Exception {
    Table table = new Table("operation", "pipe", "commands", "bytes of heap per command", "verdict");
    Server server = bench.startOurs(bench.options.transports.getFirst(), 1);
    Set<Data> filled = EnumSet.noneOf(Data.class);
    for (Operation operation : Operation.values()) {
      if (operation.isInTable()) {
        if (filled.add(operation.data)) {
          operation.data.fill(server);
        }
        measure(bench, server, operation, table);
      }
    }
    bench.close(server);
    table.print();
  }

  private void measure(Bench bench, Server server, Operation operation, Table table)
      throws Exception {
    int pipelining = Math.min(operation.mostPipelining(), 64);
    int connections = operation.connections(CONNECTIONS, pipelining);
    double seconds = bench.options.seconds;
    // the compiler's work first: what is not compiled yet allocates more
    run(bench, server, operation, connections, pipelining, 2 * seconds);
    long before = allocatedBytes(server);
    Run run = run(bench, server, operation, connections, pipelining, 2 * seconds);
    double bytes = (allocatedBytes(server) - before) / run.commands();
    table.add(
        operation.title,
        "" + pipelining,
        Spread.number(run.commands()),
        Spread.number(bytes),
        bytes <= TARGET ? "met" : "MISSED");
  }

  private Run run(
      Bench bench, Server server, Operation operation, int connections, int pipelining, double seconds)
      throws Exception {
    return bench.run(
        name(),
        1,
        "porteiro",
        server,
        operation,
        Generator.Settings.closedLoop(connections, pipelining, 0, seconds));
  }

  /** By all threads since they began. */
  private static long allocatedBytes(Server server) throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    List<String> command = List.of(jcmd, "" + server.pid(), "Thread.print", "-e");
    Process process = new ProcessBuilder(command).start();
    String threads = new String(process.getInputStream().readAllBytes());
    return ALLOCATED.matcher(threads).results().mapToLong(Allocation::bytes).sum();
  }

  private static long bytes(MatchResult match) {
    return Long.parseLong(match.group(1)) << 10 * "BKMG".indexOf(match.group(2));
  }
}
