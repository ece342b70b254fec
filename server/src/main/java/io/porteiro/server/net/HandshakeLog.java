package io.porteiro.server.net;

import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of clients that could not agree on encryption, at most once a second: whoever can reach the
 * port can cause it, as often as they like.
 */
final class HandshakeLog {
  private static final Logger log = LoggerFactory.getLogger(HandshakeLog.class);
  private static final long INTERVAL_MS = 1000;
  private static final int MAX_REASON_CHARS = 200;

  private final InstantSource clock;
  private long nextMs;
  private long untold;

  HandshakeLog(InstantSource clock) {
    this.clock = clock;
  }

  /** From any thread. */
  synchronized void failed(String reason, String address, String localAddress) {
    long nowMs = clock.millis();
    if (nowMs < nextMs) {
      untold++;
      return;
    }
    nextMs = nowMs + INTERVAL_MS;
    log.warn(
        "Error accepting a client connection: {} (addr={} laddr={}){}",
        shortened(reason),
        address,
        localAddress,
        untold == 0 ? "" : ", and " + untold + " more since the last such line");
    untold = 0;
  }

  private static String shortened(String reason) {
    String line = reason.replace('\n', ' ').replace('\r', ' ');
    return line.length() <= MAX_REASON_CHARS ? line : line.substring(0, MAX_REASON_CHARS) + "...";
  }
}
