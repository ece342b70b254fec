package io.porteiro.server.command.bloom;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.CommandHarness;
import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.command.hyperloglog.HyperLogLogCommands;
import io.porteiro.server.command.keyspace.KeyspaceCommands;
import io.porteiro.server.command.string.StringCommands;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.metrics.Metrics;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random commands of the families that are answered in series, sent to one server in batches and to
 * another one by one: whatever a user, a log or a subscriber can see has to be the same.
 */
class SeriesTest {
  /** Empty, capacity 10, 32-bit hashes, 128 bits; loaded with BF.LOADCHUNK. */
  private static final byte[] OLD_FILTER =
      HexFormat.of()
          .parseHex(
              "000000000000000001000000000000000200000010000000000000008000000000000000"
                  + "00000000000000007b14ae47e17a743fb974b9ca8d0e2640080000000a00000000000000"
                  + "07");

  /** A sparse HyperLogLog that ends after 64 registers. */
  private static final String CUT_HYPER_LOG_LOG = "HYLL\1\0\0\0\0\0\0\0\0\0\0\0\77";

  private static final int SEEDS = 12;
  private static final int BATCHES = 60;
  private static final String[] KEYS = {"a", "b"};

  private static CommandHarness newServer(boolean journaled, String events) throws ConfigException {
    CommandHarness server =
        CommandHarness.of(
            BloomCommands.commands(),
            HyperLogLogCommands.commands(),
            StringCommands.commands(),
            KeyspaceCommands.commands());
    server.journal().setActive(journaled);
    server.configure("notify-keyspace-events", events);
    return server;
  }

  /** A command that may be part of a series, mostly the same as the one before. */
  private static String line(Random random, String before) {
    if (!before.isEmpty() && random.nextInt(8) > 0) {
      String[] words = before.split(" ", -1);
      return probe(random, words[0], words[1]);
    }
    String key = KEYS[random.nextInt(KEYS.length)];
    return switch (random.nextInt(40)) {
      case 0 -> "DEL " + key;
      case 1 -> "SET " + key + " v";
      case 2 -> "SET " + key + " " + CUT_HYPER_LOG_LOG;
      case 3 -> "BF.RESERVE " + key + " 0.001 12 NONSCALING";
      case 4 -> "BF.RESERVE " + key + " 0.001 3";
      case 5, 6, 7 -> "BF.RESERVE " + key + " 0.001 1000";
      case 8, 9, 10, 11, 12, 13, 14, 15, 16 -> probe(random, "BF.EXISTS", key);
      case 17, 18 -> probe(random, "BF.MADD", key);
      case 19, 20 -> probe(random, "BF.MEXISTS", key);
      case 21, 22, 23, 24, 25, 26 -> probe(random, "PFADD", key);
      case 27, 28 -> "PFCOUNT " + key;
      case 29, 30, 31 -> "DEL " + key;
      default -> probe(random, "BF.ADD", key);
    };
  }

  private static String probe(Random random, String command, String key) {
    String item = " i" + random.nextInt(80);
    return switch (command) {
      case "BF.ADD", "BF.EXISTS" -> command + " " + key + item;
      case "BF.MADD", "BF.MEXISTS" -> command + " " + key + item + " j" + item.strip();
      case "PFADD" -> command + " " + key + (random.nextInt(9) == 0 ? "" : item);
      default -> command + " " + key;
    };
  }

  private static String[] lines(Random random) {
    String[] lines = new String[1 + random.nextInt(100)];
    String before = "";
    for (int i = 0; i < lines.length; i++) {
      lines[i] = line(random, before);
      before = lines[i].startsWith("BF.RESERVE") || lines[i].startsWith("SET") ? "" : lines[i];
    }
    return lines;
  }

  private static List<String> oneByOne(HarnessClient client, String[] lines) {
    List<String> replies = new ArrayList<>();
    for (String line : lines) {
      replies.addAll(client.batch(line));
    }
    return replies;
  }

  private static List<String> effects(CommandHarness server) {
    return server.effects().stream().flatMap(unit -> List.of(unit.split("; ")).stream()).toList();
  }

  private static List<Long> counters(CommandHarness server) {
    Metrics metrics = server.services().metrics();
    List<Long> counters = new ArrayList<>();
    server.services().table().byId().forEach(spec -> counters.add(metrics.calls(spec.id())));
    server.services().table().byId().forEach(spec -> counters.add(metrics.failedCalls(spec.id())));
    counters.add(metrics.keyspaceHits());
    counters.add(metrics.keyspaceMisses());
    counters.add(metrics.errorReplies());
    counters.add(server.keyspace().changes());
    return counters;
  }

  @ParameterizedTest
  @CsvSource({
    "2, true, KEA",
    "2, false, ''",
    "3, true, ''",
    "3, false, KEAm",
    "2, true, Em",
  })
  void series_ofRandomCommands_areAsIfOneByOne(int protocol, boolean journaled, String events)
      throws ConfigException {
    for (int seed = 1; seed <= SEEDS; seed++) {
      try (CommandHarness together = newServer(journaled, events);
          CommandHarness single = newServer(journaled, events)) {
        assertAlike(together, single, protocol, new Random(seed), "seed " + seed);
      }
    }
  }

  private static void assertAlike(
      CommandHarness together, CommandHarness single, int protocol, Random random, String when) {
    HarnessClient batches = client(together, protocol);
    HarnessClient singles = client(single, protocol);
    for (int batch = 0; batch < BATCHES; batch++) {
      if (batch % 10 == 0) {
        loadOldFilter(batches);
        loadOldFilter(singles);
      }
      String[] lines = lines(random);
      String what = when + ", batch " + batch + ": " + List.of(lines);
      assertThat(batches.batch(lines)).as(what).isEqualTo(oneByOne(singles, lines));
      assertThat(effects(together)).as(what).isEqualTo(effects(single));
      assertThat(together.channels().take()).as(what).isEqualTo(single.channels().take());
      assertThat(counters(together)).as(what).isEqualTo(counters(single));
    }
  }

  private static HarnessClient client(CommandHarness server, int protocol) {
    HarnessClient client = server.client();
    return protocol == 3 ? client.resp3() : client;
  }

  private static void loadOldFilter(HarnessClient client) {
    client.call("DEL", "b");
    assertThat(client.call("BF.LOADCHUNK", "b", "1", OLD_FILTER)).isEqualTo("+OK");
  }

  @ParameterizedTest
  @CsvSource({"BF.EXISTS, 1", "BF.ADD, 0"})
  void series_whileSomebodyMonitors_areShownOneByOne(String command, int answer)
      throws ConfigException {
    try (CommandHarness server = newServer(true, "")) {
      HarnessClient client = server.client();
      client.batch("BF.ADD a x");
      server.observer().setMonitoring(true);

      String line = command + " a x";
      assertThat(client.batch(line, line, line))
          .containsExactly(":" + answer, ":" + answer, ":" + answer);
      assertThat(server.observer().take())
          .containsExactly("monitor " + line, "monitor " + line, "monitor " + line);
    }
  }
}
