package io.porteiro.server.config;

import java.util.List;

/** A directive whose value is one of a list of words, in any case. */
final class ChoiceDirective extends Directive<String> {
  private final List<String> choices;

  ChoiceDirective(String name, String defaultValue, String... choices) {
    super(name, defaultValue);
    this.choices = List.of(choices);
  }

  @Override
  String parse(List<String> words) throws ConfigException {
    for (String choice : choices) {
      if (choice.equalsIgnoreCase(words.getFirst())) {
        return choice;
      }
    }
    throw new ConfigException(
        "argument(s) must be one of the following: " + String.join(", ", choices));
  }

  @Override
  String text() {
    return get();
  }
}
