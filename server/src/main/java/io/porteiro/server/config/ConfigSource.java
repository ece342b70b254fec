package io.porteiro.server.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines to read settings from.
 *
 * @param file the file they are in, or null for standard input and options
 * @param firstLine the number of the first line in messages
 */
record ConfigSource(@Nullable String file, int firstLine, List<String> lines) {
  static ConfigSource ofText(@Nullable String file, int firstLine, String text) {
    return new ConfigSource(file, firstLine, List.of(text.split("\n", -1)));
  }
}
