import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Prints what a save costs while clients write at half of the full rate: a table of medians, with
 * and without a save in turn.
 */
public final class SnapshotBench {
  private static final String ROW = "%-12s %-28s %9s %9s %9s %9s %9s %9s %9s %9s %9s%n";
  private static final double MB = 1e6;

  /** Often enough to see the memory grow; looking costs the one who is looked at. */
  private static final long LOOK_EVERY_MS = 100;

  /** The file that the last save replaced is given back to the disk; that belongs to the save. */
  private static final long SETTLE_MS = 2_000;

  private final int rounds;
  private final long nanos;
  private final int mib;
  private final Path parent;
  private final Path root;
  private final long warmUpNanos;
  private final List<Workload> workloads;

  private SnapshotBench(Map<String, String> options) {
    rounds = Integer.parseInt(options.getOrDefault("--rounds", "5"));
    nanos = Long.parseLong(options.getOrDefault("--seconds", "8")) * 1_000_000_000;
    mib = Integer.parseInt(options.getOrDefault("--mib", "1024"));
    parent = Path.of(options.getOrDefault("--dir", "/tmp"));
    root = Path.of(options.getOrDefault("--root", "."));
    warmUpNanos = Long.parseLong(options.getOrDefault("--warm-up", "10")) * 1_000_000_000;
    workloads =
        Stream.of(options.getOrDefault("--only", "BLOOM,STRINGS,HYPERLOGLOGS").split(",", -1))
            .map(Workload::valueOf)
            .toList();
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      options.put(arguments[i], arguments[i + 1]);
    }
    new SnapshotBench(options).run();
  }

  private void run() throws Exception {
    System.out.printf(
        "%d rounds of %d s, %d MiB of data, load of the machine before: %s%n",
        rounds, nanos / 1_000_000_000, mib, Files.readString(Path.of("/proc/loadavg")).strip());
    System.out.printf(
        Locale.ROOT,
        ROW,
        "server",
        "writes",
        "half rate",
        "p50 ms",
        "p99.9",
        "max",
        "saving p50",
        "p99.9",
        "max",
        "added MB",
        "save MB/s");
    String ours = root.resolve("server/bin/porteiro-server").toString();
    for (Workload workload : workloads) {
      try (Server server = new Server(parent, ours, "--bf-max-capacity", "1099511627776")) {
        measure("porteiro", server, workload);
      }
      if (workload != Workload.BLOOM && isInstalled("redis-server")) {
        try (Server server = new Server(parent, "redis-server")) {
          measure("redis", server, workload);
        }
      }
    }
  }

  private static boolean isInstalled(String tool) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
  }

  private void measure(String name, Server server, Workload workload) throws Exception {
    workload.fill(server, mib);
    Load.fullRate(server.port(), workload, warmUpNanos);
    double rate = Load.fullRate(server.port(), workload, nanos / 2) / 2;
    double[][] figures = new double[8][rounds];
    for (int round = 0; round < rounds; round++) {
      round(server, workload, rate, figures, round);
    }
    double[] median = Arrays.stream(figures).mapToDouble(SnapshotBench::median).toArray();
    System.out.printf(
        Locale.ROOT,
        ROW,
        name,
        workload.title,
        Math.round(rate),
        ms(median[0]),
        ms(median[1]),
        ms(median[2]),
        ms(median[3]),
        ms(median[4]),
        ms(median[5]),
        Math.round(median[6] / MB),
        Math.round(median[7] / MB));
    reload(name, server);
  }

  private void round(Server server, Workload workload, double rate, double[][] figures, int round)
      throws Exception {
    Server.pause(SETTLE_MS);
    put(figures, round, 0, Load.atRate(server.port(), workload, rate, nanos));
    long resident = server.residentBytes();
    AtomicBoolean running = new AtomicBoolean(true);
    AtomicLong peak = new AtomicLong(resident);
    AtomicLong saveNanos = new AtomicLong();
    Thread saver = Thread.ofPlatform().start(() -> save(server, peak, saveNanos, running));
    Latencies saving = Load.atRate(server.port(), workload, rate, nanos);
    running.set(false);
    saver.join();
    put(figures, round, 3, saving);
    figures[6][round] = peak.get() - resident;
    figures[7][round] = server.fileBytes() * 1e9 / saveNanos.get();
    System.out.printf(
        Locale.ROOT,
        "  round %d: p99.9 %s and saving %s ms, %d MB more resident, %d MB/s%n",
        round + 1,
        ms(figures[1][round]),
        ms(figures[4][round]),
        Math.round(figures[6][round] / MB),
        Math.round(figures[7][round] / MB));
  }

  private static void put(double[][] figures, int round, int first, Latencies latencies) {
    figures[first][round] = latencies.ms(0.5);
    figures[first + 1][round] = latencies.ms(0.999);
    figures[first + 2][round] = latencies.ms(1);
  }

  /** Saves again and again while the load runs, and at least once; looks at the memory. */
  private static void save(
      Server server, AtomicLong peak, AtomicLong saveNanos, AtomicBoolean running) {
    try {
      int saves = 0;
      long sum = 0;
      do {
        long start = System.nanoTime();
        server.call("BGSAVE");
        while (server.field("persistence", "rdb_bgsave_in_progress").equals("1")) {
          peak.accumulateAndGet(server.residentBytes(), Math::max);
          Server.pause(LOOK_EVERY_MS);
        }
        sum += System.nanoTime() - start;
        saves++;
      } while (running.get());
      saveNanos.set(sum / saves);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void reload(String name, Server server) throws Exception {
    server.stop();
    long start = System.nanoTime();
    server.start();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "  %s starts again on its file of %d MB in %.2f s: %d MB/s%n",
        name,
        Math.round(server.fileBytes() / MB),
        seconds,
        Math.round(server.fileBytes() / MB / seconds));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static String ms(double ms) {
    return String.format(Locale.ROOT, "%.2f", ms);
  }
}
