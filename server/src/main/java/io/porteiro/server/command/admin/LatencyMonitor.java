package io.porteiro.server.command.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Latency spikes by kind of event. Of each kind the last 160 are kept, of each second only the
 * worst. Any thread.
 */
final class LatencyMonitor {
  /** The worst latency of an event in one second. */
  record Sample(long unixSeconds, long milliseconds) {}

  /** The samples of an event, the oldest first, and the worst ever seen. */
  record History(List<Sample> samples, long maxMilliseconds) {
    Sample latest() {
      return samples.getLast();
    }
  }

  private static final int MAX_SAMPLES = 160;

  private final Map<String, History> events = new LinkedHashMap<>();

  synchronized void add(String event, long unixSeconds, long milliseconds) {
    History history = events.getOrDefault(event, new History(List.of(), 0));
    List<Sample> samples = new ArrayList<>(history.samples());
    Sample sample = new Sample(unixSeconds, milliseconds);
    if (!samples.isEmpty() && samples.getLast().unixSeconds() == unixSeconds) {
      Sample last = samples.removeLast();
      sample = last.milliseconds() > milliseconds ? last : sample;
    }
    samples.add(sample);
    if (samples.size() > MAX_SAMPLES) {
      samples.removeFirst();
    }
    long max = Math.max(history.maxMilliseconds(), milliseconds);
    events.put(event, new History(List.copyOf(samples), max));
  }

  synchronized Map<String, History> all() {
    return new LinkedHashMap<>(events);
  }

  /** The samples of an event; none if there was no such event. */
  synchronized History of(String event) {
    return events.getOrDefault(event, new History(List.of(), 0));
  }

  /** Forgets all events; returns how many. */
  synchronized int clear() {
    int forgotten = events.size();
    events.clear();
    return forgotten;
  }

  synchronized boolean clear(String event) {
    return events.remove(event) != null;
  }
}
