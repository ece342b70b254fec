package io.porteiro.server.config;

import java.util.List;

/** A directive with one word of any text; not set is the empty word. */
class TextDirective extends Directive<String> {
  TextDirective(String name, String defaultValue) {
    super(name, defaultValue);
  }

  @Override
  String parse(List<String> words) throws ConfigException {
    return words.getFirst();
  }

  @Override
  String text() {
    return get();
  }

  @Override
  List<String> lines() {
    return List.of(name() + " " + ConfigText.quote(text()));
  }
}
