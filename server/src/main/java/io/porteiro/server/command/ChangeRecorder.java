package io.porteiro.server.command;

import io.porteiro.server.metrics.LoopMetrics;
import io.porteiro.server.store.ChangeListener;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.store.ShardScope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What follows from changes, in one place and with the shards still locked: invalidations of what
 * clients keep at once; effects for the journal and messages to subscribers when the scope ends,
 * because a message must not arrive before the change that it tells of is in the log (an
 * invalidation tells only that there was one). Watches and the change counter are the scope's own.
 */
final class ChangeRecorder implements ChangeListener {
  private final Journal journal;
  private final KeyspaceNotifications notifications;
  private final LoopMetrics metrics;
  private final LoopTracking tracking;
  private final Effects effects = new Effects();
  private final Effects.Effect unrecorded = Effects.Effect.unrecorded();

  /** Messages that wait for the position of the scope's unit, in order. */
  private final List<LongConsumer> messages = new ArrayList<>(0);

  private int changes;
  private boolean ownEffect;

  ChangeRecorder(Services services, LoopMetrics metrics) {
    this.journal = services.journal();
    this.notifications = services.notifications();
    this.metrics = metrics;
    this.tracking = new LoopTracking(services.tracking());
  }

  LoopTracking tracking() {
    return tracking;
  }

  void beginCommand() {
    changes = 0;
    ownEffect = false;
  }

  /** Whether the command changed something of which the journal knows nothing yet. */
  boolean lacksEffect() {
    return changes > 0 && !ownEffect && journal.isActive();
  }

  /** Whether the journal or subscribers hear of every single change of a key. */
  boolean isEachChangeTold() {
    return journal.isActive() || notifications.isAnyWanted();
  }

  /** How many changes the command reported. */
  int changes() {
    return changes;
  }

  /** A change that has no single key: a database emptied or exchanged. */
  void changedAll() {
    changes++;
    tracking.flushed();
  }

  Effects.Effect effect(int database, String command) {
    ownEffect = true;
    return journal.isActive() ? effects.add(database).text(command) : unrecorded;
  }

  void noEffect() {
    ownEffect = true;
  }

  void event(int database, byte[] key, KeyspaceEvent event) {
    if (notifications.isWanted(event.type())) {
      atEnd(position -> notifications.publish(event, database, key, position));
    }
  }

  /**
   * Sends a message at the end of the scope, with the shards still locked.
   *
   * @param message told the journal position that it has to wait for
   */
  void atEnd(LongConsumer message) {
    messages.add(message);
  }

  @Override
  public void changed(int database, Key key, @Nullable KeyspaceEvent event) {
    changes++;
    tracking.changed(key);
    if (event != null && notifications.isWanted(event.type())) {
      event(database, key.bytes(), event);
    }
  }

  @Override
  public void expired(int database, Entry entry) {
    metrics.expiredKey();
    tracking.expired(entry);
    event(database, entry.key(), KeyspaceEvent.EXPIRED);
    if (journal.isActive()) {
      effects.add(database).text("DEL").bytes(entry.key());
    }
  }

  /**
   * With the shards still locked: hands the effects to the journal, as one unit, then the messages
   * to the subscribers.
   *
   * @return the position behind the unit, or 0 if nothing was to be journaled
   */
  long endScope(ShardScope scope) {
    tracking.endScope();
    long position = 0;
    if (!effects.isEmpty()) {
      position = journal.append(effects);
      scope.setEffectPosition(position);
      effects.clear();
    }
    if (!messages.isEmpty()) {
      send(Math.max(position, position(scope)));
    }
    return position;
  }

  private void send(long position) {
    messages.forEach(message -> message.accept(position));
    messages.clear();
  }

  /** The journal position that output which saw this scope has to wait for. */
  long position(ShardScope scope) {
    return journal.isActive() ? scope.effectPosition() : 0;
  }
}
