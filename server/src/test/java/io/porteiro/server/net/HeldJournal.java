package io.porteiro.server.net;

import io.porteiro.server.command.Effects;
import io.porteiro.server.command.Journal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A journal that releases what a test says. */
final class HeldJournal implements Journal {
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile long released;
  private volatile boolean failing;
  private volatile boolean releasesAtEndOfTurn;

  void release(long position) {
    released = position;
    listeners.forEach(Runnable::run);
  }

  void setFailing(boolean failing) {
    this.failing = failing;
    listeners.forEach(Runnable::run);
  }

  /** As a log that is written at the end of each turn. */
  void releaseAtEndOfTurn() {
    releasesAtEndOfTurn = true;
  }

  @Override
  public boolean isActive() {
    return true;
  }

  @Override
  public long append(Effects unit) {
    return 0;
  }

  @Override
  public long releasedPosition() {
    return released;
  }

  @Override
  public boolean isFailing() {
    return failing;
  }

  @Override
  public void endTurn(Runnable caller) {
    if (releasesAtEndOfTurn) {
      released = Long.MAX_VALUE;
    }
  }

  @Override
  public void onRelease(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public long memoryBytes() {
    return 0;
  }

  @Override
  public long syncedPosition() {
    return 0;
  }

  @Override
  public void awaitSynced(long position, long timeoutMs, Consumer<Boolean> done) {
    done.accept(false);
  }
}
