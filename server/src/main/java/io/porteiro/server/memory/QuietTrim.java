package io.porteiro.server.memory;

import java.util.function.LongSupplier;

/**
 * Gives freed memory back to the kernel when clients have become quiet, not before: in memory with
 * many holes it takes up to 60 ms, and whoever allocates there waits. Most of what it finds the
 * virtual machine's compilers have worked in. They go on for a while after the last command, so it
 * trims twice, and then not again until clients have been busy.
 */
public final class QuietTrim implements Runnable {
  /** How often it is to be run; the virtual machine itself frees what it has pooled every 5 s. */
  public static final long INTERVAL_SECONDS = 10;

  /** In an interval; health checks and monitoring are fewer. */
  static final long FEW_COMMANDS = 1000;

  /**
   * Where the data take more, what compilers have left is a small part of the whole, and the more
   * blocks there are the longer it takes.
   */
  static final long MAX_USED_BYTES = 64L << 20;

  private static final int TRIMS = 2;

  private final LongSupplier commands;
  private final LongSupplier usedBytes;
  private final Runnable trim;
  private long commandsBefore;
  private int trims;

  /**
   * @param commands how many there have been
   * @param usedBytes what the data take off the heap
   * @param trim gives the memory back
   */
  public QuietTrim(LongSupplier commands, LongSupplier usedBytes, Runnable trim) {
    this.commands = commands;
    this.usedBytes = usedBytes;
    this.trim = trim;
  }

  @Override
  public void run() {
    long now = commands.getAsLong();
    boolean busy = Math.abs(now - commandsBefore) >= FEW_COMMANDS; // less after CONFIG RESETSTAT
    commandsBefore = now;
    if (busy) {
      trims = 0;
    } else if (trims < TRIMS && usedBytes.getAsLong() <= MAX_USED_BYTES) {
      trims++;
      trim.run();
    }
  }
}
