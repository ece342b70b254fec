package io.porteiro.server.command;

import io.porteiro.server.store.ExpiryCycle;
import io.porteiro.server.store.ShardScope;

/**
 * Removes keys past their time in the background; what follows is the same as when a command meets
 * them. To be run by one thread, some times a second.
 */
public final class ExpiryTask implements Runnable {
  /** A quarter of a core at ten calls a second, as Redis's default effort. */
  private static final long BUDGET_NANOS = 25_000_000;

  private final Services services;
  private final ChangeRecorder recorder;
  private final ShardScope scope;
  private final ExpiryCycle cycle;
  private volatile boolean enabled = true;

  public ExpiryTask(Services services) {
    this.services = services;
    this.recorder = new ChangeRecorder(services, services.metrics().newLoop());
    this.scope = new ShardScope(services.keyspace(), recorder);
    this.cycle = new ExpiryCycle(services.keyspace(), scope);
  }

  /** DEBUG SET-ACTIVE-EXPIRE. */
  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  @Override
  public void run() {
    if (mayChange()) {
      removeExpired();
      recorder.tracking().endBatch();
    }
  }

  /** A pause of writes holds this one, too. */
  private boolean mayChange() {
    return enabled
        && !services.persistence().isLoading()
        && !services.clients().isPaused(true, services.clock().millis());
  }

  private void removeExpired() {
    long startNanos = System.nanoTime();
    boolean complete =
        cycle.run(
            services.clock().millis(), startNanos + BUDGET_NANOS, () -> recorder.endScope(scope));
    services
        .metrics()
        .expiry()
        .cycle(System.nanoTime() - startNanos, cycle.seen(), cycle.removed(), !complete);
  }
}
