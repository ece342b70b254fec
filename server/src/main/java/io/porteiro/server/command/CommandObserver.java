package io.porteiro.server.command;

import io.porteiro.protocol.Request;

/**
 * Who wants to know of single commands: the slow log, the latency monitor, MONITOR. Any event loop
 * calls.
 */
public interface CommandObserver {
  /** Observes nothing. */
  CommandObserver NONE =
      new CommandObserver() {
        @Override
        public long slowNanos() {
          return Long.MAX_VALUE;
        }

        @Override
        public void slow(Session session, CommandSpec spec, Request request, long durationNanos) {}

        @Override
        public boolean isMonitoring() {
          return false;
        }

        @Override
        public void monitor(Session session, CommandSpec spec, Request request, long nowMs) {}
      };

  /** Commands that took at least so long are handed to {@link #slow}. */
  long slowNanos();

  void slow(Session session, CommandSpec spec, Request request, long durationNanos);

  /** Whether {@link #monitor} wants to see every command. */
  boolean isMonitoring();

  /**
   * Before a command is executed. EXEC once more after the commands that it executes, when the
   * session has its transaction no longer.
   */
  void monitor(Session session, CommandSpec spec, Request request, long nowMs);
}
