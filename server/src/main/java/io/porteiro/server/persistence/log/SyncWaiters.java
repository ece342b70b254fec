package io.porteiro.server.persistence.log;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Who waits until a position is on the disk: WAITAOF. */
final class SyncWaiters {
  private record Waiter(
      long position, long deadlineNanos, boolean endless, Consumer<Boolean> done) {
    boolean isOver() {
      return !endless && System.nanoTime() - deadlineNanos >= 0;
    }
  }

  private final List<Waiter> waiters = new ArrayList<>();

  /**
   * Adds one.
   *
   * @param timeoutMs 0: without end
   */
  synchronized void add(long position, long timeoutMs, Consumer<Boolean> done) {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    waiters.add(new Waiter(position, deadlineNanos, timeoutMs == 0, done));
  }

  /**
   * Tells those whose position is reached or whose time is over; without a log, all.
   *
   * @param hasLog whether there is something to wait for
   */
  void complete(long synced, boolean hasLog) {
    for (Waiter waiter : takeOver(synced, hasLog)) {
      waiter.done().accept(waiter.position() <= synced);
    }
  }

  private synchronized List<Waiter> takeOver(long synced, boolean hasLog) {
    List<Waiter> over = new ArrayList<>(0);
    for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
      Waiter waiter = all.next();
      if (waiter.position() <= synced || waiter.isOver() || !hasLog) {
        all.remove();
        over.add(waiter);
      }
    }
    return over;
  }
}
