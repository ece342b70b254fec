package io.porteiro.server.http.health;

import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** Tells whether one event loop turns, by a task that it is given again and again. */
public final class Heartbeat {
  private final String name;
  private final Executor loop;
  private final LongSupplier nanoTime;
  private volatile boolean waiting;
  private volatile long askedNanos;
  private volatile long delayNanos;

  Heartbeat(String name, Executor loop, LongSupplier nanoTime) {
    this.name = name;
    this.loop = loop;
    this.nanoTime = nanoTime;
  }

  /** Gives the loop another task, unless it still has the one before. By one thread. */
  void ask() {
    if (!waiting) {
      waiting = true;
      askedNanos = nanoTime.getAsLong();
      loop.execute(this::answer);
    }
  }

  private void answer() {
    delayNanos = nanoTime.getAsLong() - askedNanos;
    waiting = false;
  }

  public String name() {
    return name;
  }

  /** Whether the loop has not done its task yet. */
  boolean isWaiting() {
    return waiting;
  }

  /** How long the last task waited, or has been waiting. */
  public long delayNanos() {
    long asked = askedNanos;
    return waiting ? Math.max(delayNanos, nanoTime.getAsLong() - asked) : delayNanos;
  }
}
