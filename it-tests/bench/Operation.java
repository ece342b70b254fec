import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What is measured: commands, the replies that must come (see generate.c), the data they work on,
 * and what a command may cost at a pipelining of 1, 16 and 64, in units of Redis's PING.
 */
enum Operation {
  PING(Data.NONE, "PING", targets(0.85, 0.6, 0.4), "+PONG PING"),
  SET(Data.STRINGS, "SET", none(), "+OK SET s:{random:100000} " + "x".repeat(64)),
  GET(Data.STRINGS, "GET", none(), "$64 GET s:{random:100000}"),

  ADD_DUPLICATE_1M(
      Data.FILTER_1M,
      "BF.ADD duplicate (1 M)",
      targets(0.85, 0.7, 0.6),
      ":0..0 BF.ADD f1m k:{random:1000000}"),
  EXISTS_HIT_1M(
      Data.FILTER_1M,
      "BF.EXISTS hit (1 M)",
      targets(0.85, 0.7, 0.6),
      ":1..1 BF.EXISTS f1m k:{random:1000000}"),
  EXISTS_MISS_1M(
      Data.FILTER_1M,
      "BF.EXISTS miss (1 M)",
      targets(0.85, 0.7, 0.6),
      Mean.LOW,
      ":0..1 BF.EXISTS f1m x:{random:9999999999}"),
  MADD_DUPLICATES_1M(
      Data.FILTER_1M,
      "BF.MADD of 100 duplicates (1 M)",
      targets(1.2, 6.2, Double.NaN),
      "*100:0..0 BF.MADD f1m k:{random:1000000}*100"),
  MEXISTS_HITS_1M(
      Data.FILTER_1M,
      "BF.MEXISTS of 100 hits (1 M)",
      targets(1.2, 6.2, Double.NaN),
      "*100:1..1 BF.MEXISTS f1m k:{random:1000000}*100"),
  MEXISTS_MISSES_1M(
      Data.FILTER_1M,
      "BF.MEXISTS of 100 misses (1 M)",
      targets(1.2, 6.2, Double.NaN),
      Mean.LOW,
      "*100:0..1 BF.MEXISTS f1m x:{random:9999999999}*100"),

  ADD_NEW_10M(
      Data.FILTER_10M,
      "BF.ADD new (10 M)",
      targets(0.85, 0.85, 1.1),
      Mean.HIGH,
      ":0..1 BF.ADD f10m n:{next}"),

  ADD_NEW_400M(
      Data.FILTER_400M,
      "BF.ADD new (400 M)",
      targets(0.9, 1.1, 1.2),
      Mean.HIGH,
      ":0..1 BF.ADD f400m n:{next}"),
  EXISTS_HIT_400M(
      Data.FILTER_400M,
      "BF.EXISTS hit (400 M)",
      targets(0.9, 1.1, 1.2),
      ":1..1 BF.EXISTS f400m k:{random:5000000}"),
  EXISTS_MISS_400M(
      Data.FILTER_400M,
      "BF.EXISTS miss (400 M)",
      targets(0.9, 1.1, 1.2),
      Mean.LOW,
      ":0..1 BF.EXISTS f400m x:{random:9999999999}"),
  MADD_NEW_400M(
      Data.FILTER_400M,
      "BF.MADD of 100 new (400 M)",
      targets(3.2, 27, Double.NaN),
      Mean.HIGH,
      "*100:0..1 BF.MADD f400m n:{next}*100"),
  MEXISTS_HITS_400M(
      Data.FILTER_400M,
      "BF.MEXISTS of 100 hits (400 M)",
      targets(3.2, 27, Double.NaN),
      "*100:1..1 BF.MEXISTS f400m k:{random:5000000}*100"),
  MEXISTS_MISSES_400M(
      Data.FILTER_400M,
      "BF.MEXISTS of 100 misses (400 M)",
      targets(3.2, 27, Double.NaN),
      Mean.LOW,
      "*100:0..1 BF.MEXISTS f400m x:{random:9999999999}*100"),

  ADD_NEW_FRESH(
      Data.FILTER_FRESH,
      "BF.ADD new (fresh 1 GB)",
      none(),
      Mean.HIGH,
      ":0..1 BF.ADD fresh n:{next}"),

