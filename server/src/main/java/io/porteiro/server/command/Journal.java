package io.porteiro.server.command;

import java.util.function.Consumer;

/**
 * The ordered stream of effects that feeds the append-only log and replicas, and how far of it is
 * as safe as {@code appendfsync} asks. Positions only grow.
 */
public interface Journal {
  /** A server without a log and without replicas. */
  Journal NONE = new NoJournal();

  /** Whether effects need to be collected at all. Changes only while all shards are locked. */
  boolean isActive();

  /**
   * Takes the effects of one scope as one unit: several are put between MULTI and EXEC, SELECT
   * included. Never blocks. Called with the shards still locked; the memory behind the effects is
   * the caller's.
   *
   * @return the position behind the unit
   */
  long append(Effects unit);

  /**
   * Output that has seen no position behind this one may leave. The largest value where nothing
   * waits for a log. One volatile read.
   */
  long releasedPosition();

  /**
   * Whether the disk takes nothing now. Reads are answered from memory then, without waiting for
   * others' changes; only who changed something itself still waits.
   */
  boolean isFailing();

  /**
   * At the end of an event loop's turn, where output waits: brings what was appended on its way.
   * Does not wait for the disk itself.
   *
   * @param caller the loop's listener, which is not called for what this call releases: the loop
   *     looks itself
   */
  void endTurn(Runnable caller);

  /**
   * Calls a listener, on any thread, after {@link #releasedPosition} or {@link #isFailing} has
   * changed.
   */
  void onRelease(Runnable listener);

  /** Bytes of memory that it takes: what is not written yet, and room for more. */
  long memoryBytes();

  /** Up to here everything is on the disk itself. */
  long syncedPosition();

  /**
   * Waits for the disk: WAITAOF.
   *
   * @param timeoutMs 0: without end
   * @param done told, on any thread, whether it was reached in time
   */
  void awaitSynced(long position, long timeoutMs, Consumer<Boolean> done);
}
