package io.porteiro.server.access;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The names of Redis's commands, from {@code redis-commands.txt}. */
final class RedisCommands {
  private RedisCommands() {}

  /** The full names of the subcommands by the name of their command; mostly none. */
  static Map<String, List<String>> names() {
    try (InputStream in = RedisCommands.class.getResourceAsStream("redis-commands.txt");
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.US_ASCII))) {
      return reader
          .lines()
          .filter(line -> !line.startsWith("#"))
          .collect(
              Collectors.groupingBy(
                  RedisCommands::command,
                  TreeMap::new,
                  Collectors.filtering(name -> name.indexOf('|') > 0, Collectors.toList())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String command(String name) {
    int bar = name.indexOf('|');
    return bar < 0 ? name : name.substring(0, bar);
  }
}
