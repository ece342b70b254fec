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

  /** Fits into the processor's cache (1.4 MB). */
  FILTER_1M {
    @Override
    void fill(Server server) throws IOException {
      reserve(server, "f1m", 1_000_000);
      addItems(server, "BF.MADD", "f1m", "k:", 1_000_000);
    }
  },

  /** Empty before each run. */
  FILTER_10M {
    @Override
    void beforeRun(Server server) throws IOException {
      reserve(server, "f10m", 10_000_000);
    }

    @Override
    void afterRun(Server server) throws IOException {
      requireOneLink(server, "f10m");
    }
  },

  /** Does not fit into any cache (551 MB). */
  FILTER_400M {
    @Override
    void fill(Server server) throws IOException {
      reserve(server, "f400m", 400_000_000);
      addItems(server, "BF.MADD", "f400m", "k:", 5_000_000);
    }

    @Override
    void afterRun(Server server) throws IOException {
      requireOneLink(server, "f400m");
    }
  },

  /** 1 GB of which no page has been touched. */
  FILTER_FRESH {
    @Override
    void beforeRun(Server server) throws IOException {
      reserve(server, "fresh", 850_000_000);
    }
  },

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

  /** Once for each server. */
  void fill(Server server) throws IOException {}

  void beforeRun(Server server) throws IOException {}

  void afterRun(Server server) throws IOException {}

  private static void reserve(Server server, String key, long capacity) throws IOException {
    server.call("DEL", key);
    server.call("BF.RESERVE", key, "0.01", Long.toString(capacity));
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

  /** A filter that has grown costs more to look at than the one that was to be measured. */
  private static void requireOneLink(Server server, String key) throws IOException {
    if (server.number("BF.INFO", key, "FILTERS") != 1) {
      throw new IllegalStateException(key + " is full: measure for fewer seconds or rounds");
    }
  }

  /** As generate.c writes numbers. */
  static String digits(long number) {
    return Long.toString(10_000_000_000L + number).substring(1);
  }
}
