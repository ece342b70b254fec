package io.porteiro.server.metrics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/** The server's counters: per thread where they are hot, shared where they are not. */
public final class Metrics {
  /** Kinds of error are bounded, because clients can make them up. */
  private static final int MAX_ERROR_KINDS = 128;

  private final int commands;
  private final List<LoopMetrics> loops = new CopyOnWriteArrayList<>();
  private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();
  private final LongAdder errorReplies = new LongAdder();
  private final LongAdder connectionsReceived = new LongAdder();
  private final LongAdder connectionsRejected = new LongAdder();

  /**
   * @param commands how many commands there are, subcommands included; they are numbered from 0
   */
  public Metrics(int commands) {
    this.commands = commands;
  }

  /** The counters of a new thread that executes commands. */
  public LoopMetrics newLoop() {
    LoopMetrics loop = new LoopMetrics(commands);
    loops.add(loop);
    return loop;
  }

  /** Counts an error reply under its first word. */
  public void errorReply(String error) {
    errorReplies.increment();
    int end = error.indexOf(' ');
    String kind = end < 0 ? error : error.substring(0, end);
    LongAdder counter = errors.get(kind);
    if (counter == null && errors.size() < MAX_ERROR_KINDS) {
      counter = errors.computeIfAbsent(kind, k -> new LongAdder());
    }
    if (counter != null) {
      counter.increment();
    }
  }

  /** Error replies by their first word, sorted. */
  public Map<String, Long> errorsByKind() {
    Map<String, Long> result = new TreeMap<>();
    errors.forEach((kind, count) -> result.put(kind, count.sum()));
    return result;
  }

  public long errorReplies() {
    return errorReplies.sum();
  }

  public void connectionReceived() {
    connectionsReceived.increment();
  }

  public void connectionRejected() {
    connectionsRejected.increment();
  }

  public long connectionsReceived() {
    return connectionsReceived.sum();
  }

  public long connectionsRejected() {
    return connectionsRejected.sum();
  }

  private long sum(ToLongFunction<LoopMetrics> figure) {
    return loops.stream().mapToLong(figure).sum();
  }

  public long calls(int command) {
    return sum(loop -> loop.calls(command));
  }

  public long nanos(int command) {
    return sum(loop -> loop.nanos(command));
  }

  public long rejectedCalls(int command) {
    return sum(loop -> loop.rejectedCalls(command));
  }

  public long failedCalls(int command) {
    return sum(loop -> loop.failedCalls(command));
  }

  /** Counts per bucket of {@link LatencyHistogram}. */
  public long[] latencyBuckets(int command) {
    long[] buckets = new long[LatencyHistogram.BUCKETS];
    for (LoopMetrics loop : loops) {
      LatencyHistogram latency = loop.latency(command);
      if (latency != null) {
        latency.addTo(buckets);
      }
    }
    return buckets;
  }

  public long keyspaceHits() {
    return sum(loop -> loop.keyspaceHits);
  }

  public long keyspaceMisses() {
    return sum(loop -> loop.keyspaceMisses);
  }

  public long expiredKeys() {
    return sum(loop -> loop.expiredKeys);
  }

  public long bytesIn() {
    return sum(loop -> loop.bytesIn);
  }

  public long bytesOut() {
    return sum(loop -> loop.bytesOut);
  }
}
