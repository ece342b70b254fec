package io.porteiro.server.persistence;

import java.io.IOException;

/**
 * What a snapshot is written for: a file to save, the base of a log, later a replica. It says where
 * the bytes go and hears of the cut and of the end. All methods are called on the snapshot thread,
 * in this order: {@link #open}, {@link #cut}, the target's {@link SnapshotTarget#commit}, and at
 * the end one of {@link #completed} and {@link #failed}.
 */
interface SnapshotJob {
  /** For the operator: what is being done, as "Saving /data/dump.rdb". */
  String name();

  /** Whether the file says of itself that it is the base of a log. */
  default boolean isLogBase() {
    return false;
  }

  /** Whether the file consists of the commands that make the data. */
  default boolean isOfCommands() {
    return false;
  }

  /**
   * Opens where the bytes go. Before the cut, so what has to be ready at the cut (the next
   * incremental file of a log, named in its manifest) is prepared here.
   *
   * @throws IOException if it cannot; the snapshot has failed
   */
  SnapshotTarget open() throws IOException;

  /**
   * The instant that the snapshot shows. Every shard is locked: no command is being applied, and
   * none is between its change and the end of its unit in the journal. What is read here (counters,
   * the journal's position) belongs exactly to the snapshot, and a log that goes on in another file
   * from here on continues exactly it. Everybody waits, so it does next to nothing.
   */
  void cut();

  /** The snapshot is written and {@link SnapshotTarget#commit committed}. */
  void completed();

  /** There is no snapshot; what was written of it is gone. */
  void failed(SnapshotFailure failure);
}
