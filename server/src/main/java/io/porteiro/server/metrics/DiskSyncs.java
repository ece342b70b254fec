package io.porteiro.server.metrics;

/** How long the disk took to make the log durable. Any thread; syncs are rare. */
public final class DiskSyncs {
  private final LatencyHistogram latency = new LatencyHistogram();
  private long nanos;

  DiskSyncs() {}

  /** The log was synced, which took so long. */
  public synchronized void synced(long durationNanos) {
    latency.record(durationNanos);
    nanos += durationNanos;
  }

  /** All durations so far: a copy. */
  public synchronized LatencyHistogram latency() {
    LatencyHistogram copy = new LatencyHistogram();
    copy.add(latency, 1);
    return copy;
  }

  /** All durations together. */
  public synchronized long nanos() {
    return nanos;
  }
}
