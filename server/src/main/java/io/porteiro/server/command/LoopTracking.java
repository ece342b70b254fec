package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Client-side caching as one event loop sees it while it executes commands: tells {@link Tracking}
 * what is read and changed, and keeps what has to wait for the reply. The background expiry has one
 * too, without a client.
 */
final class LoopTracking {
  private final Tracking tracking;
  private final Broadcast broadcast;
  private final List<Invalidation> afterReply = new ArrayList<>(0);
  private @Nullable Session session;
  private boolean flushed;

  LoopTracking(Tracking tracking) {
    this.tracking = tracking;
    this.broadcast = new Broadcast(tracking);
  }

  /** Whose commands are executed from now on. */
  void begin(Session newSession) {
    session = newSession;
  }

  /** Whose commands are executed; null in the background. */
  @Nullable Session session() {
    return session;
  }

  /** Remembers the keys that a command has read, with their shards locked. */
  void read(CommandContext context, ClientTracking reader) {
    if (reader.remembersReads() && context.spec().has(CommandFlag.READONLY)) {
      context.forEachLockedKey(this::remember);
    }
  }

  private void remember(Key key) {
    if (session != null) {
      tracking.remember(session, key.bytes(), key.shard(), this);
    }
  }

  /** A command changed a key, whose shard is locked for writing. */
  void changed(Key key) {
    if (tracking.isActive()) {
      byte[] bytes = key.bytes();
      tracking.invalidate(bytes, key.shard(), session, this);
      broadcast.add(bytes, false);
    }
  }

  /** A key's time has passed: the client that met it, NOLOOP or not, does not know. */
  void expired(Entry entry) {
    if (tracking.isActive()) {
      tracking.invalidate(entry.key(), entry.shard(), null, this);
      broadcast.add(entry.key(), true);
    }
  }

  /** Databases were emptied or exchanged, with all shards locked for writing. */
  void flushed() {
    if (tracking.isActive()) {
      tracking.clear();
      flushed = true;
    }
  }

  /** The shards are about to be unlocked. */
  void endScope() {
    if (flushed) {
      flushed = false;
      tracking.tellEverything(this);
    }
  }

  void tellAfterReply(Invalidation message) {
    afterReply.add(message);
  }

  /** Whether something waits for the reply to be written. */
  boolean hasMessages() {
    return !afterReply.isEmpty();
  }

  /** The reply is written: what waited for it follows, CLIENT REPLY OFF or not. */
  void sendMessages(Session client) {
    ReplyWriter reply = client.reply();
    boolean discarding = reply.isDiscarding();
    reply.setDiscarding(false);
    afterReply.forEach(message -> tracking.send(client, message, client));
    reply.setDiscarding(discarding);
    afterReply.clear();
  }

  /** The commands read together are executed. */
  void endBatch() {
    if (!broadcast.isEmpty()) {
      broadcast.send(session);
    }
  }
}
