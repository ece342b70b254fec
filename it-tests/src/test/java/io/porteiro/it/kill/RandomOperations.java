package io.porteiro.it.kill;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Writes of all kinds, on a few keys. */
final class RandomOperations {
  private static final int KEYS = 4;
  private static final int MAX_ITEMS = 20;
  private static final int FLUSH_ONE_IN = 2000;

  private final SplittableRandom random;
  private long nextItem;

  RandomOperations(SplittableRandom random) {
    this.random = random;
  }

  Operation next() {
    if (random.nextInt(FLUSH_ONE_IN) == 0) {
      return Operation.of(State::clear, "FLUSHDB");
    }
    return random.nextInt(6) == 0 ? transaction() : single();
  }

  /** Two values that always are the same, and anything else between them. */
  private Operation transaction() {
    String value = item();
    List<Operation> parts = new ArrayList<>();
    parts.add(set("sLeft", value));
    IntStream.range(0, random.nextInt(4)).forEach(_ -> parts.add(single()));
    parts.add(set("sRight", value));
    List<List<String>> commands =
        Stream.of(
                Stream.of(List.of("MULTI")),
                parts.stream().flatMap(part -> part.commands().stream()),
                Stream.of(List.of("EXEC")))
            .flatMap(all -> all)
            .toList();
    return new Operation(commands, state -> parts.forEach(part -> part.effect().accept(state)));
  }

  private Operation single() {
    return switch (random.nextInt(12)) {
      case 0 -> set(key("s"), item());
      case 1 -> append(key("s"), item());
      case 2, 3 -> increment(key("n"));
      case 4 -> delete(key(type()));
      case 5 -> rename(type());
      case 6 -> reserve(key("f"));
      case 7 -> addToFilter(List.of("BF.ADD", key("f")), List.of(item()));
      case 8 -> addToFilter(List.of("BF.MADD", key("f")), items());
      case 9 -> addToFilter(List.of("BF.INSERT", key("f"), "ITEMS"), items());
      default -> addToSketch(key("h"), items());
    };
  }

  private String type() {
    return Character.toString("snfh".charAt(random.nextInt(4)));
  }

  private String key(String type) {
    return type + random.nextInt(KEYS);
  }

  private String item() {
    return Long.toString(nextItem++, 36) + "-" + Long.toString(random.nextLong(), 36);
  }

  private List<String> items() {
    return Stream.generate(this::item).limit(1 + random.nextInt(MAX_ITEMS)).toList();
  }

  private static Operation set(String key, String value) {
    return Operation.of(state -> state.set(key, value), "SET", key, value);
  }

  private static Operation append(String key, String value) {
    return Operation.of(state -> state.append(key, value), "APPEND", key, value);
  }

  private static Operation increment(String key) {
    return Operation.of(state -> state.increment(key), "INCR", key);
  }

  private static Operation delete(String key) {
    return Operation.of(state -> state.delete(key), "DEL", key);
  }

  private Operation rename(String type) {
    String from = key(type);
    String to = key(type);
    return Operation.of(state -> state.rename(from, to), "RENAME", from, to);
  }

  private static Operation reserve(String key) {
    return Operation.of(
        state -> state.reserve(key), "BF.RESERVE", key, "0.00000001", "5000", "EXPANSION", "3");
  }

  private static Operation addToFilter(List<String> command, List<String> items) {
    List<String> words = Stream.concat(command.stream(), items.stream()).toList();
    String key = command.get(1);
    return new Operation(List.of(words), state -> state.addToFilter(key, items));
  }

  private static Operation addToSketch(String key, List<String> items) {
    List<String> words = Stream.concat(Stream.of("PFADD", key), items.stream()).toList();
    return new Operation(List.of(words), state -> state.addToSketch(key, items));
  }
}
