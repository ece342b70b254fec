package io.porteiro.it.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what another process or thread does in its own time. */
public final class Eventually {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Eventually() {}

  /** Waits until the condition holds; fails with what was awaited after 20 seconds. */
  public static void holds(String awaited, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + LIMIT + ": " + awaited);
      }
      RespProcess.sleep(Duration.ofMillis(5));
    }
  }
}
