import com.sun.tools.attach.VirtualMachine;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Bytes of heap that the event loop takes per command, by the virtual machine's own count. */
final class Allocation implements Scenario {
  private static final double TARGET = 1;
  private static final int CONNECTIONS = 50;
  private static final int PIPELINING = 64;

  @Override
  public String name() {
    return "allocation";
  }

  @Override
  public void run(Bench bench) throws Exception {
    Table table =
        new Table("operation", "pipe", "commands", "bytes of heap per command", "verdict");
    Server server = bench.startOurs(bench.options.transports.getFirst(), 1);
    try (EventLoops loops = new EventLoops(server.pid())) {
      warmUp(bench, server);
      for (Operation operation : Operation.values()) {
        if (operation.isInTable()) {
          measure(bench, server, loops, operation, table);
        }
      }
    }
    bench.close(server);
    table.print();
  }

  /**
   * All operations, before the first is measured: code that is not compiled yet allocates more, and
   * what is compiled for one operation is thrown away when the next takes other ways.
   */
  private void warmUp(Bench bench, Server server) throws Exception {
    long operations = Stream.of(Operation.values()).filter(Operation::isInTable).count();
    double seconds = bench.options.warmUpSeconds / operations;
    Set<Data> filled = EnumSet.noneOf(Data.class);
    for (Operation operation : Operation.values()) {
      if (operation.isInTable()) {
        if (filled.add(operation.data)) {
          operation.data.fill(server);
        }
        run(bench, server, operation, seconds);
      }
    }
  }

  /** From a long run and a short one: what opening the connections takes is in both. */
  private void measure(
      Bench bench, Server server, EventLoops loops, Operation operation, Table table)
      throws Exception {
    double seconds = bench.options.seconds;
    run(bench, server, operation, 2 * seconds);
    long start = loops.allocatedBytes();
    double shortRun = run(bench, server, operation, seconds / 4).commands();
    long between = loops.allocatedBytes();
    double longRun = run(bench, server, operation, 2 * seconds).commands();
    long end = loops.allocatedBytes();
    double bytes = ((end - between) - (between - start)) / (longRun - shortRun);
    table.add(
        operation.title,
        "" + pipelining(operation),
        Spread.number(longRun),
        Spread.number(bytes),
        Comparison.verdict(bytes, TARGET));
  }

  private static int pipelining(Operation operation) {
    return Math.min(operation.mostPipelining(), PIPELINING);
  }

  private Run run(Bench bench, Server server, Operation operation, double seconds)
      throws Exception {
    int pipelining = pipelining(operation);
    int connections = operation.connections(CONNECTIONS, pipelining);
    return bench.run(
        name(),
        1,
        "porteiro",
        server,
        operation,
        Generator.Settings.closedLoop(connections, pipelining, 0, seconds));
  }

  /** The threads of another virtual machine that serve connections. */
  private static final class EventLoops implements AutoCloseable {
    private final JMXConnector connector;
    private final MBeanServerConnection beans;
    private final ObjectName threads = new ObjectName("java.lang:type=Threading");
    private final long[] ids;

    EventLoops(long pid) throws Exception {
      VirtualMachine machine = VirtualMachine.attach("" + pid);
      connector =
          JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
      machine.detach();
      beans = connector.getMBeanServerConnection();
      ids =
          LongStream.of((long[]) beans.getAttribute(threads, "AllThreadIds"))
              .filter(this::isEventLoop)
              .toArray();
      if (ids.length == 0) {
        throw new IllegalStateException("no thread is called loop");
      }
    }

    private boolean isEventLoop(long id) {
      try {
        Object thread =
            beans.invoke(
                threads, "getThreadInfo", new Object[] {id}, new String[] {long.class.getName()});
        return ((String) ((CompositeData) thread).get("threadName")).startsWith("loop");
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    /** Since they began. */
    long allocatedBytes() throws Exception {
      Object bytes =
          beans.invoke(
              threads,
              "getThreadAllocatedBytes",
              new Object[] {ids},
              new String[] {long[].class.getName()});
      return Arrays.stream((long[]) bytes).sum();
    }

    @Override
    public void close() throws Exception {
      connector.close();
    }
  }
}
