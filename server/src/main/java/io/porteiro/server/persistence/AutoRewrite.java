package io.porteiro.server.persistence;

import java.util.concurrent.TimeUnit;

/** When the log is rewritten by itself: Redis's rules. */
final class AutoRewrite {
  /** After so many failures in a row each further attempt waits twice as long. */
  private static final long FREE_FAILURES = 3;

  private static final long MAX_DELAY_MINUTES = 60;

  private AutoRewrite() {}

  /**
   * Whether the log has grown enough.
   *
   * @param percentage by so much more than it was after the last rewrite; 0: never
   * @param minBytes never below
   */
  static boolean isDue(long currentBytes, long baseBytes, int percentage, long minBytes) {
    if (percentage == 0 || currentBytes <= minBytes) {
      return false;
    }
    double growth = 100.0 * currentBytes / Math.max(1, baseBytes) - 100;
    return growth >= percentage;
  }

  /** Whether attempts that failed forbid another one now. */
  static boolean isHeldUp(RewriteStatus status, long nowSeconds) {
    long failures = status.consecutiveFailures();
    if (failures < FREE_FAILURES) {
      return false;
    }
    long delayMinutes = 1L << Math.min(failures - FREE_FAILURES, Long.SIZE - 2);
    long delaySeconds = TimeUnit.MINUTES.toSeconds(Math.min(delayMinutes, MAX_DELAY_MINUTES));
    return nowSeconds < status.lastEndSeconds() + delaySeconds;
  }
}
