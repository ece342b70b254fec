package io.porteiro.examples.gatekeeper;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Settings, from the environment.
 *
 * @param databaseUrl DATABASE_URL, for JDBC
 * @param databaseUser DATABASE_USER
 * @param databasePassword DATABASE_PASSWORD
 * @param porteiroHost REDIS_HOST
 * @param porteiroPort REDIS_PORT
 * @param names NAMES: how many users there are at first
 * @param pauseMillis PAUSE_MILLIS: how long each of four visitors rests after a visit
 * @param reportSeconds REPORT_SECONDS: time between reports
 * @param runMillis RUN_SECONDS: how long to play, by default for ever
 */
record Settings(
    String databaseUrl,
    String databaseUser,
    String databasePassword,
    String porteiroHost,
    int porteiroPort,
    int names,
    long pauseMillis,
    long reportSeconds,
    long runMillis) {
  static Settings of(Map<String, String> environment) {
    return new Settings(
        environment.getOrDefault("DATABASE_URL", "jdbc:postgresql://localhost:5432/gatekeeper"),
        environment.getOrDefault("DATABASE_USER", "gatekeeper"),
        environment.getOrDefault("DATABASE_PASSWORD", ""),
        environment.getOrDefault("REDIS_HOST", "localhost"),
        Integer.parseInt(environment.getOrDefault("REDIS_PORT", "6379")),
        Integer.parseInt(environment.getOrDefault("NAMES", "100000")),
        Long.parseLong(environment.getOrDefault("PAUSE_MILLIS", "5")),
        Long.parseLong(environment.getOrDefault("REPORT_SECONDS", "10")),
        runMillis(environment));
  }

  private static long runMillis(Map<String, String> environment) {
    String seconds = environment.get("RUN_SECONDS");
    return seconds == null ? Long.MAX_VALUE : TimeUnit.SECONDS.toMillis(Long.parseLong(seconds));
  }
}
