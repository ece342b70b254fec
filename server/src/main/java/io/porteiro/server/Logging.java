package io.porteiro.server;

import io.porteiro.server.config.ServerConfig;

/** Hands `loglevel` and `logfile` to Logback, which reads them when the first line is logged. */
final class Logging {
  private Logging() {}

  static void configure(ServerConfig config) {
    System.setProperty("porteiro.log.level", level(config.loglevel()));
    if (!config.logfile().isEmpty()) {
      System.setProperty("porteiro.log.to", "file");
      System.setProperty("porteiro.log.file", config.logfile());
    }
  }

  private static String level(String redisLevel) {
    return switch (redisLevel) {
      case "debug", "verbose" -> "DEBUG";
      case "warning" -> "WARN";
      case "nothing" -> "OFF";
      default -> "INFO";
    };
  }
}
