package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Batches of random commands, in which runs begin and end everywhere, against a model that executes
 * them one by one. Without it a run could answer a look-up before an add in front of it.
 */
class CommandOrderTest {
  private static final String WRONG =
      "-WRONGTYPE Operation against a key holding the wrong kind of value";

  /** What the commands do, in the simplest way. */
  private static final class Model {
    private final Map<String, Set<String>> sets = new HashMap<>();
    private final Map<String, String> strings = new HashMap<>();

    String execute(String[] words) {
      String key = words[1];
      return switch (words[0]) {
        case "add" -> add(key, words[2]);
        case "has" -> has(key, words[2]);
        case "card" ->
            strings.containsKey(key) ? WRONG : ":" + sets.getOrDefault(key, Set.of()).size();
        case "set" -> set(key, words[2]);
        case "get" -> get(key);
        case "del" -> del(key);
        default -> throw new AssertionError(words[0]);
      };
    }

    private String add(String key, String item) {
      return switch (item) {
        case "bad" -> "-ERR bad item";
        case "odd" -> "+ODD";
        default -> {
          if (strings.containsKey(key)) {
            yield WRONG;
          }
          yield sets.computeIfAbsent(key, _ -> new TreeSet<>()).add(item) ? ":1" : ":0";
        }
      };
    }

    private String has(String key, String item) {
      return switch (item) {
        case "bad" -> "-ERR bad item";
        case "odd" -> "+ODD";
        default -> {
          if (strings.containsKey(key)) {
            yield WRONG;
          }
          yield sets.getOrDefault(key, Set.of()).contains(item) ? ":1" : ":0";
        }
      };
    }

    private String set(String key, String value) {
      sets.remove(key);
      strings.put(key, value);
      return "+OK";
    }

    private String get(String key) {
      if (sets.containsKey(key)) {
        return WRONG;
      }
      String value = strings.get(key);
      return value == null ? "nil" : "\"" + value + "\"";
    }

    private String del(String key) {
      boolean deleted = sets.remove(key) != null;
      deleted |= strings.remove(key) != null;
      return deleted ? ":1" : ":0";
    }
  }

  private static String line(Random random) {
    String key = "k" + random.nextInt(3);
    int item = random.nextInt(14);
    String word = item == 12 ? "bad" : item == 13 ? "odd odd" : "i" + item;
    return switch (random.nextInt(20)) {
      case 0 -> "set " + key + " v" + item;
      case 1 -> "get " + key;
      case 2, 3 -> "del " + key;
      case 4 -> "card " + key;
      case 5, 6, 7, 8, 9, 10 -> "has " + key + " " + word;
      default -> "add " + key + " " + word;
    };
  }

  /** So many keys that batches look ahead. */
  private static void makeLarge(HarnessClient client) {
    for (int i = 0; i < 5_000; i++) {
      client.batch("set filler" + i + " v");
    }
  }

  @Test
  void batches_ofRandomCommands_answerAsIfOneByOne() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      Model model = new Model();
      try (CommandHarness server = CommandHarness.of(CommandHarness.testCommands())) {
        HarnessClient client = server.client();
        if (seed % 2 == 0) {
          makeLarge(client);
        }
        for (int batch = 0; batch < 60; batch++) {
          assertAnswersAsModel(client, model, random, "seed " + seed + ", batch " + batch);
        }
      }
    }
  }

  private static void assertAnswersAsModel(
      HarnessClient client, Model model, Random random, String when) {
    String[] lines = new String[1 + random.nextInt(90)];
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < lines.length; i++) {
      lines[i] = line(random);
      expected.add(model.execute(lines[i].split(" ", -1)));
    }
    assertThat(client.batch(lines)).as("%s: %s", when, List.of(lines)).isEqualTo(expected);
  }
}
