import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Start, footprint and longest pause with many keys. */
final class SmallKeys implements Scenario {
  private static final Pattern PAUSE = Pattern.compile("Pause .* ([0-9.]+)ms");

  @Override
  public String name() {
    return "small keys";
  }

  @Override
  public void run(Bench bench) throws Exception {
    Table table =
        new Table(
            "server",
            "keys",
            "resident MB",
            "start s",
            "resident MB",
            "longest pause ms: filling",
            "loading",
            "serving");
    for (int millions : List.of(1, 5)) {
      measure(bench, "porteiro", bench.ours(), millions, table);
      if (Bench.isRedisInstalled()) {
        measure(bench, "redis", "redis-server", millions, table);
      }
    }
    table.print();
  }

  private void measure(Bench bench, String name, String program, int millions, Table table)
      throws Exception {
    Path log = Files.createTempFile(bench.options.directory, "pauses", ".log");
    Map<String, String> environment = Map.of(Bench.JAVA_OPTIONS, "-Xlog:gc:file=" + log);
    Server server =
        bench.prepare(environment, List.of(program), List.of("--save", "", "--appendonly", "no"));
    server.start();
    fill(server, millions * 1_000_000);
    double filled = server.residentSetBytes() / 1e6;
    server.call("SAVE");
    String filling = longestPause(log);
    server.stop();
    long start = System.nanoTime();
    server.start();
    double startSeconds = (System.nanoTime() - start) / 1e9;
    double loaded = server.residentSetBytes() / 1e6;
    String loading = longestPause(log);
    Files.writeString(log, "");
    bench.run(
        name(),
        1,
        name,
        server,
        Operation.SET,
        Generator.Settings.closedLoop(50, 16, 0, 5 * bench.options.seconds));
    table.add(
        name,
        millions + " M",
        Spread.number(filled),
        Spread.number(startSeconds),
        Spread.number(loaded),
        filling,
        loading,
        longestPause(log));
    bench.close(server);
    Files.delete(log);
  }

  private static void fill(Server server, int keys) throws IOException {
    for (int i = 0; i < keys; i++) {
      server.pipeline("SET", "s:" + Data.digits(i), "1");
    }
    server.await();
  }

  /** The virtual machine begins the log anew when it starts. */
  private static String longestPause(Path log) throws IOException {
    double longest = 0;
    for (String line : Files.readAllLines(log)) {
      Matcher pause = PAUSE.matcher(line);
      if (pause.find()) {
        longest = Math.max(longest, Double.parseDouble(pause.group(1)));
      }
    }
    return longest == 0 ? "" : Spread.number(longest);
  }
}
