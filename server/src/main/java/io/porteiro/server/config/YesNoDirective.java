package io.porteiro.server.config;

import java.util.List;

/** A directive that is {@code yes} or {@code no}. */
final class YesNoDirective extends Directive<Boolean> {
  YesNoDirective(String name, boolean defaultValue) {
    super(name, defaultValue);
  }

  @Override
  Boolean parse(List<String> words) throws ConfigException {
    String word = words.getFirst();
    if (word.equalsIgnoreCase("yes")) {
      return true;
    }
    if (word.equalsIgnoreCase("no")) {
      return false;
    }
    throw new ConfigException("argument must be 'yes' or 'no'");
  }

  @Override
  String text() {
    return get() ? "yes" : "no";
  }
}
