package io.porteiro.server.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All directives, in the order in which they were added, found by name or alias in any case. */
final class Directives {
  private final List<Directive<?>> all = new ArrayList<>();
  private final Map<String, Directive<?>> byName = new LinkedHashMap<>();

  <D extends Directive<?>> D add(D directive) {
    all.add(directive);
    return directive;
  }

  /** To be called once all are added and have their aliases. */
  void index() {
    for (Directive<?> directive : all) {
      put(directive.name(), directive);
      String alias = directive.alias();
      if (alias != null) {
        put(alias, directive);
      }
    }
  }

  private void put(String name, Directive<?> directive) {
    if (byName.put(name, directive) != null) {
      throw new IllegalArgumentException("two directives named " + name);
    }
  }

  @Nullable Directive<?> find(String name) {
    return byName.get(name.toLowerCase(Locale.ROOT));
  }

  /** Names and aliases. */
  Map<String, Directive<?>> byName() {
    return Collections.unmodifiableMap(byName);
  }

  List<Directive<?>> all() {
    return Collections.unmodifiableList(all);
  }
}
