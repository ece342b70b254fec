package io.porteiro.server.persistence;

import io.porteiro.server.metrics.ProcessStats;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a save in the background from taking all the processor time that clients leave.
 *
 * <p>A low priority would not be enough. A container with a limit, and many a virtual machine, may
 * use so much processor time in each tenth of a second; when that is used up, by whatever thread,
 * all of them stand still for the rest of it. So while the rest of the process is busy, the save
 * takes a part of what that leaves, and rests in between: at first a twentieth, and up to a fifth
 * while it wakes up from its rests in time. Where it wakes up late, others did, too: then it takes
 * half as much, and no more for some seconds. It takes a twentieth of a processor in any case, and
 * never rests for longer than {@link #LONGEST_REST_NANOS} per piece: it ends.
 *
 * <p>One thread uses it.
 */
final class SavePace {
  static final double LEAST_PART = 1.0 / 20;
  static final double LARGEST_PART = 1.0 / 5;
  static final double LEAST_PROCESSORS = 0.05;
  static final long LONGEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** It rests in naps, because what happens while it is awake it cannot tell from its work. */
  static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A thread that wakes up later than this has been kept from the processor. */
  static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** How long nothing must have been late before it takes more. */
  static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** How much more with each look: from the least to the largest part in 1.5 s. */
  static final double GROWTH = 1.1;

  /**
   * A process that uses less than this, besides the save, has nobody to give way to: compiling,
   * syncing and telling how far the save is take half of it.
   */
  static final double IDLE_PROCESSORS = 0.2;

  /** The system counts a process's time in hundredths of a second. */
  static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final double NANOS = 1e9;

  /** Clocks, all in nanoseconds, and the one thing that is done with them. */
  interface Clocks {
    long now();

    /** Processor time of the save. */
    long ofSave();

    /** Processor time of the process, the save included. */
    long ofProcess();

    void rest(long nanos);
  }

  /** The real ones. Created by the thread that writes the snapshot. */
  private static final class SystemClocks implements Clocks {
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long snapshotThread = Thread.currentThread().threadId();
    private final long writingThread;

    SystemClocks(long writingThread) {
      this.writingThread = writingThread;
    }

    @Override
    public long now() {
      return System.nanoTime();
    }

    @Override
    public long ofSave() {
      return threads.getThreadCpuTime(snapshotThread) + threads.getThreadCpuTime(writingThread);
    }

    @Override
    public long ofProcess() {
      return (long) (NANOS * (ProcessStats.userSeconds() + ProcessStats.systemSeconds()));
    }

    @Override
    public void rest(long nanos) {
      LockSupport.parkNanos(nanos);
    }
  }

  private final Clocks clocks;
  private final int processors;

  /** Where the piece began that is being written. */
  private long pieceNanos;

  private long pieceOfSave;

  /** Where the time began for which the next look is. */
  private long lookedNanos;

  private long lookedOfSave;
  private long lookedOfProcess;

  /** Which part of what others leave the save may take. */
  private double part = LEAST_PART;

  /** When it woke up late last; at first, when it began. */
  private long lateNanos;

  /** What the save may take now; at first as if half of all were in use. */
  private double allowed;

  private long restedNanos;

  SavePace(Clocks clocks, int processors) {
    this.clocks = clocks;
    this.processors = processors;
    this.allowed = allowed(processors / 2.0);
    begin();
  }

  /** The pace of a save that the calling thread writes, with the help of one more. */
  static SavePace ofThis(WriteBehind behind) {
    return new SavePace(
        new SystemClocks(behind.threadId()), Runtime.getRuntime().availableProcessors());
  }

  private void begin() {
    pieceNanos = lookedNanos = lateNanos = clocks.now();
    pieceOfSave = lookedOfSave = clocks.ofSave();
    lookedOfProcess = clocks.ofProcess();
  }

  private double allowed(double others) {
    return others < IDLE_PROCESSORS
        ? processors
        : Math.max(LEAST_PROCESSORS, (processors - others) * part);
  }

  /** A piece is written: rests for as long as is due for it. */
  void pieceDone() {
    long ofSave = clocks.ofSave();
    long taken = clocks.now() - pieceNanos;
    long due = (long) ((ofSave - pieceOfSave) / allowed) - taken;
    if (due > 0) {
      rest(Math.min(due, LONGEST_REST_NANOS));
    }
    pieceOfSave = ofSave;
    pieceNanos = clocks.now();
    if (pieceNanos - lookedNanos >= LOOK_EVERY_NANOS) {
      look();
    }
  }

  private void rest(long nanos) {
    long begin = clocks.now();
    long now = begin;
    while (now - begin < nanos) {
      long nap = Math.min(NAP_NANOS, nanos - (now - begin));
      clocks.rest(nap);
      long woken = clocks.now();
      if (woken - now - nap > LATE_NANOS) {
        part = Math.max(LEAST_PART, part / 2);
        lateNanos = woken;
      }
      now = woken;
    }
    restedNanos += now - begin;
  }

  private void look() {
    if (clocks.now() - lateNanos >= CALM_NANOS) {
      part = Math.min(LARGEST_PART, part * GROWTH);
    }
    long ofProcess = clocks.ofProcess();
    long others = ofProcess - lookedOfProcess - (pieceOfSave - lookedOfSave);
    allowed = allowed((double) others / (pieceNanos - lookedNanos));
    lookedNanos = pieceNanos;
    lookedOfSave = pieceOfSave;
    lookedOfProcess = ofProcess;
  }

  /** For how long it has rested so far. */
  long restedMs() {
    return TimeUnit.NANOSECONDS.toMillis(restedNanos);
  }
}
