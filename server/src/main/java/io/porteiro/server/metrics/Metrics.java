package io.porteiro.server.metrics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
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
  private final Rate operations = new Rate();
  private final Rate input = new Rate();
  private final Rate output = new Rate();
  private final AtomicLong peakBytes = new AtomicLong();
  private final ClientLosses clientLosses = new ClientLosses();
  private final ExpiryFigures expiry = new ExpiryFigures();
  private final OverLimit overLimit = new OverLimit();
  private final DiskSyncs diskSyncs = new DiskSyncs();
  private volatile Baseline baseline;
  private volatile String transport = "nio";

  /**
   * @param commands how many commands there are, subcommands included; they are numbered from 0
   */
  public Metrics(int commands) {
    this.commands = commands;
    this.baseline = new Baseline(commands);
  }

  /**
   * CONFIG RESETSTAT: from now on everything counts from zero, but for the peak of memory. The
   * threads' own counters go on, because only they may write them.
   */
  public void reset() {
    baseline = Baseline.of(commands, loops);
    errors.clear();
    errorReplies.reset();
    connectionsReceived.reset();
    connectionsRejected.reset();
    List.of(operations, input, output).forEach(Rate::reset);
    clientLosses.reset();
    expiry.reset();
    overLimit.reset();
  }

  /** Connections that were closed for what they held. */
  public ClientLosses clientLosses() {
    return clientLosses;
  }

  /** What removing expired keys in the background takes. */
  public ExpiryFigures expiry() {
    return expiry;
  }

  /** How long the disk took to make the log durable, since the start. */
  public DiskSyncs diskSyncs() {
    return diskSyncs;
  }

  /** How long more memory than {@code maxmemory} was in use. */
  public OverLimit overLimit() {
    return overLimit;
  }

  /**
   * To be called some ten times a second, by one thread.
   *
   * @param usedBytes memory in use now
   * @param limitBytes how much may be in use, {@code maxmemory}; 0 is no limit
   */
  public void sample(long nowNanos, long usedBytes, long limitBytes) {
    operations.sample(nowNanos, allCalls());
    input.sample(nowNanos, sum(loop -> loop.bytesIn));
    output.sample(nowNanos, sum(loop -> loop.bytesOut));
    peakBytes.accumulateAndGet(usedBytes, Math::max);
    overLimit.sample(nowNanos, limitBytes > 0 && usedBytes > limitBytes);
  }

  private long allCalls() {
    long calls = 0;
    for (LoopMetrics loop : loops) {
      for (int command = 0; command < commands; command++) {
        calls += loop.calls(command);
      }
    }
    return calls;
  }

  /** Commands a second, over the last second or two. */
  public long operationsPerSecond() {
    return Math.round(operations.perSecond());
  }

  /** Bytes read a second, over the last second or two. */
  public double inputBytesPerSecond() {
    return input.perSecond();
  }

  /** Bytes written a second, over the last second or two. */
  public double outputBytesPerSecond() {
    return output.perSecond();
  }

  /** The most memory that was in use when it was looked at. */
  public long peakBytes(long usedBytes) {
    return peakBytes.accumulateAndGet(usedBytes, Math::max);
  }

  /** How the network is driven: io_uring, epoll or nio. */
  public String transport() {
    return transport;
  }

  public void setTransport(String transport) {
    this.transport = transport;
  }

  /** How many commands were executed. */
  public long commandsProcessed() {
    return allCalls() - baseline.allCalls();
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
    return Baseline.sum(loops, figure);
  }

  public long calls(int command) {
    return sum(loop -> loop.calls(command)) - baseline.calls[command];
  }

  public long nanos(int command) {
    return sum(loop -> loop.nanos(command)) - baseline.nanos[command];
  }

  public long rejectedCalls(int command) {
    return sum(loop -> loop.rejectedCalls(command)) - baseline.rejected[command];
  }

  public long failedCalls(int command) {
    return sum(loop -> loop.failedCalls(command)) - baseline.failed[command];
  }

  /** How long the calls of a command took. */
  public LatencyHistogram latency(int command) {
    LatencyHistogram sum = latency(command, loops);
    LatencyHistogram before = baseline.latencies[command];
    if (before != null) {
      sum.add(before, -1);
    }
    return sum;
  }

  static LatencyHistogram latency(int command, List<LoopMetrics> loops) {
    LatencyHistogram sum = new LatencyHistogram();
    for (LoopMetrics loop : loops) {
      LatencyHistogram latency = loop.latency(command);
      if (latency != null) {
        sum.add(latency, 1);
      }
    }
    return sum;
  }

  public long keyspaceHits() {
    return sum(loop -> loop.keyspaceHits) - baseline.keyspaceHits;
  }

  public long keyspaceMisses() {
    return sum(loop -> loop.keyspaceMisses) - baseline.keyspaceMisses;
  }

  public long expiredKeys() {
    return sum(loop -> loop.expiredKeys) - baseline.expiredKeys;
  }

  /** How often something was read from a connection. */
  public long reads() {
    return sum(loop -> loop.reads) - baseline.reads;
  }

  /** How often replies were written to a connection. */
  public long writes() {
    return sum(loop -> loop.writes) - baseline.writes;
  }

  public long bytesIn() {
    return sum(loop -> loop.bytesIn) - baseline.bytesIn;
  }

  public long bytesOut() {
    return sum(loop -> loop.bytesOut) - baseline.bytesOut;
  }
}
