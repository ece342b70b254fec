package io.porteiro.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.porteiro.server.config.ServerConfig;
import org.slf4j.LoggerFactory;

/** Hands `loglevel` and `logfile` to Logback, which reads them when the first line is logged. */
final class Logging {
  /** System property: DEBUG, INFO, WARN, ERROR or OFF. */
  static final String LEVEL = "porteiro.log.level";

  /** System property: the path of the file to log to; not set: standard output. */
  static final String FILE = "porteiro.log.file";

  private Logging() {}

  static void configure(ServerConfig config) {
    System.setProperty(LEVEL, level(config.loglevel()));
    System.setProperty(FILE, config.logfile());
  }

  /** CONFIG SET loglevel: from the next line on. */
  static void setLevel(String redisLevel) {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.valueOf(level(redisLevel)));
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
