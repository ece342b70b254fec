package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * A snapshot shows one instant. Writers run through numbered steps as fast as they can, each step a
 * transaction that also counts itself; so what is found in a file names the step at which it was
 * cut, and a second server that is taken through the steps up to there must have the same bytes.
 */
class SnapshotIT {
  private static final long SEED = 0x5a_0003L;
  private static final int WRITERS = 2;
  private static final int STEPS_AT_ONCE = 32;
  private static final int STEPS_PER_NAME = 8;
  private static final int ROUNDS = 2;
  private static final String COUNTER = "steps";

  /** What a client does in a step, in a database of its own. */
  private static final class Steps {
    private final int writer;

    Steps(int writer) {
      this.writer = writer;
    }

    /** The commands of a step, always the same ones for its number. */
    List<String[]> of(long step) {
      Random random = new Random(SEED + 1000L * step + writer);
      List<String[]> commands = new ArrayList<>();
      if (step > 0 && step % STEPS_PER_NAME == 0) {
        commands.add(new String[] {"RENAME", big(step - 1), big(step)});
      }
      for (int i = 0; i < 3; i++) {
        commands.add(change(random, step));
      }
      commands.add(new String[] {"INCR", COUNTER});
      return commands;
    }

    /** The big filter goes from name to name, and so from shard to shard. */
    private static String big(long step) {
      return "big" + step / STEPS_PER_NAME % 5;
    }

    private String[] change(Random random, long step) {
      String item = "item" + step + "-" + random.nextInt(1000);
      String some = Integer.toString(random.nextInt(20));
      return switch (random.nextInt(13)) {
        case 0, 1, 2, 3 -> new String[] {"BF.MADD", big(step), item, item + "a", item + "b"};
        case 4, 5 -> new String[] {"BF.ADD", "growing" + some, item};
        case 6 -> new String[] {"PFADD", "counter" + some, item, item + "a"};
        case 7 -> new String[] {"SETRANGE", "long" + some, "150000", item};
        case 8 -> new String[] {"APPEND", "text" + some, item};
        case 9 ->
            new String[] {"SET", "text" + some, item, "PXAT", "410244480" + (1000 + step % 9)};
        case 10 -> new String[] {"DEL", "text" + some, "growing" + some, "long" + some};
        case 11 -> new String[] {"COPY", "counter" + some, "text" + some, "REPLACE"};
        default -> new String[] {"PERSIST", "text" + some};
      };
    }
  }

  /** Goes through the steps, {@link #STEPS_AT_ONCE} on their way, until told to stop. */
  private static final class Writer {
    private final ServerProcess server;
    private final int database;
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong acknowledged = new AtomicLong();
    private final CountDownLatch warm = new CountDownLatch(100);
    private final Thread thread;

    Writer(ServerProcess server, int database) {
      this.server = server;
      this.database = database;
      this.thread = Thread.ofPlatform().start(this::run);
    }

    private void run() {
      try (RawConnection connection = server.connect().patience(Duration.ofMinutes(1))) {
        connection.call("SELECT", Integer.toString(database));
        for (long step = 0; !stop.get(); step += STEPS_AT_ONCE) {
          play(connection, database, step, step + STEPS_AT_ONCE);
          acknowledged.set(step + STEPS_AT_ONCE);
          warm.countDown();
        }
      }
    }

    void join() throws InterruptedException {
      stop.set(true);
      thread.join();
    }
  }

  /** Each step as a transaction; a command in it may fail, the same everywhere. */
  private static void play(RawConnection connection, int writer, long from, long to) {
    Steps steps = new Steps(writer);
    StringBuilder batch = new StringBuilder();
    int replies = 0;
    for (long step = from; step < to; step++) {
      List<String[]> commands = steps.of(step);
      batch.append(RawConnection.encode("MULTI"));
      commands.forEach(command -> batch.append(RawConnection.encode(command)));
      batch.append(RawConnection.encode("EXEC"));
      replies += commands.size() + 2;
    }
    connection.sendBytes(batch.toString());
    for (int i = 0; i < replies; i++) {
      connection.read();
    }
  }

  private static void prepare(ServerProcess server) {
    try (RawConnection connection = server.connect()) {
      for (int database = 0; database < WRITERS; database++) {
        connection.call("SELECT", Integer.toString(database));
        connection.call("BF.RESERVE", "big0", "0.01", "5000000");
      }
    }
  }

