package io.porteiro.server.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All directives, found by name or alias in any case, in the order in which they were added. */
final class Directives {
  private final Map<String, Directive<?>> byName = new LinkedHashMap<>();
  private final Set<Directive<?>> all = new LinkedHashSet<>();

  <D extends Directive<?>> D add(D directive) {
    put(directive.name(), directive);
    String alias = directive.alias();
    if (alias != null) {
      put(alias, directive);
    }
    all.add(directive);
    return directive;
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
    return byName;
  }

  Collection<Directive<?>> all() {
    return all;
  }
}
