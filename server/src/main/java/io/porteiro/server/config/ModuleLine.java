package io.porteiro.server.config;

import java.util.List;
import java.util.Locale;

/**
 * {@code loadmodule}: what the Bloom module does is built in, so it is not loaded; its arguments
 * are the defaults of new filters. Any other module is missing, and its users would miss it.
 */
final class ModuleLine {
  private ModuleLine() {}

  static void read(ConfigLoader loader, List<String> words) throws ConfigException {
    String file = words.getFirst();
    String name = file.substring(file.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    if (!name.contains("bloom")) {
      throw new ConfigException(
          "modules are not supported, only the commands of the Bloom module, which are built in");
    }
    List<String> arguments = words.subList(1, words.size());
    if (arguments.size() % 2 != 0) {
      throw new ConfigException("Invalid number of arguments passed to the Bloom module");
    }
    for (int i = 0; i < arguments.size(); i += 2) {
      readArgument(loader, arguments.get(i), arguments.get(i + 1));
    }
  }

  private static void readArgument(ConfigLoader loader, String name, String value)
      throws ConfigException {
    switch (name.toUpperCase(Locale.ROOT)) {
      case "ERROR_RATE" -> loader.read("bf-error-rate", List.of(value));
      case "INITIAL_SIZE" -> loader.read("bf-initial-size", List.of(value));
      case "EXPANSION" -> loader.read("bf-expansion-factor", List.of(value));
      case "CF_MAX_EXPANSIONS" -> loader.read("cf-max-expansions", List.of(value));
      default -> throw new ConfigException("Unrecognized option of the Bloom module: " + name);
    }
  }
}
