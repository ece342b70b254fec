package io.porteiro.server.command;

import io.porteiro.server.store.Keyspace;
import java.util.concurrent.atomic.AtomicLong;

/** How much all {@link TrackedKeys} hold; their heap counts as that of the keyspace's entries. */
final class TrackingTotals {
  /** Heap bytes of a key besides its bytes and the table of its clients. */
  private static final long KEY_HEAP_BYTES = 152;

  private final Keyspace keyspace;
  private final AtomicLong keys = new AtomicLong();
  private final AtomicLong items = new AtomicLong();

  TrackingTotals(Keyspace keyspace) {
    this.keyspace = keyspace;
  }

  long keys() {
    return keys.get();
  }

  /** Keys, each counted once for every client that has read it. */
  long items() {
    return items.get();
  }

  /** Before a key is added, with no client yet. */
  void addKey(byte[] key, ClientIds clients) {
    keyspace.reserveHeap(heapBytes(key, clients));
    keys.incrementAndGet();
  }

  /** Before a client is added to a key's. */
  void addClient(ClientIds clients) {
    long growth = clients.growthBytes();
    if (growth > 0) {
      keyspace.reserveHeap(growth);
    }
    items.incrementAndGet();
  }

  /** After a key was removed, with its clients. */
  void removeKey(byte[] key, ClientIds clients) {
    keyspace.releaseHeap(heapBytes(key, clients));
    keys.decrementAndGet();
    items.addAndGet(-clients.size());
  }

  private static long heapBytes(byte[] key, ClientIds clients) {
    return KEY_HEAP_BYTES + key.length + clients.heapBytes();
  }
}
