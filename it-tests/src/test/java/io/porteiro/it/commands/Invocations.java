package io.porteiro.it.commands;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Invocations of a command, made from what COMMAND DOCS says that it takes. */
public final class Invocations {
  private final List<String> name;
  private final List<Map<String, Object>> arguments;

  /**
   * @param name in lower case; of a subcommand {@code config|get}
   * @param arguments as {@link CommandCatalogue#arguments} has them
   */
  public Invocations(String name, List<Map<String, Object>> arguments) {
    this.name = List.of(name.toUpperCase(Locale.ROOT).split("\\|", -1));
    this.arguments = arguments;
  }

  /** With what it needs and no more. */
  public List<String> shortest() {
    return withName(least(arguments));
  }

  /** Each optional argument once, each choice once, what may be repeated twice. */
  public List<List<String>> all() {
    return variants(arguments).stream().map(this::withName).toList();
  }

  /**
   * Whether a word that means nothing cannot be taken for an argument: every optional one has a
   * word that begins it, and nothing is repeated.
   */
  public boolean isClosed() {
    return arguments.stream()
        .allMatch(argument ->
            !has(argument, "multiple") && (!has(argument, "optional") || isMarked(argument)));
  }

  private static boolean isMarked(Map<String, Object> argument) {
    return argument.containsKey("token")
        || (is(argument, "oneof") && parts(argument).stream().allMatch(Invocations::isMarked))
        || (is(argument, "block") && isMarked(parts(argument).getFirst()));
  }

  private static boolean is(Map<String, Object> argument, String type) {
    return type.equals(argument.get("type"));
  }

  private List<String> withName(List<String> words) {
    List<String> line = new ArrayList<>(name);
    line.addAll(words);
    return line;
  }

  private static List<String> least(List<Map<String, Object>> arguments) {
    List<String> words = new ArrayList<>();
    for (Map<String, Object> argument : arguments) {
      if (!has(argument, "optional")) {
        words.addAll(least(argument));
      }
    }
    return words;
  }

  private static List<String> least(Map<String, Object> argument) {
    List<String> words = new ArrayList<>();
    if (argument.containsKey("token")) {
      words.add(String.valueOf(argument.get("token")));
    }
    switch (String.valueOf(argument.get("type"))) {
      case "pure-token" -> {}
      case "block" -> words.addAll(least(parts(argument)));
      case "oneof" -> words.addAll(leastOf(parts(argument)));
      default -> words.add(sample(argument));
    }
    return words;
  }

  /** The shortest of several choices, the first of those that are equally long. */
  private static List<String> leastOf(List<Map<String, Object>> choices) {
    return choices.stream()
        .map(Invocations::least)
        .min(Comparator.comparingInt(List::size))
        .orElseThrow();
  }

  /** Differing from the shortest in one argument each. */
  private static List<List<String>> variants(List<Map<String, Object>> arguments) {
    List<List<String>> variants = new ArrayList<>();
    variants.add(least(arguments));
    for (int i = 0; i < arguments.size(); i++) {
      for (List<String> variant : variants(arguments.get(i))) {
        List<String> words = new ArrayList<>(least(arguments.subList(0, i)));
        words.addAll(variant);
        words.addAll(least(arguments.subList(i + 1, arguments.size())));
        variants.add(words);
      }
    }
    return variants;
  }

  private static List<List<String>> variants(Map<String, Object> argument) {
    List<List<String>> variants = new ArrayList<>();
    for (List<String> words : bodies(argument)) {
      List<String> variant = new ArrayList<>();
      if (argument.containsKey("token")) {
        variant.add(String.valueOf(argument.get("token")));
      }
      variant.addAll(words);
      variants.add(variant);
    }
    if (has(argument, "multiple")) {
      variants.add(twice(argument));
    }
    return variants;
  }

  private static List<List<String>> bodies(Map<String, Object> argument) {
    return switch (String.valueOf(argument.get("type"))) {
      case "pure-token" -> List.of(List.of());
      case "block" -> variants(parts(argument));
      case "oneof" -> parts(argument).stream().flatMap(part -> variants(part).stream()).toList();
      default -> List.of(List.of(sample(argument)));
    };
  }

  /** The word that begins it is repeated, too, only where it says so. */
  private static List<String> twice(Map<String, Object> argument) {
    List<String> once = least(argument);
    boolean skipsToken = argument.containsKey("token") && !has(argument, "multiple_token");
    List<String> words = new ArrayList<>(once);
    words.addAll(skipsToken ? once.subList(1, once.size()) : once);
    return words;
  }

  private static String sample(Map<String, Object> argument) {
    return switch (String.valueOf(argument.get("type"))) {
      case "integer" -> "1";
      case "double" -> "0.5";
      case "unix-time" -> "33000000000";
      case "pattern" -> "*";
      default -> word(String.valueOf(argument.get("name")));
    };
  }

  /** Names are words, but for those that tell what is allowed. */
  private static String word(String name) {
    return switch (name) {
      case "yes/no" -> "yes";
      case "type" -> "string";
      default -> name;
    };
  }

  private static boolean has(Map<String, Object> argument, String flag) {
    return argument.getOrDefault("flags", List.of()) instanceof List<?> flags
        && flags.contains(flag);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> parts(Map<String, Object> argument) {
    return (List<Map<String, Object>>) argument.getOrDefault("arguments", List.of());
  }
}
