package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.store.Keyspace;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Server-assisted client-side caching: which clients may keep what they have read, and how they
 * hear that it has changed.
 *
 * <p>In the default mode a client's reads are remembered while their shards are still locked for
 * reading, and whoever changes a key takes its readers out and queues their messages while the
 * shard is locked for writing. So of a read and a change one comes first: if the read, its client
 * is known to the change, and the message is queued behind the reply; if the change, the read sees
 * it. A key is forgotten with the message, until it is read again. It may be forgotten earlier,
 * with a message, too: where there are too many ({@code tracking-table-max-keys}), or no heap for
 * one more. In broadcasting mode nothing is remembered but prefixes; every change of a key that has
 * one is told.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/client-side-caching/">Client-side
 *     caching</a>
 */
public final class Tracking {
  /** How many keys {@link #trim} takes out at a call. */
  private static final int TRIMMED_KEYS = 10_000;

  private final Clients clients;
  private final TrackingTotals totals;
  private final TrackedKeys[] parts = new TrackedKeys[Keyspace.SHARDS];
  private final Set<Session> trackers = ConcurrentHashMap.newKeySet();
  private final BroadcastPrefixes prefixes;
  private volatile long maxKeys;

  /** Whether any client is tracked, or was and may be again. */
  private volatile boolean active;

  public Tracking(Clients clients, Keyspace keyspace) {
    this.clients = clients;
    this.totals = new TrackingTotals(keyspace);
    this.prefixes = new BroadcastPrefixes(keyspace);
    Arrays.setAll(parts, _ -> new TrackedKeys(totals));
  }

  // ---- clients

  /**
   * Begins to track a client's reads, or goes on with other options. On its event loop.
   *
   * @throws MemoryLimitException if there is no heap for its prefixes; nothing has changed
   */
  public synchronized void enable(Session session, TrackingOptions options) {
    ClientTracking before = session.tracking();
    Set<String> all = new TreeSet<>(before == null ? Set.of() : before.prefixes());
    if (options.broadcast()) {
      Set<String> added = new TreeSet<>(options.prefixes());
      if (added.isEmpty()) {
        added.add("");
      }
      added.removeAll(all);
      prefixes.add(session, added);
      all.addAll(added);
    }
    boolean caching = before != null && before.isCaching();
    session.setTracking(new ClientTracking(options, all, caching));
    trackers.add(session);
    active = true;
  }

  /** Ends tracking a client's reads. On its event loop. */
  public synchronized void disable(Session session) {
    ClientTracking before = session.tracking();
    if (before != null) {
      session.setTracking(null);
      trackers.remove(session);
      prefixes.remove(session, before.prefixes());
    }
  }

  /** The client is gone. What the last one has read need not be remembered. */
  void disconnected(Session session) {
    if (active) {
      disable(session);
      clearIfLast();
    }
  }

  private synchronized void clearIfLast() {
    if (trackers.isEmpty()) {
      active = false;
      clear();
    }
  }

  /** Forgets what was read; also when all keys are gone, with all shards locked for writing. */
  void clear() {
    for (TrackedKeys part : parts) {
      part.clear();
    }
  }

  /** Whether changes have to be told here at all. */
  boolean isActive() {
    return active;
  }

  // ---- figures

  /** How many clients are tracked. */
  public int clients() {
    return trackers.size();
  }

  /** How many keys are remembered. */
  public long keys() {
    return totals.keys();
  }

  /** How many reads are remembered: keys times the clients that have read them. */
  public long items() {
    return totals.items();
  }

  /** How many prefixes are broadcast. */
  public int prefixes() {
    return prefixes.size();
  }

  // ---- reads

  /** Remembers that a client reads a key, with the key's shard locked. On the client's loop. */
  void remember(Session session, byte[] key, int shard, LoopTracking loop) {
    boolean added;
    try {
      added = parts[shard].add(key, session.id());
    } catch (MemoryLimitException e) {
      invalidate(key, shard, null, loop);
      tell(session, Invalidation.of(key), loop);
      return;
    }
    if (added && isOverLimit()) {
      removeSome(loop);
    }
  }

