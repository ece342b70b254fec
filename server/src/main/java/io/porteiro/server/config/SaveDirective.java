package io.porteiro.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code save}: pairs of seconds and changes, on one line or several; {@code ""} is none. */
final class SaveDirective extends Directive<List<SavePoint>> {
  private static final String INVALID = "Invalid save parameters";

  SaveDirective(SavePoint... defaults) {
    super("save", List.of(defaults));
    with(Trait.WORDS);
  }

  @Override
  List<SavePoint> parse(List<String> words) throws ConfigException {
    List<String> numbers = words.equals(List.of("")) ? List.of() : words;
    if (numbers.size() % 2 != 0) {
      throw new ConfigException(INVALID);
    }
    List<SavePoint> points = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i += 2) {
      points.add(new SavePoint(number(numbers.get(i), 1), number(numbers.get(i + 1), 0)));
    }
    return List.copyOf(points);
  }

  private static long number(String word, long min) throws ConfigException {
    try {
      long number = Long.parseLong(word);
      if (number >= min) {
        return number;
      }
    } catch (NumberFormatException e) {
      // as any other number that is not allowed
    }
    throw new ConfigException(INVALID);
  }

  /** Lines add up, but {@code save ""} takes back all before it. */
  @Override
  List<SavePoint> parseLine(List<String> words, @Nullable List<SavePoint> before)
      throws ConfigException {
    List<SavePoint> points = parse(words);
    if (before == null || points.isEmpty()) {
      return points;
    }
    List<SavePoint> sum = new ArrayList<>(before);
    sum.addAll(points);
    return List.copyOf(sum);
  }

  @Override
  String text() {
    return get().stream().map(SaveDirective::text).collect(Collectors.joining(" "));
  }

  private static String text(SavePoint point) {
    return point.seconds() + " " + point.changes();
  }

  @Override
  List<String> lines() {
    if (get().isEmpty()) {
      return List.of("save \"\"");
    }
    return get().stream().map(point -> "save " + text(point)).toList();
  }
}
