package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The log says what was done: whatever commands are executed, loading it gives the same keys, byte
 * by byte. A command whose effect is missing, or depends on the clock or on settings, gets through
 * no other test.
 */
class LogReplayTest {
  private static final long SEED = Long.getLong("porteiro.fuzz.seed", 20261130);
  private static final int ROUNDS = 40;
  private static final int COMMANDS = 300;

  /** Words in braces stand for one of several; K is a key, N a number, I an item, T a time. */
  private static final List<String> COMMANDS_TO_TRY =
      List.of(
          "SET K I",
          "SET K I EX 100",
          "SET K I PX T",
          "SET K N KEEPTTL",
          "SET K I NX",
          "SET K I XX GET",
          "SETEX K 100 I",
          "PSETEX K T I",
          "SETNX K I",
          "GETSET K I",
          "GETDEL K",
          "GETEX K",
          "GETEX K PX T",
          "GETEX K EXAT 1",
          "GETEX K PERSIST",
          "MSET K I K I K N",
          "MSETNX K I K I",
          "APPEND K I",
          "SETRANGE K 5 I",
          "INCR K",
          "DECRBY K N",
          "INCRBYFLOAT K 1.1",
          "DEL K",
          "UNLINK K K",
          "EXPIRE K 100",
          "EXPIRE K 100 NX",
          "PEXPIRE K T",
          "EXPIREAT K 1",
          "PEXPIREAT K 1700000000500",
          "PERSIST K",
          "RENAME K K",
          "RENAMENX K K",
          "COPY K K",
          "COPY K K DB 1 REPLACE",
          "MOVE K 1",
          "SWAPDB 0 1",
          "FLUSHDB",
          "BF.RESERVE K 0.01 50",
          "BF.RESERVE K 0.3 20 EXPANSION 3",
          "BF.RESERVE K 0.001 5 NONSCALING",
          "BF.ADD K I",
          "BF.ADD K I",
          "BF.MADD K I I I I I I",
          "BF.MADD K I I I I I I",
          "BF.INSERT K ITEMS I I",
          "BF.INSERT K CAPACITY 4 ERROR 0.1 EXPANSION 2 ITEMS I I I",
          "BF.INSERT K NONSCALING CAPACITY 3 ITEMS I I I I I",
          "PFADD K I I I",
          "PFADD K I",
          "PFADD K",
          "PFCOUNT K",
          "PFCOUNT K K",
          "PFMERGE K K K",
          "PFDEBUG TODENSE K",
          "GET K",
          "MULTI",
          "EXEC",
          "DISCARD",
          "SELECT 0",
          "SELECT 1");

  @TempDir private Path directory;
  private SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void load_afterRandomCommands_givesTheSameKeys() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      random = new SplittableRandom(SEED + round);
      play(Files.createDirectory(directory.resolve("round" + round)), round);
    }
  }

  private void play(Path place, int round) throws IOException {
    Map<String, String> before;
    boolean rewrites = round % 4 == 0;
    String expansion = round % 3 == 0 ? "0" : "2";
    try (DurableServer server = DurableServer.started(place, "bf-expansion-factor", expansion)) {
      for (int i = 0; i < COMMANDS; i++) {
        String command = fill(COMMANDS_TO_TRY.get(random.nextInt(COMMANDS_TO_TRY.size())));
        server.call(command.split(" ", -1));
        passTime(server);
        if (rewrites && i == COMMANDS / 2) {
          server.rewrite();
        }
      }
      server.call("DISCARD");
      before = contents(server);
    }
    // other settings and another time: what is in the log must not depend on them
    try (DurableServer server =
        DurableServer.started(
            place,
            "bf-error-rate",
            "0.2",
            "bf-initial-size",
            "7",
            "bf-expansion-factor",
            expansion)) {
      assertThat(contents(server)).as("seed %d", SEED + round).isEqualTo(before);
    }
  }

  private String fill(String template) {
    StringBuilder command = new StringBuilder();
    for (String word : template.split(" ", -1)) {
      command.append(command.isEmpty() ? "" : " ").append(fillWord(word));
    }
    return command.toString();
  }

  private String fillWord(String word) {
    return switch (word) {
      case "K" -> "key" + random.nextInt(8);
      case "N" -> Integer.toString(random.nextInt(100));
      case "I" -> "item" + random.nextInt(60);
      case "T" -> Integer.toString(1 + random.nextInt(1000));
      default -> word;
    };
  }

  private void passTime(DurableServer server) {
    if (random.nextInt(20) == 0) {
      server.clock().advance(random.nextInt(300));
    }
  }

  /**
   * DUMP and expiry of all keys that have not expired, by database and name. Expired ones are
   * removed first, as by whoever meets them.
   */
  private static Map<String, String> contents(DurableServer server) {
    Map<String, String> contents = new TreeMap<>();
    for (int database : new int[] {0, 1}) {
      server.call("SELECT", Integer.toString(database));
      for (int i = 0; i < 8; i++) {
        String key = "key" + i;
        if (server.call("PTTL", key).equals(":-1")) {
          contents.put(database + ":" + key, server.call("DUMP", key));
        } else if (!server.call("EXISTS", key).equals(":0")) {
          contents.put(
              database + ":" + key,
              server.call("PEXPIRETIME", key) + " " + server.call("DUMP", key));
        }
      }
    }
    return contents;
  }

  /** A filter that scales must scale again, whatever the default is when the log is read. */
  @Test
  void load_withOtherExpansionFactor_keepsFiltersScaling() throws IOException {
    String[] items = IntStream.range(0, 300).mapToObj(i -> "item" + i).toArray(String[]::new);
    try (DurableServer server = DurableServer.started(directory)) {
      server.call("BF.RESERVE", "r", "0.01", "50");
      server.call("MULTI");
      server.call("BF.INSERT", "i", "CAPACITY", "50", "ITEMS", "first");
      server.call("EXEC");
      for (String key : List.of("r", "i", "a")) {
        server.call(with("BF.MADD", key, items));
      }
    }
    try (DurableServer server =
        DurableServer.started(directory, "bf-expansion-factor", "0", "bf-max-capacity", "10")) {
      for (String key : List.of("r", "i", "a")) {
        assertThat(server.call(with("BF.MEXISTS", key, items))).as(key).doesNotContain(":0");
      }
    }
  }

  private static String[] with(String command, String key, String... items) {
    List<String> words = new ArrayList<>(List.of(command, key));
    words.addAll(Arrays.asList(items));
    return words.toArray(String[]::new);
  }
}
