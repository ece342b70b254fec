package io.porteiro.server.config;

import java.util.List;

/** What single directives demand beyond their kind. */
final class Rules {
  private static final int MAX_BIND_ADDRESSES = 16;
  private static final List<String> SHUTDOWN_FLAGS =
      List.of("default", "save", "nosave", "now", "force");

  private Rules() {}

  static void bind(List<String> addresses) throws ConfigException {
    if (addresses.size() > MAX_BIND_ADDRESSES) {
      throw new ConfigException("Too many bind addresses specified.");
    }
  }

  static void shutdown(List<String> flags) throws ConfigException {
    if (flags.isEmpty() || !SHUTDOWN_FLAGS.containsAll(flags)) {
      throw new ConfigException(
          "argument(s) must be one of the following: " + String.join(", ", SHUTDOWN_FLAGS));
    }
  }
}
