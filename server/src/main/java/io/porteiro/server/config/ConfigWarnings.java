package io.porteiro.server.config;

import io.porteiro.server.config.Directive.Trait;
import java.util.ArrayList;
import java.util.List;

/** What a log should say once about settings that were accepted and do not do what they say. */
final class ConfigWarnings {
  private ConfigWarnings() {}

  static List<String> of(Directives directives) {
    List<String> warnings = new ArrayList<>();
    addInert(directives, warnings);
    addPolicy(directives, warnings);
    return warnings;
  }

  /** Only those that were changed: a stock file names them all. */
  private static void addInert(Directives directives, List<String> warnings) {
    List<String> names =
        directives.all().stream()
            .filter(directive -> directive.is(Trait.INERT) && !directive.isDefault())
            .map(Directive::name)
            .toList();
    if (!names.isEmpty()) {
      warnings.add("Settings without meaning here are ignored: " + String.join(", ", names));
    }
  }

  private static void addPolicy(Directives directives, List<String> warnings) {
    Directive<?> policy = directives.find("maxmemory-policy");
    if (policy != null && !policy.isDefault()) {
      warnings.add(
          "Nothing is ever evicted: maxmemory-policy "
              + policy.text()
              + " acts as noeviction, and commands that need memory are refused at maxmemory");
    }
  }
}
