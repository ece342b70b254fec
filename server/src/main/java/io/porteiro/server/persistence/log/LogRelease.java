package io.porteiro.server.persistence.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Up to which position of the log output may leave, and who is told when more may. Used without a
 * lock by any thread; {@link #begin}, {@link #hold} and their opposites only by who begins, cuts
 * and ends the log.
 */
final class LogRelease {
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** Without a log nothing waits. */
  private final AtomicLong position = new AtomicLong(Long.MAX_VALUE);

  /** Whether nothing is released until a new base is in force. */
  private volatile boolean held;

  long position() {
    return position.get();
  }

  void onRelease(Runnable listener) {
    listeners.add(listener);
  }

  /** From here on output waits for the log. */
  void begin(long start) {
    position.set(start);
  }

  /** There is no log any more to wait for. */
  void end() {
    position.set(Long.MAX_VALUE);
    tell(null);
  }

  boolean isHeld() {
    return held;
  }

  void hold() {
    held = true;
  }

  /** A base is in force: if output was held, it waits for what was appended since the cut. */
  void resumeFrom(long cutPosition) {
    if (held) {
      held = false;
      position.set(Math.min(position.get(), cutPosition));
    }
  }

  /** No base is waited for any more. */
  void letGo() {
    held = false;
  }

  /** Releases more; the position never goes back. The caller, if there is one, looks itself. */
  void advance(long reached, @Nullable Runnable caller) {
    if (position.getAndAccumulate(reached, Math::max) < reached) {
      tell(caller);
    }
  }

  /** Has all but the caller look at what may leave. */
  void tell(@Nullable Runnable caller) {
    for (int i = 0; i < listeners.size(); i++) {
      Runnable listener = listeners.get(i);
      if (!listener.equals(caller)) {
        listener.run();
      }
    }
  }
}
