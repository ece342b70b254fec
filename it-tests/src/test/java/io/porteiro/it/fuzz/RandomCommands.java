package io.porteiro.it.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Commands with arguments at and beyond the edges of what they accept; replies come one by one. */
public final class RandomCommands {
  private static final List<String> VALUES =
      List.of(
          "0",
          "1",
          "-1",
          "2",
          "10",
          "100",
          "-100",
          "007",
          "+1",
          " 1",
          "1 ",
          "1.5",
          "0.01",
          "1e-400",
          "0.000001",
          "inf",
          "-inf",
          "nan",
          "0x10",
          "1e308",
          "9223372036854775807",
          "-9223372036854775808",
          "9223372036854775808",
          "18446744073709551616",
          "2147483647",
          "4294967296",
          "536870912",
          "1073741824",
          "",
          "a",
          "b",
          "value",
          "HYLL",
          "\0",
          "\u00ff\u0000");

  private static final List<String> WORDS =
      List.of(
          "NX",
          "XX",
          "GT",
          "LT",
          "EX",
          "PX",
          "EXAT",
          "PXAT",
          "KEEPTTL",
          "GET",
          "PERSIST",
          "REPLACE",
          "ABSTTL",
          "IDLETIME",
          "FREQ",
          "DB",
          "MATCH",
          "COUNT",
          "TYPE",
          "string",
          "*",
          "[a-",
          "?",
          "ERROR",
          "CAPACITY",
          "EXPANSION",
          "NONSCALING",
          "NOCREATE",
          "ITEMS",
          "SIZE",
          "FILTERS",
          "ENCODING",
          "HELP",
          "USAGE",
          "SAMPLES",
          "GETREG",
          "DECODE",
          "TODENSE");

  private static final List<String> KEYS = List.of("k0", "k1", "k2", "k3", "k4", "k5");

  private final SplittableRandom random;
  private final List<String> commands;

  /**
   * @param commands names of commands that reply once and neither stop nor hold the connection
   */
  public RandomCommands(SplittableRandom random, List<String> commands) {
    this.random = random;
    this.commands = commands;
  }

  /** A command, mostly with a key first, and up to seven more arguments. */
  public String[] next() {
    List<String> words = new ArrayList<>(List.of(pick(commands).split(" ", -1)));
    if (random.nextInt(20) != 0) {
      words.add(pick(KEYS));
    }
    for (int more = random.nextInt(random.nextBoolean() ? 4 : 8); more > 0; more--) {
      words.add(argument());
    }
    return words.toArray(String[]::new);
  }

  private String argument() {
    return switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> pick(VALUES);
      case 4, 5 -> pick(WORDS);
      case 6, 7 -> pick(KEYS);
      case 8 -> "item" + random.nextInt(1000);
      default -> "x".repeat(random.nextInt(200));
    };
  }

  private String pick(List<String> list) {
    return list.get(random.nextInt(list.size()));
  }
}
