package io.porteiro.server.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Counts connections that were closed because of what they held. Any thread. */
public final class ClientLosses {
  private final LongAdder evicted = new LongAdder();
  private final LongAdder inputLimit = new LongAdder();
  private final LongAdder outputLimit = new LongAdder();

  ClientLosses() {}

  /** {@code maxmemory-clients}. */
  public void countEvicted() {
    evicted.increment();
  }

  /** {@code client-query-buffer-limit}. */
  public void countInputLimit() {
    inputLimit.increment();
  }

  /** {@code client-output-buffer-limit}. */
  public void countOutputLimit() {
    outputLimit.increment();
  }

  public long evicted() {
    return evicted.sum();
  }

  public long inputLimit() {
    return inputLimit.sum();
  }

  public long outputLimit() {
    return outputLimit.sum();
  }

  void reset() {
    evicted.reset();
    inputLimit.reset();
    outputLimit.reset();
  }
}
