import java.io.IOException;

/** Keys that operations work on. */
enum Data {
  NONE,

  /** 100,000 strings of 64 bytes. */
  STRINGS {
    @Override
    void fill(Server server) throws IOException {
      for (int i = 0; i < 100_000; i++) {
        server.pipeline("SET", "s:" + digits(i), "x".repeat(64));
      }
      server.await();
    }
  },

  /** Full; fits into the processor's cache (1.4 MB). */
  FILTER_1M("f1m", 1_000_000, 1_000_000),

  /** Empty before each run. */
  FILTER_10M("f10m", 10_000_000, 0),

  /** Does not fit into any cache (551 MB). */
  FILTER_400M("f400m", 400_000_000, 5_000_000),

  /** 1 GB of which no page has been touched. */
  FILTER_FRESH("fresh", 850_000_000, 0),

  /** A counter to be added to, eight others of 100,000 items, and two that hold their union. */
  COUNTERS {
    @Override
    void fill(Server server) throws IOException {
      for (int counter = 1; counter <= 9; counter++) {
        addItems(server, "PFADD", "h" + counter, counter + ":", 100_000);
      }
      server.await();
      server.call("PFMERGE", "d2", "h2", "h3");
      server.call("PFMERGE", "d8", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9");
    }
  },

  /**
   * Two hundred dense counters, empty before each run, so that most PFADDs change one. A single
   * counter would be changed some hundred thousand times at most, however much is added; with many
   * more, the processor's cache would be measured (a counter has 12 KB).
   */
  EMPTY_COUNTERS {
    @Override
    void beforeRun(Server server) throws IOException {
      byte[] counter = new byte[16 + 12288];
      System.arraycopy(Workload.bytes("HYLL"), 0, counter, 0, 4);
      for (int i = 1; i <= 200; i++) {
        server.pipeline(Workload.bytes("SET"), Workload.bytes("e:" + digits(i)), counter);
      }
      server.await();
    }
  };

  private static final int BATCH = 100;
  private static final String NO_FILTER = "";

  private final String filter;
  private final long capacity;
  private final int items;

  Data() {
    this(NO_FILTER, 0, 0);
  }

  /**
   * A filter.
   *
   * @param items that are in it; with none it is made anew before each run
   */
  Data(String filter, long capacity, int items) {
    this.filter = filter;
    this.capacity = capacity;
    this.items = items;
  }

  /** Once for each server. */
  void fill(Server server) throws IOException {
    if (items > 0) {
      reserve(server);
      addItems(server, "BF.MADD", filter, "k:", items);
    }
  }

  void beforeRun(Server server) throws IOException {
    if (isFilter() && items == 0) {
      reserve(server);
    }
  }

  /** A filter that has grown costs more to look at than the one that was to be measured. */
  void afterRun(Server server) throws IOException {
    if (isFilter() && server.number("BF.INFO", filter, "FILTERS") != 1) {
      throw new IllegalStateException(filter + " is full: measure for fewer seconds or rounds");
    }
  }

  private boolean isFilter() {
    return !filter.equals(NO_FILTER);
  }

  private void reserve(Server server) throws IOException {
    server.call("DEL", filter);
    server.call("BF.RESERVE", filter, "0.01", Long.toString(capacity));
  }

  private static void addItems(Server server, String command, String key, String prefix, int count)
      throws IOException {
    String[] words = new String[2 + BATCH];
    words[0] = command;
    words[1] = key;
    for (int i = 0; i < count; i += BATCH) {
      for (int j = 0; j < BATCH; j++) {
        words[2 + j] = prefix + digits(i + j);
      }
      server.pipeline(words);
    }
    server.await();
  }

  /** As generate.c writes numbers. */
  static String digits(long number) {
    return Long.toString(10_000_000_000L + number).substring(1);
  }
}
