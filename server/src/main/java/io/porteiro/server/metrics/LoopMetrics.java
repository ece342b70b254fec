package io.porteiro.server.metrics;

import org.jspecify.annotations.Nullable;

/**
 * Counters of one thread that executes commands. Written by that thread alone, without any fence,
 * so that counting costs nothing; {@link Metrics} sums them up for whoever asks, perhaps a moment
 * old.
 */
public final class LoopMetrics {
  private final long[] calls;
  private final long[] nanos;
  private final long[] rejected;
  private final long[] failed;
  private final @Nullable LatencyHistogram[] latencies;
  long keyspaceHits;
  long keyspaceMisses;
  long expiredKeys;
  long bytesIn;
  long bytesOut;
  long reads;
  long writes;

  LoopMetrics(int commands) {
    calls = new long[commands];
    nanos = new long[commands];
    rejected = new long[commands];
    failed = new long[commands];
    latencies = new LatencyHistogram[commands];
  }

  /** A command was executed. */
  public void executed(int command, long durationNanos) {
    executed(command, durationNanos, 1);
  }

  /** A command was executed so many times, and took so long each time. */
  public void executed(int command, long durationNanos, int times) {
    calls[command] += times;
    nanos[command] += durationNanos * times;
    LatencyHistogram latency = latencies[command];
    if (latency == null) {
      latency = new LatencyHistogram();
      latencies[command] = latency;
    }
    latency.record(durationNanos, times);
  }

  /** A command was refused before it was executed. */
  public void rejected(int command) {
    rejected[command]++;
  }

  /** An executed command answered an error. */
  public void failed(int command) {
    failed[command]++;
  }

  public void keyspaceHits(int times) {
    keyspaceHits += times;
  }

  public void keyspaceMisses(int times) {
    keyspaceMisses += times;
  }

  public void expiredKey() {
    expiredKeys++;
  }

  /** So many bytes were read from a connection at once. */
  public void bytesIn(long bytes) {
    bytesIn += bytes;
    reads++;
  }

  public void bytesOut(long bytes) {
    bytesOut += bytes;
  }

  /** Replies were handed to a connection's socket, in one go. */
  public void flushed() {
    writes++;
  }

  long calls(int command) {
    return calls[command];
  }

  long nanos(int command) {
    return nanos[command];
  }

  long rejectedCalls(int command) {
    return rejected[command];
  }

  long failedCalls(int command) {
    return failed[command];
  }

  @Nullable LatencyHistogram latency(int command) {
    return latencies[command];
  }
}
