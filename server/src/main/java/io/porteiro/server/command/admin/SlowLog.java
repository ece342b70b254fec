package io.porteiro.server.command.admin;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/** The last commands that took long. Any thread. */
final class SlowLog {
  /**
   * One command.
   *
   * @param startedAtSeconds Unix seconds
   * @param arguments as they came, long ones and long lists cut
   */
  record Entry(
      long id,
      long startedAtSeconds,
      long durationMicros,
      List<String> arguments,
      String address,
      String clientName) {}

  private final Deque<Entry> newestFirst = new ArrayDeque<>();
  private long nextId;

  /**
   * Adds an entry.
   *
   * @param maxLength how many are kept then
   */
  synchronized void add(
      long nowSeconds,
      long durationMicros,
      List<String> arguments,
      String address,
      String clientName,
      long maxLength) {
    newestFirst.addFirst(
        new Entry(nextId++, nowSeconds, durationMicros, arguments, address, clientName));
    while (newestFirst.size() > maxLength) {
      newestFirst.removeLast();
    }
  }

  /** At most so many, the newest first. */
  synchronized List<Entry> newest(long count) {
    List<Entry> entries = new ArrayList<>();
    Iterator<Entry> next = newestFirst.iterator();
    while (next.hasNext() && entries.size() < count) {
      entries.add(next.next());
    }
    return entries;
  }

  synchronized int size() {
    return newestFirst.size();
  }

  synchronized void clear() {
    newestFirst.clear();
  }
}
