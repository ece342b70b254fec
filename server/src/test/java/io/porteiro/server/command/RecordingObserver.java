package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import java.util.ArrayList;
import java.util.List;

/** An observer that keeps what it is told, as {@code slow get} and {@code monitor get k}. */
public final class RecordingObserver implements CommandObserver {
  private final List<String> seen = new ArrayList<>();
  private volatile long slowNanos = Long.MAX_VALUE;
  private volatile boolean monitoring;
  private CommandObserver next = CommandObserver.NONE;

  public void setSlowNanos(long nanos) {
    slowNanos = nanos;
  }

  public void setMonitoring(boolean monitoring) {
    this.monitoring = monitoring;
  }

  /** Tells another observer too. */
  public void forwardTo(CommandObserver observer) {
    next = observer;
  }

  /** What was told since the last call. */
  public synchronized List<String> take() {
    List<String> taken = List.copyOf(seen);
    seen.clear();
    return taken;
  }

  @Override
  public long slowNanos() {
    return slowNanos;
  }

  @Override
  public synchronized void slow(
      Session session, CommandSpec spec, Request request, long durationNanos) {
    seen.add("slow " + spec.fullName());
    next.slow(session, spec, request, durationNanos);
  }

  @Override
  public boolean isMonitoring() {
    return monitoring;
  }

  @Override
  public synchronized void monitor(Session session, CommandSpec spec, Request request, long nowMs) {
    StringBuilder text = new StringBuilder("monitor");
    for (int i = 0; i < request.count(); i++) {
      text.append(' ').append(request.text(i));
    }
    seen.add(text.toString());
    next.monitor(session, spec, request, nowMs);
  }
}
