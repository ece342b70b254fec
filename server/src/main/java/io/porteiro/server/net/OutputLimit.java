package io.porteiro.server.net;

import io.porteiro.server.config.OutputBufferLimit;
import java.time.InstantSource;

/** Whether the output that waits for one client is more than {@code client-output-buffer-limit}. */
final class OutputLimit {
  private static final long NEVER = Long.MIN_VALUE;

  private final InstantSource clock;
  private long overSoftSinceMs = NEVER;

  OutputLimit(InstantSource clock) {
    this.clock = clock;
  }

  /** To be asked whenever output was added, and every second. */
  boolean isExceeded(OutputBufferLimit limit, long bytes) {
    if (limit.hardBytes() > 0 && bytes >= limit.hardBytes()) {
      return true;
    }
    if (limit.softBytes() == 0 || bytes < limit.softBytes()) {
      overSoftSinceMs = NEVER;
      return false;
    }
    long nowMs = clock.millis();
    if (overSoftSinceMs == NEVER) {
      overSoftSinceMs = nowMs;
    }
    return nowMs - overSoftSinceMs > limit.softSeconds() * 1000;
  }
}
