package io.porteiro.server.command;

import java.util.function.Consumer;

/** Keeps nothing, so nothing waits for it. */
final class NoJournal implements Journal {
  @Override
  public boolean isActive() {
    return false;
  }

  @Override
  public long append(Effects unit) {
    return 0;
  }

  @Override
  public long releasedPosition() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean isFailing() {
    return false;
  }

  @Override
  public void endTurn(Runnable caller) {}

  @Override
  public void onRelease(Runnable listener) {}

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
