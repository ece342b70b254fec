package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import io.porteiro.server.memory.OffHeap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a browser sends that a malicious page points at this port. Its first lines are not commands,
 * but its body, chosen by the page, could hold some; so the connection ends at the first "command"
 * that only HTTP has, as in Redis. One per event loop.
 */
final class HttpRequests {
  private static final Logger log = LoggerFactory.getLogger(HttpRequests.class);
  private static final long LOG_INTERVAL_MS = 60_000;

  private long nextLogMs = Long.MIN_VALUE;

  /** Whether a request that names no command is one: {@code POST} or {@code Host:}, in any case. */
  static boolean isOne(Request request) {
    return isNamed(request, "post") || isNamed(request, "host:");
  }

  private static boolean isNamed(Request request, String lower) {
    if (request.length(0) != lower.length()) {
      return false;
    }
    for (int i = 0; i < lower.length(); i++) {
      if (Character.toLowerCase(OffHeap.getByte(request.address(0) + i)) != lower.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Drops the connection, unanswered. The log tells of it once a minute: it can come often. */
  void refuse(Session session, long nowMs) {
    session.setClosing();
    session.peer().close();
    if (nowMs >= nextLogMs) {
      nextLogMs = nowMs + LOG_INTERVAL_MS;
      log.warn(
          "Possible SECURITY ATTACK detected. It looks like somebody is sending POST or Host:"
              + " commands to Redis. This is likely due to an attacker attempting to use Cross"
              + " Protocol Scripting to compromise your Redis instance. Connection from {}"
              + " aborted.",
          session.peer().address());
    }
  }
}
