package io.porteiro.server.command;

import java.util.function.Consumer;

/** The end of the process. */
public interface Lifecycle {
  /** How SHUTDOWN treats the data. */
  enum SaveMode {
    /** Save if save points are configured. */
    DEFAULT,
    SAVE,
    NOSAVE
  }

  /**
   * Saves as wanted and ends the process, without returning an answer when it succeeds.
   *
   * @param force end also if saving fails
   * @param failed called with the error reply if the process goes on
   */
  void shutdown(SaveMode mode, boolean now, boolean force, Consumer<String> failed);

  /** Gives up a shutdown under way; false if there is none. */
  boolean abortShutdown();

  /** Ends the process at once: something happened after which no answer could be trusted. */
  void halt(String reason, Throwable cause);
}
