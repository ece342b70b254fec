package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.metrics.LoopMetrics;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.store.Shard;
import io.porteiro.server.store.ShardScope;
import io.porteiro.server.store.Watch;
import io.porteiro.server.structure.Value;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a command sees while it is executed: its request and session, and the keyspace through the
 * scope that the dispatcher opened for it. One per event loop, used again for every command.
 *
 * <p>Whatever follows from a change happens here, in one place, with the shards still locked:
 * watches and the change counter (through the scope), keyspace events, effects for the journal.
 */
public final class CommandContext {
  /**
   * Arguments from this index on share one {@link Key}: commands of many keys look at one after the
   * other.
   */
  private static final int OWN_KEYS = 16;

  private static final KeyspaceEvent KEY_MISS =
      new KeyspaceEvent(KeyspaceEvent.Type.KEY_MISS, "keymiss");

  private final Services services;
  private final LoopMetrics metrics;
  private final ShardScope scope;
  private final TransactionExecution transactions;
  private final Arguments arguments = new Arguments();
  private final ChangeRecorder recorder;
  private final Key[] keys = new Key[OWN_KEYS + 1];
  private final int[] keyCommand = new int[OWN_KEYS];
  private int commandNumber;

  private @Nullable Session session;
  private @Nullable CommandSpec spec;
  private Request request = new Request();
  private long nowMs;
  private boolean inTransaction;
  private boolean mayHaveChanged;

  CommandContext(Services services, LoopMetrics metrics, TransactionExecution transactions) {
    this.services = services;
    this.metrics = metrics;
    this.transactions = transactions;
    this.recorder = new ChangeRecorder(services, metrics);
    this.scope = new ShardScope(services.keyspace(), recorder);
    Arrays.setAll(keys, i -> new Key());
  }

  // ---- the dispatcher's side

  void begin(Session newSession, CommandSpec newSpec, Request newRequest, long now) {
    session = newSession;
    spec = newSpec;
    request = newRequest;
    nowMs = now;
    commandNumber++;
    mayHaveChanged = false;
    recorder.beginCommand();
    recorder.tracking().begin(newSession);
    arguments.reset(newRequest, newSpec.isSubcommand() ? 2 : 1);
  }

  /**
   * With the shards still locked: remembers what a tracked client has read. Where a change was
   * reported and the command gave no effect of its own, the request is its effect. Also after an
   * error: what was changed must not be missing in the journal. Calling it again does nothing.
   */
  void endCommand() {
    ClientTracking reader = session().tracking();
    if (reader != null) {
      recorder.tracking().read(this, reader);
    }
    if (recorder.lacksEffect()) {
      Effects.Effect effect = recorder.effect(database(), spec().name());
      for (int i = 1; i < request.count(); i++) {
        effect.argument(request, i);
      }
    }
  }

  /** With the shards still locked: hands what was collected to the journal. */
  void endScope() {
    long position = recorder.endScope(scope);
    session().sawPosition(recorder.position(scope));
    if (position > 0) {
      session().changedAt(position);
    }
  }

  /** What one loop's commands do to the caches of clients. */
  LoopTracking tracking() {
    return recorder.tracking();
  }

  void setInTransaction(boolean value) {
    inTransaction = value;
  }

  /**
   * Whether the journal or subscribers hear of each change of a key, with the command that made it.
   */
  boolean isEachChangeTold() {
    return recorder.isEachChangeTold();
  }

  /**
   * Whether the command got hold of something to change: an exception now may have left half a
   * change.
   */
  boolean mayHaveChanged() {
    return mayHaveChanged || recorder.changes() > 0;
  }

  ShardScope scope() {
    return scope;
  }

  // ---- request and session

  public Services services() {
    return services;
  }

  public ServerConfig config() {
    return services.config();
  }

  public Keyspace keyspace() {
    return services.keyspace();
  }

  public Session session() {
    if (session == null) {
      throw new IllegalStateException("no command is executed");
    }
    return session;
  }

