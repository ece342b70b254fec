package io.porteiro.server.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.porteiro.server.config.Directive.Trait;
import io.porteiro.server.glob.GlobPattern;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** CONFIG GET. */
final class ConfigSearch {
  private ConfigSearch() {}

  static Map<String, String> find(Directives directives, List<String> patterns) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String pattern : patterns) {
      if (GlobPattern.hasWildcards(pattern)) {
        addMatching(directives, pattern, found);
      } else {
        addNamed(directives, pattern, found);
      }
    }
    return found;
  }

  private static void addMatching(
      Directives directives, String pattern, Map<String, String> found) {
    GlobPattern glob = GlobPattern.ignoringCase(pattern.getBytes(ISO_8859_1));
    directives
        .byName()
        .forEach((name, directive) -> {
          if (!directive.is(Trait.HIDDEN) && glob.matches(name.getBytes(ISO_8859_1))) {
            found.putIfAbsent(name, directive.text());
          }
        });
  }

  private static void addNamed(Directives directives, String name, Map<String, String> found) {
    Directive<?> directive = directives.find(name);
    if (directive != null) {
      found.putIfAbsent(name, directive.text());
    }
  }
}
