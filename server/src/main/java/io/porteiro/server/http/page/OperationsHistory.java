package io.porteiro.server.http.page;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Operations a second over the last two minutes, one figure for each second. */
public final class OperationsHistory {
  static final int SECONDS = 120;

  private final Deque<Long> perSecond = new ArrayDeque<>();

  public synchronized void add(long operations) {
    perSecond.addLast(operations);
    if (perSecond.size() > SECONDS) {
      perSecond.removeFirst();
    }
  }

  /** The oldest first. */
  synchronized List<Long> all() {
    return List.copyOf(perSecond);
  }
}
