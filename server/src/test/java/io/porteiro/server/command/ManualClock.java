package io.porteiro.server.command;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that goes on only when a test says so. */
public final class ManualClock implements InstantSource {
  /** Some day in 2023. */
  public static final long START_MS = 1_700_000_000_000L;

  private final AtomicLong nowMs = new AtomicLong(START_MS);

  public void advance(long ms) {
    nowMs.addAndGet(ms);
  }

  @Override
  public long millis() {
    return nowMs.get();
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(nowMs.get());
  }
}
