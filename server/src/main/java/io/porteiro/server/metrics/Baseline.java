package io.porteiro.server.metrics;

import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What the threads' counters stood at when the statistics were reset; zeros at first. */
final class Baseline {
  final long[] calls;
  final long[] nanos;
  final long[] rejected;
  final long[] failed;
  final @Nullable LatencyHistogram[] latencies;
  long keyspaceHits;
  long keyspaceMisses;
  long expiredKeys;
  long bytesIn;
  long bytesOut;
  long reads;
  long writes;

  Baseline(int commands) {
    calls = new long[commands];
    nanos = new long[commands];
    rejected = new long[commands];
    failed = new long[commands];
    latencies = new LatencyHistogram[commands];
  }

  static Baseline of(int commands, List<LoopMetrics> loops) {
    Baseline baseline = new Baseline(commands);
    fill(baseline.calls, command -> sum(loops, loop -> loop.calls(command)));
    fill(baseline.nanos, command -> sum(loops, loop -> loop.nanos(command)));
    fill(baseline.rejected, command -> sum(loops, loop -> loop.rejectedCalls(command)));
    fill(baseline.failed, command -> sum(loops, loop -> loop.failedCalls(command)));
    for (int command = 0; command < commands; command++) {
      baseline.latencies[command] = Metrics.latency(command, loops);
    }
    baseline.keyspaceHits = sum(loops, loop -> loop.keyspaceHits);
    baseline.keyspaceMisses = sum(loops, loop -> loop.keyspaceMisses);
    baseline.expiredKeys = sum(loops, loop -> loop.expiredKeys);
    baseline.bytesIn = sum(loops, loop -> loop.bytesIn);
    baseline.bytesOut = sum(loops, loop -> loop.bytesOut);
    baseline.reads = sum(loops, loop -> loop.reads);
    baseline.writes = sum(loops, loop -> loop.writes);
    return baseline;
  }

  private static void fill(long[] figures, IntToLongFunction figure) {
    for (int command = 0; command < figures.length; command++) {
      figures[command] = figure.applyAsLong(command);
    }
  }

  /** Without a stream: it is asked for ten times a second, and an idle server should be idle. */
  static long sum(List<LoopMetrics> loops, ToLongFunction<LoopMetrics> figure) {
    long sum = 0;
    for (LoopMetrics loop : loops) {
      sum += figure.applyAsLong(loop);
    }
    return sum;
  }

  long allCalls() {
    return LongStream.of(calls).sum();
  }
}
