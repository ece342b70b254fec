package io.porteiro.server.command;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one shard that clients have read since they were last changed, with the ids of these
 * clients. As in Redis, databases are not told apart: a key stands for its namesakes in all of
 * them.
 *
 * <p>Readers share their shard's lock, so this has one of its own, held for one look-up at a time;
 * no other is taken inside it.
 */
final class TrackedKeys {
  /** What was taken out: a key, and who had read it. */
  record Reads(byte[] key, ClientIds clients) {}

  private final TrackingTotals totals;

  /** In the order in which the keys came. */
  private final Map<KeyBytes, ClientIds> keys = new LinkedHashMap<>(0);

  TrackedKeys(TrackingTotals totals) {
    this.totals = totals;
  }

  /**
   * Remembers that a client has read a key.
   *
   * @return whether the key is new here
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no heap for it; nothing is
   *     remembered
   */
  synchronized boolean add(byte[] key, long client) {
    KeyBytes bytes = new KeyBytes(key);
    ClientIds clients = keys.get(bytes);
    if (clients == null) {
      ClientIds first = new ClientIds();
      totals.addKey(key, first);
      keys.put(bytes, first);
      addClient(first, client);
      return true;
    }
    if (!clients.contains(client)) {
      addClient(clients, client);
    }
    return false;
  }

  private void addClient(ClientIds clients, long client) {
    totals.addClient(clients);
    clients.add(client);
  }

  /** Takes a key out; null if it is not here. */
  synchronized @Nullable Reads remove(byte[] key) {
    return keys.isEmpty() ? null : taken(key, keys.remove(new KeyBytes(key)));
  }

  /** Takes out the key that came first; null if there is none. */
  synchronized @Nullable Reads removeEldest() {
    Iterator<Map.Entry<KeyBytes, ClientIds>> entries = keys.entrySet().iterator();
    if (!entries.hasNext()) {
      return null;
    }
    Map.Entry<KeyBytes, ClientIds> eldest = entries.next();
    entries.remove();
    return taken(eldest.getKey().bytes(), eldest.getValue());
  }

  private @Nullable Reads taken(byte[] key, @Nullable ClientIds clients) {
    if (clients == null) {
      return null;
    }
    totals.removeKey(key, clients);
    return new Reads(key, clients);
  }

  synchronized void clear() {
    keys.forEach((key, clients) -> totals.removeKey(key.bytes(), clients));
    keys.clear();
  }
}
