package io.porteiro.server.config;

import java.util.List;

/** What single directives demand beyond their kind. */
final class Rules {
  private static final int MAX_BIND_ADDRESSES = 16;
  private static final List<String> SHUTDOWN_FLAGS =
      List.of("default", "save", "nosave", "now", "force");

  private Rules() {}

  static void replicaof(List<String> words) throws ConfigException {
    if (words.size() != 0 && words.size() != 2) {
      throw new ConfigException("wrong number of arguments");
    }
    if (words.size() == 2 && !String.join(" ", words).equalsIgnoreCase("no one")) {
      throw new ConfigException("replication is not supported yet");
    }
  }

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

  static void oomScores(List<String> scores) throws ConfigException {
    if (scores.size() != 3) {
      throw new ConfigException("wrong number of arguments");
    }
    for (String score : scores) {
      oomScore(score);
    }
  }

  private static void oomScore(String score) throws ConfigException {
    try {
      int number = Integer.parseInt(score);
      if (number >= -2000 && number <= 2000) {
        return;
      }
    } catch (NumberFormatException e) {
      // as any other score that is not allowed
    }
    throw new ConfigException(
        "Invalid oom-score-adj-values, elements must be between -2000 and 2000.");
  }

  static void percentiles(List<String> percentiles) throws ConfigException {
    for (String percentile : percentiles) {
      percentile(percentile);
    }
  }

  private static void percentile(String text) throws ConfigException {
    try {
      double number = Double.parseDouble(text);
      if (!(number >= 0 && number <= 100)) {
        throw new ConfigException(
            "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]");
      }
    } catch (NumberFormatException e) {
      throw new ConfigException("Invalid latency-tracking-info-percentiles parameters");
    }
  }
}
