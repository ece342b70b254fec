package io.porteiro.server.http.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Whether all event loops turn. */
public final class Heartbeats {
  /**
   * A loop that took longer is taken for dead. Long commands (KEYS over millions of keys) keep a
   * loop busy for a second or two; restarting the server for them would make things worse.
   */
  static final Duration LIMIT = Duration.ofSeconds(5);

  private final List<Heartbeat> all = new ArrayList<>();

  /**
   * @param loops by their numbers
   */
  public Heartbeats(Iterable<? extends Executor> loops) {
    this(loops, System::nanoTime);
  }

  Heartbeats(Iterable<? extends Executor> loops, LongSupplier nanoTime) {
    for (Executor loop : loops) {
      all.add(new Heartbeat(Integer.toString(all.size()), loop, nanoTime));
    }
  }

  /** To be called about once a second, by one thread. */
  public void ask() {
    all.forEach(Heartbeat::ask);
  }

  public List<Heartbeat> all() {
    return List.copyOf(all);
  }

  /** Which loop does not turn, in a sentence; null if all do. */
  public @Nullable String obstacle() {
    for (Heartbeat heart : all) {
      if (heart.isWaiting() && heart.delayNanos() > LIMIT.toNanos()) {
        return "Event loop %s has not answered for %d seconds."
            .formatted(heart.name(), Duration.ofNanos(heart.delayNanos()).toSeconds());
      }
    }
    return null;
  }
}
