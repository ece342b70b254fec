package io.porteiro.server.command;

import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.store.ShardScope;
import io.porteiro.server.store.Watch;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What a command that answers later does to keys when its own scope is long closed, on a thread
 * that is no event loop. What follows from changes is the same as within a command.
 *
 * <p>The keys are named by watches, which tell whether they changed in between. One at a time, from
 * any thread.
 */
public final class LateScope {
  private static final long PAUSE_POLL_MS = 10;

  private final Services services;
  private final ChangeRecorder recorder;
  private final ShardScope scope;

  public LateScope(Services services) {
    this.services = services;
    this.recorder = new ChangeRecorder(services, services.metrics().newLoop());
    this.scope = new ShardScope(services.keyspace(), recorder);
  }

  /**
   * Does the work with the shards of all watched keys locked for writing. Waits first while writes
   * are paused. A fault in it ends the process, as that of a command in the middle of a change.
   *
   * @return the journal position for {@link #seenBy}
   */
  public long write(Collection<Watch> watches, Runnable work) {
    awaitUnpaused();
    return writeNow(watches, work);
  }

  private synchronized long writeNow(Collection<Watch> watches, Runnable work) {
    watches.forEach(watch -> scope.name(watch, true));
    scope.open(services.clock().millis());
    try {
      recorder.beginCommand();
      work.run();
      recorder.endScope(scope);
      return recorder.position(scope);
    } catch (RuntimeException e) {
      services.lifecycle().halt("a late change failed", e);
      throw e;
    } finally {
      scope.close();
      recorder.tracking().endBatch();
    }
  }

  private void awaitUnpaused() {
    while (services.clients().isPaused(true, services.clock().millis())) {
      try {
        Thread.sleep(PAUSE_POLL_MS);
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts this thread", e);
      }
    }
  }

  /** The entry of a watched key; null if there is none or its time has passed. */
  public @Nullable Entry read(Watch watch, Key key) {
    return scope.read(watch.database(), key);
  }

  public boolean isChanged(Watch watch) {
    return scope.isChanged(watch);
  }

  /** Begins to watch a key anew, instead of a watch that has ended. */
  public @Nullable Watch watch(int database, Key key, Object owner) {
    return scope.watch(database, key, owner);
  }

  public void unwatch(Watch watch) {
    scope.unwatch(watch);
  }

  /** Deletes a watched key as DEL does; false if it is not there. */
  public boolean delete(Watch watch, Key key) {
    Entry entry = scope.forWrite(watch.database(), key);
    if (entry == null) {
      return false;
    }
    scope.delete(watch.database(), entry);
    scope.changed(watch.database(), key, KeyspaceEvent.DEL);
    recorder.effect(watch.database(), "DEL").bytes(key.bytes());
    return true;
  }

  /** Lets a session's output wait for the log of what was done here. On its event loop. */
  public static void seenBy(Session session, long position) {
    session.sawPosition(position);
  }
}
