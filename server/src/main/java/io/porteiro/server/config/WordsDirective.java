package io.porteiro.server.config;

import java.util.List;

/** A directive with several words; none, or one empty word, is an empty list. */
final class WordsDirective extends Directive<List<String>> {
  /** Refuses words that the directive does not take. */
  @FunctionalInterface
  interface Rule {
    void check(List<String> words) throws ConfigException;
  }

  private final Rule rule;

  WordsDirective(String name, Rule rule, String... defaults) {
    super(name, List.of(defaults));
    this.rule = rule;
    with(Trait.WORDS);
  }

  @Override
  List<String> parse(List<String> words) throws ConfigException {
    List<String> taken = words.equals(List.of("")) ? List.of() : List.copyOf(words);
    rule.check(taken);
    return taken;
  }

  @Override
  String text() {
    return String.join(" ", get());
  }

  @Override
  List<String> lines() {
    return List.of(name() + " " + (get().isEmpty() ? "\"\"" : text()));
  }
}
