package io.porteiro.server.command;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Saving and loading, as commands see it. */
public interface Persistence {
  /** What became of a request to save in the background. */
  enum BackgroundSave {
    STARTED,
    SCHEDULED,
    ALREADY_RUNNING,
    /** The log is being rewritten, and it was not asked to wait for that. */
    REWRITE_RUNNING
  }

  /** What became of a request to rewrite the log. */
  enum LogRewriteStart {
    STARTED,
    SCHEDULED,
    ALREADY_RUNNING,
    FAILED
  }

  /** Whether the data are still being read: then nearly everything is answered -LOADING. */
  boolean isLoading();

  /**
   * Saves on a thread of its own.
   *
   * @param done called on that thread, with null or why it failed
   * @return false if a save is running already; then nothing is called
   */
  boolean save(Consumer<@Nullable String> done);

  /** Saves in the background; with {@code schedule}, after the running save if there is one. */
  BackgroundSave backgroundSave(boolean schedule);

  /**
   * Rewrites the log in the background, after what runs there if there is something.
   *
   * @param postponed whether it is not to begin at once
   */
  LogRewriteStart rewriteLog(boolean postponed);

  /** Unix seconds of the last successful save, or of the start. */
  long lastSaveSeconds();

  /** Snapshots begun so far, whatever for. What INFO calls forks. */
  long snapshots();

  /** Microseconds for which all keys were locked when the last one began. */
  long lastCutMicros();

  /**
   * The error to refuse writes with, or null: the last save failed and the configuration wants
   * that.
   */
  @Nullable String writeRefusal();

  /** For INFO: a line of name:value each, ended by CR LF. */
  void appendInfo(StringBuilder info);

  /**
   * DEBUG RELOAD: saves, empties the keyspace and loads again; {@code done} as for {@link #save}.
   */
  void reload(Consumer<@Nullable String> done);

  /**
   * DEBUG LOADAOF: empties the keyspace and loads the log again; {@code done} as for {@link #save}.
   */
  void reloadLog(Consumer<@Nullable String> done);
}
