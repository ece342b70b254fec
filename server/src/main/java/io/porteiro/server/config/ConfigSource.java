package io.porteiro.server.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines to read settings from.
 *
 * @param file the file they are in, or null
 * @param variable the environment variable that gives them, or null
 * @param firstLine the number of the first line in messages
 */
record ConfigSource(
    @Nullable String file, @Nullable String variable, int firstLine, List<String> lines) {
  /** A file's, or with null standard input's or those of options. */
  static ConfigSource ofText(@Nullable String file, int firstLine, String text) {
    return new ConfigSource(file, null, firstLine, List.of(text.split("\n", -1)));
  }

  static ConfigSource ofVariable(String variable, List<String> lines) {
    return new ConfigSource(null, variable, 1, lines);
  }

  /** What was read when a line was found wrong. */
  String place(int index) {
    return variable != null
        ? "Reading the environment variable " + variable
        : "Reading the configuration file, at line "
            + (firstLine + index)
            + (file == null ? "" : " of " + file);
  }
}