  // ---- limit

  /** The most keys that are remembered; 0 for no limit but the heap. */
  public void setMaxKeys(long maxKeys) {
    this.maxKeys = maxKeys;
  }

  private boolean isOverLimit() {
    long max = maxKeys;
    return max > 0 && totals.keys() > max;
  }

  /** Takes out keys beyond the limit, some at a time. To be called some times a second. */
  public void trim() {
    LoopTracking nobodys = new LoopTracking(this);
    for (int i = 0; i < TRIMMED_KEYS && isOverLimit(); i++) {
      removeSome(nobodys);
    }
  }

  /** Takes out the eldest key of a shard chosen at random. */
  private void removeSome(LoopTracking loop) {
    int first = ThreadLocalRandom.current().nextInt(parts.length);
    for (int i = 0; i < parts.length; i++) {
      TrackedKeys.Reads reads = parts[(first + i) & (parts.length - 1)].removeEldest();
      if (reads != null) {
        tell(reads, null, loop);
        return;
      }
    }
  }

  // ---- changes

  /**
   * A key was changed, with its shard locked for writing: tells who has read it.
   *
   * @param changer who changed it and, with NOLOOP, does not want to hear of it; null if no one did
   */
  void invalidate(byte[] key, int shard, @Nullable Session changer, LoopTracking loop) {
    TrackedKeys.Reads reads = parts[shard].remove(key);
    if (reads != null) {
      tell(reads, changer, loop);
    }
  }

  private void tell(TrackedKeys.Reads reads, @Nullable Session changer, LoopTracking loop) {
    Invalidation message = Invalidation.of(reads.key());
    reads
        .clients()
        .forEach(id -> {
          Session reader = clients.byId(id);
          ClientTracking tracking = reader == null ? null : reader.tracking();
          if (reader != null
              && tracking != null
              && !tracking.options().broadcast()
              && !(reader == changer && tracking.options().noLoop())) {
            tell(reader, message, loop);
          }
        });
  }

  /** Tells every client that is tracked, in whatever mode, to forget all that it keeps. */
  void tellEverything(LoopTracking loop) {
    trackers.forEach(session -> tell(session, Invalidation.EVERYTHING, loop));
  }

  /** The prefixes to be broadcast. */
  BroadcastPrefixes broadcastPrefixes() {
    return prefixes;
  }

  // ---- messages

  /** Sends a message; to the client that is being answered, behind its answer. */
  private void tell(Session reader, Invalidation message, LoopTracking loop) {
    if (reader == loop.session()) {
      loop.tellAfterReply(message);
    } else {
      send(reader, message, null);
    }
  }

  /**
   * Sends a message to a client, or to the one that its messages are redirected to.
   *
   * @param answered a client that gets it at once, because its reply is complete; its event loop
   *     calls
   */
  void send(Session reader, Invalidation message, @Nullable Session answered) {
    ClientTracking tracking = reader.tracking();
    if (tracking == null) {
      return;
    }
    long redirect = tracking.options().redirect();
    Session receiver = redirect == 0 ? reader : clients.byId(redirect);
    if (receiver == null) {
      tracking.setRedirectBroken();
      deliver(reader, reply -> Invalidation.writeBrokenRedirect(redirect, reply), answered);
    } else if (redirect == 0) {
      deliver(reader, message::writeTo, answered);
    } else {
      deliver(receiver, reply -> message.writeRedirected(receiver, reply), answered);
    }
  }

  private static void deliver(
      Session receiver, Consumer<ReplyWriter> message, @Nullable Session answered) {
    if (receiver == answered) {
      message.accept(receiver.reply());
    } else {
      receiver.peer().push(message);
    }
  }
}