  PFADD(Data.COUNTERS, "PFADD", targets(0.85, 0.7, 0.48), ":0..1 PFADD h1 p:{random:1000000000}"),
  PFADD_CHANGING(
      Data.EMPTY_COUNTERS,
      "changing PFADD",
      none(),
      Mean.MOSTLY,
      ":0..1 PFADD e:{key:200} p:{next}"),
  PFADD_PFCOUNT(
      Data.COUNTERS,
      "PFADD and PFCOUNT in turn",
      none(),
      ":0..1 PFADD h1 p:{random:1000000000}",
      ":1..9999999999 PFCOUNT h1"),
  PFCOUNT_CHANGED(
      Data.EMPTY_COUNTERS,
      "changing PFADD and PFCOUNT in turn",
      targets(0.45, 0.4, 0.5),
      Mean.MOSTLY,
      ":0..1 PFADD e:{key:200} p:{next}",
      ":1..100000 PFCOUNT e:{key:200}"),
  PFCOUNT_CACHED(Data.COUNTERS, "PFCOUNT cached", none(), ":97000..103000 PFCOUNT h2"),
  PFCOUNT_2(Data.COUNTERS, "PFCOUNT of 2", targets(2.5, 20, 45), ":194000..206000 PFCOUNT h2 h3"),
  PFCOUNT_8(
      Data.COUNTERS, "PFCOUNT of 8", none(), ":776000..824000 PFCOUNT h2 h3 h4 h5 h6 h7 h8 h9"),
  PFMERGE_2(Data.COUNTERS, "PFMERGE of 2", targets(1.3, 9, 19), "+OK PFMERGE d2 h2 h3"),
  PFMERGE_8(Data.COUNTERS, "PFMERGE of 8", none(), "+OK PFMERGE d8 h2 h3 h4 h5 h6 h7 h8 h9");

  /** What the numbers that the first command answers must be on average. */
  enum Mean {
    ANY(0, Double.MAX_VALUE),
    LOW(0, 0.03), // false positives, of which 0.01 are promised
    HIGH(0.97, 1),
    MOSTLY(0.5, 1); // the more items a counter has, the fewer change it

    private final double least;
    private final double most;

    Mean(double least, double most) {
      this.least = least;
      this.most = most;
    }
  }

  final Data data;
  final String title;
  final List<String> script;
  private final double[] targets;
  private final Mean mean;

  Operation(Data data, String title, double[] targets, String... commands) {
    this(data, title, targets, Mean.ANY, commands);
  }

  Operation(Data data, String title, double[] targets, Mean mean, String... commands) {
    this.data = data;
    this.title = title;
    this.targets = targets;
    this.mean = mean;
    script = new ArrayList<>();
    for (String command : commands) {
      if (!script.isEmpty()) {
        script.add(";");
      }
      script.addAll(Arrays.asList(command.split(" ", -1)));
    }
  }

  private static double[] targets(double one, double sixteen, double sixtyFour) {
    return new double[] {one, sixteen, sixtyFour};
  }

  private static double[] none() {
    return targets(Double.NaN, Double.NaN, Double.NaN);
  }

  /** Redis's PINGs that a command may cost; not a number where the issue sets no target. */
  double target(int pipelining) {
    return switch (pipelining) {
      case 1 -> targets[0];
      case 16 -> targets[1];
      case 64 -> targets[2];
      default -> Double.NaN;
    };
  }

  boolean hasTargets() {
    return !Double.isNaN(targets[0]);
  }

  /** Whether it is one of those that are compared; else it serves another scenario. */
  boolean isInTable() {
    return this != ADD_NEW_FRESH;
  }

  boolean isBloom() {
    return title.startsWith("BF.");
  }

  /** Beyond it, buffers would be measured. */
  int mostPipelining() {
    return isOfHundred() ? 16 : Integer.MAX_VALUE;
  }

  private boolean isOfHundred() {
    return title.contains("of 100");
  }

  /**
   * Connections that fit into a run: what is on its way at its begin and end must be little beside
   * what is answered in between.
   */
  int connections(int wanted, int pipelining) {
    int mostUnderWay = Integer.MAX_VALUE;
    if (title.matches("PF.* of [0-9]+")) {
      mostUnderWay = 128;
    } else if (isOfHundred()) {
      mostUnderWay = 400;
    } else if (this == PFCOUNT_CHANGED) { // of which each costs Redis some 50 us
      mostUnderWay = 800;
    }
    return Math.clamp(mostUnderWay / pipelining, 1, wanted);
  }

  /** A run with wrong answers must not be reported. */
  void check(Run run) {
    double answered = run.means()[0];
    if (answered < mean.least || answered > mean.most) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "%s: replies are %.4f on average, not %s to %s",
              title,
              answered,
              mean.least,
              mean.most));
    }
  }
}