  public CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("no command is executed");
    }
    return spec;
  }

  public Request request() {
    return request;
  }

  /** The cursor, where the last call left it; behind the name at first. */
  public Arguments arguments() {
    return arguments;
  }

  /** The session's database. */
  public int database() {
    return session().database();
  }

  /** Unix milliseconds; in EXEC one time for all its commands. */
  public long nowMs() {
    return nowMs;
  }

  /** Whether the command comes from a log, which says what was done, whatever the settings now. */
  public boolean isReplay() {
    return session().peer() instanceof ReplayPeer;
  }

  /** Whether EXEC is executing this command. */
  public boolean isInTransaction() {
    return inTransaction;
  }

  /**
   * Lets the command answer later; its operation then writes no reply.
   *
   * @throws CommandException inside EXEC, where nothing can be postponed
   */
  public DeferredReply answerLater() {
    if (inTransaction) {
      throw new CommandException(
          "ERR '" + spec().fullName() + "' is not allowed inside a transaction");
    }
    session().setWaiting(true);
    return session().peer().answerLater();
  }

  // ---- keys and entries

  /**
   * Argument {@code index} as a key. Up to index 15 the object is that argument's for the length of
   * the command; beyond, the next call takes it away.
   */
  public Key key(int index) {
    if (index >= OWN_KEYS) {
      Key shared = keys[OWN_KEYS];
      shared.set(services.keyspace(), request.address(index), request.length(index));
      return shared;
    }
    Key key = keys[index];
    if (keyCommand[index] != commandNumber) {
      key.set(services.keyspace(), request.address(index), request.length(index));
      keyCommand[index] = commandNumber;
    }
    return key;
  }

  /**
   * All keys that the request names, one after the other.
   *
   * @throws IllegalStateException if the shard of one is not locked
   */
  void forEachLockedKey(Consumer<Key> action) {
    for (KeySpec keys : spec().keySpecs()) {
      int last = keys.lastIndex(request.count());
      for (int index = keys.first(request); index <= last; index += keys.step()) {
        Key key = key(index);
        scope.shardOf(key);
        action.accept(key);
      }
    }
  }

  /** The entry of a key in the session's database; counted as hit or miss, access time set. */
  public @Nullable Entry read(Key key) {
    Entry entry = readUntouched(key);
    if (entry != null) {
      touch(entry);
    }
    return entry;
  }

  /**
   * As {@link #read}, for commands that ask about a key without using it: the access time stays.
   */
  public @Nullable Entry readUntouched(Key key) {
    Entry entry = peek(key);
    lookedUp(key, entry);
    return entry;
  }

  /** What follows from looking a key up: it is counted, and a miss is an event. */
  private void lookedUp(Key key, @Nullable Entry found) {
    lookedUp(key, found, 1);
  }

  /** What follows from looking a key up so many times. */
  void lookedUp(Key key, @Nullable Entry found, int times) {
    count(found, times);
    if (found == null && services.notifications().isWanted(KeyspaceEvent.Type.KEY_MISS)) {
      for (int i = 0; i < times; i++) {
        recorder.event(database(), key.bytes(), KEY_MISS);
      }
    }
  }

  private void count(@Nullable Entry found, int times) {
    if (found == null) {
      metrics.keyspaceMisses(times);
    } else {
      metrics.keyspaceHits(times);
    }
  }

  /** As {@link #readUntouched}, without an event for a miss: OBJECT. */
  public @Nullable Entry readQuietly(Key key) {
    Entry entry = peek(key);
    count(entry, 1);
    return entry;
  }

  /** The entry of a key, its access time set: for a run, whose commands count one by one. */
  @Nullable Entry readForRun(Key key) {
    Entry entry = peek(key);
    if (entry != null) {
      touch(entry);
    }
    return entry;
  }

  private void touch(Entry entry) {
    int seconds = (int) (nowMs / 1000);
    if (entry.accessedAtSeconds() != seconds && !session().isNoTouch()) {
      entry.setAccessedAtSeconds(seconds);
    }
  }

  /** The entry of a key in the session's database, leaving no trace. */
  public @Nullable Entry peek(Key key) {
    return scope.read(database(), key);
  }

  /** The entry of a key in any database, leaving no trace. */
  public @Nullable Entry peek(int database, Key key) {
    return scope.read(database, key);
  }

  /** The entry of a key in the session's database, to be changed; null if there is none. */
  public @Nullable Entry forWrite(Key key) {
    return forWrite(database(), key);
  }

  /** The entry of a key in any database, to be changed; null if there is none. */
  public @Nullable Entry forWrite(int database, Key key) {
    Entry entry = scope.forWrite(database, key);
    if (entry != null) {
      mayHaveChanged = true;
      touch(entry);
    }
    return entry;
  }

  /** Adds a key that is not there to the session's database. */
  public Entry create(Key key, Value value) {
    return create(database(), key, value);
  }

  /**
   * Adds a key that is not there.
   *
   * @throws MemoryLimitException if there is no room for one more key; the value is released then
   */
  public Entry create(int database, Key key, Value value) {
    Entry entry = addEntry(database, key, value);
    mayHaveChanged = true;
    entry.setAccessedAtSeconds((int) (nowMs / 1000));
    recorder.event(database, entry.key(), KeyspaceEvent.NEW);
    return entry;
  }

  private Entry addEntry(int database, Key key, Value value) {
    try {
      return scope.create(database, key, value);
    } catch (MemoryLimitException e) {
      value.release();
      throw e;
    }
  }

  /**
   * Gives an entry from {@link #forWrite} another value and releases the old one. The expiry stays.
   */
  public void replace(int database, Entry entry, Value value) {
    scope.replace(database, entry, value);
  }

  /**
   * Puts a value under a key of the session's database, whatever was there. An expiry there was
   * stays.
   */
  public Entry put(Key key, Value value) {
    return put(database(), key, value);
  }

  /** Puts a value under a key of any database, whatever was there. An expiry there was stays. */
  public Entry put(int database, Key key, Value value) {
    Entry entry = forWrite(database, key);
    if (entry == null) {
      return create(database, key, value);
    }
    replace(database, entry, value);
    return entry;
  }

  /** Removes an entry from {@link #forWrite} and releases its value. */
  public void delete(int database, Entry entry) {
    scope.delete(database, entry);
  }

  /** Removes an entry from {@link #forWrite}; its value is the caller's now. */
  public Value detach(int database, Entry entry) {
    return scope.detach(database, entry);
  }

  /**
   * Moves an entry from {@link #forWrite}, value and expiry, under a key that is not there.
   *
   * @throws MemoryLimitException if there is no room for one more key; nothing has changed
   */
  public Entry move(int fromDatabase, Entry entry, int toDatabase, Key to) {
    Entry moved = scope.move(fromDatabase, entry, toDatabase, to);
    recorder.event(toDatabase, moved.key(), KeyspaceEvent.NEW);
    return moved;
  }

  /**
   * Sets or, with {@link Entry#NO_EXPIRY}, removes the expiry of an entry from {@link #forWrite}.
   */
  public void setExpiry(int database, Entry entry, long expireAtMs) {
    scope.setExpiry(database, entry, expireAtMs);
  }

  /** Reports a change of a key in the session's database, once, after it is made. */
  public void changed(Key key, @Nullable KeyspaceEvent event) {
    scope.changed(database(), key, event);
  }

  /**
   * As {@link #changed(Key, KeyspaceEvent)}, where save points do not count it as one change.
   *
   * @param count how many it is, 0 or more
   */
  public void changed(Key key, @Nullable KeyspaceEvent event, int count) {
    changed(database(), key, event, count);
  }

  /** Reports a change of a key in any database, once, after it is made. */
  public void changed(int database, Key key, @Nullable KeyspaceEvent event) {
    scope.changed(database, key, event);
  }

  /** As {@link #changed(Key, KeyspaceEvent, int)}, in any database. */
  public void changed(int database, Key key, @Nullable KeyspaceEvent event, int count) {
    scope.changed(database, key, event, count);
  }

  /**
   * Publishes one more event for a change that was reported already: `set` and `expire` of one SET.
   */
  public void event(int database, Key key, KeyspaceEvent event) {
    recorder.event(database, key.bytes(), event);
  }

  /** Whether an entry that was met in a walk is past its time, and so absent. */
  public boolean isExpired(Entry entry) {
    return scope.isExpired(entry);
  }

  /**
   * Works on one shard of a walk, or of a scope that has all; locks and unlocks it where needed.
   */
  public void inShard(int shard, Consumer<Shard> work) {
    boolean entered = scope.enter(shard, false, nowMs);
    try {
      work.accept(scope.shard(shard));
      if (entered) {
        endScope();
      }
    } finally {
      scope.leave(entered);
    }
  }

  /** Empties a database, in a scope that writes all; returns how many keys it had. */
  public long flush(int database) {
    mayHaveChanged = true;
    recorder.changedAll();
    return scope.flush(database);
  }

  /** Exchanges two databases, in a scope that writes all. */
  public void swap(int first, int second) {
    mayHaveChanged = true;
    recorder.changedAll();
    scope.swap(first, second);
  }

  /**
   * Begins to watch a key of the session's database, in a scope that writes it.
   *
   * @throws MemoryLimitException if there is no room; keys before it are watched
   */
  public void watch(Key key) {
    Watch watch = scope.watch(database(), key, session());
    if (watch != null) {
      session().watches().add(watch);
    }
  }

  /**
   * Begins to watch a key of the session's database for work that goes on after this command, in a
   * scope that writes it; {@link LateScope} ends it.
   *
   * @return null if the owner watches the key already
   * @throws MemoryLimitException if there is no room
   */
  public @Nullable Watch watch(Key key, Object owner) {
    return scope.watch(database(), key, owner);
  }

  /** Ends a watch of a key that the scope writes. */
  public void unwatch(Watch watch) {
    scope.unwatch(watch);
  }

  // ---- what follows a change

  /**
   * Sends a message. Inside EXEC when that ends, because it may tell of what was changed there.
   *
   * @return how many get it
   */
  public long publish(Channels.Kind kind, byte[] channel, byte[] message) {
    Channels channels = services.channels();
    if (!inTransaction) {
      return channels.publish(kind, channel, message, session().journalPosition());
    }
    recorder.atEnd(position -> {
      var _ = channels.publish(kind, channel, message, position);
    });
    return channels.receivers(kind, channel);
  }

  /**
   * For the journal, instead of the request as it came: a command of this name in the session's
   * database.
   */
  public Effects.Effect effect(String command) {
    return effect(database(), command);
  }

  /** For the journal, instead of the request as it came: a command of this name in any database. */
  public Effects.Effect effect(int database, String command) {
    return recorder.effect(database, command);
  }

  /** The change needs no effect. */
  public void noEffect() {
    recorder.noEffect();
  }

  /** Executes what the session queued: EXEC. */
  public void executeTransaction(Transaction transaction, ReplyWriter reply) {
    transactions.execute(session(), transaction, reply);
  }

  /** Ends all watches of the session. Outside of any scope. */
  public void unwatchAll() {
    transactions.unwatchAll(session());
  }
}