  @Test
  void bgsave_underWritersAtFullSpeed_isOfOneInstant() throws Exception {
    try (ServerProcess server = ServerProcess.started();
        ServerProcess loaded = ServerProcess.prepared();
        ServerProcess replayed = ServerProcess.started()) {
      prepare(server);
      prepare(replayed);
      List<Writer> writers = startWriters(server);
      long[] played = new long[WRITERS];
      for (int round = 0; round < ROUNDS; round++) {
        long[] before = acknowledged(writers);
        save(server);
        long[] after = acknowledged(writers);
        Files.copy(server.rdbFile(), loaded.rdbFile(), StandardCopyOption.REPLACE_EXISTING);
        loaded.start();
        long[] cut = cut(loaded, before, after);
        replay(replayed, played, cut);
        assertSame(loaded, replayed, cut);
        played = cut;
        loaded.kill();
      }
      for (Writer writer : writers) {
        writer.join();
      }
    }
  }

  private static List<Writer> startWriters(ServerProcess server) throws InterruptedException {
    List<Writer> writers = new ArrayList<>();
    for (int database = 0; database < WRITERS; database++) {
      writers.add(new Writer(server, database));
      assertThat(writers.getLast().warm.await(1, TimeUnit.MINUTES)).isTrue();
    }
    return writers;
  }

  /** The step of each writer that a snapshot shows: all that was acknowledged, nothing later. */
  private static long[] cut(ServerProcess loaded, long[] before, long[] after) {
    long[] cut = new long[WRITERS];
    for (int database = 0; database < WRITERS; database++) {
      cut[database] = steps(loaded, database);
      assertThat(cut[database]).isBetween(before[database], after[database] + 2 * STEPS_AT_ONCE);
    }
    return cut;
  }

  private static void replay(ServerProcess server, long[] from, long[] to) {
    for (int database = 0; database < WRITERS; database++) {
      replay(server, database, from[database], to[database]);
    }
  }

  private static void assertSame(ServerProcess loaded, ServerProcess replayed, long[] cut) {
    for (int database = 0; database < WRITERS; database++) {
      assertThat(contents(loaded, database))
          .as("database %d, step %d", database, cut[database])
          .isEqualTo(contents(replayed, database));
    }
  }

  private static long[] acknowledged(List<Writer> writers) {
    return writers.stream().mapToLong(writer -> writer.acknowledged.get()).toArray();
  }

  private static void save(ServerProcess server) throws InterruptedException {
    assertThat(server.call("BGSAVE")).isEqualTo(new Reply.Simple("Background saving started"));
    while (persistence(server).contains("rdb_bgsave_in_progress:1")) {
      Thread.sleep(10);
    }
    assertThat(persistence(server)).contains("rdb_last_bgsave_status:ok");
  }

  private static String persistence(ServerProcess server) {
    return server.call("INFO", "persistence").toString();
  }

  private static long steps(ServerProcess server, int database) {
    try (RawConnection connection = select(server, database)) {
      return Long.parseLong(text(connection.call("GET", COUNTER)));
    }
  }

  private static void replay(ServerProcess server, int database, long from, long to) {
    try (RawConnection connection = select(server, database)) {
      for (long step = from; step < to; step += STEPS_AT_ONCE) {
        play(connection, database, step, Math.min(to, step + STEPS_AT_ONCE));
      }
    }
  }

  private static RawConnection select(ServerProcess server, int database) {
    RawConnection connection = server.connect().patience(Duration.ofMinutes(1));
    connection.call("SELECT", Integer.toString(database));
    return connection;
  }

  private static String text(Reply reply) {
    return ((Reply.Bulk) reply).bytes();
  }

  /** Every key with its DUMP, which has all bits of a filter, and its expiry. */
  private static Map<String, String> contents(ServerProcess server, int database) {
    Map<String, String> contents = new TreeMap<>();
    try (RawConnection connection = select(server, database)) {
      for (Reply key : ((Reply.Aggregate) connection.call("KEYS", "*")).elements()) {
        String name = text(key);
        String dump = text(connection.call("DUMP", name));
        String expiry = connection.call("PEXPIRETIME", name).toString();
        contents.put(name, dump.length() + " bytes, " + dump.hashCode() + ", until " + expiry);
      }
      contents.put("size", connection.call("DBSIZE").toString());
    }
    return contents;
  }
}
