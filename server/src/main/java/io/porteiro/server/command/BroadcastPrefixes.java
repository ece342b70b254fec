package io.porteiro.server.command;

import io.porteiro.server.store.Keyspace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The prefixes of keys that clients in broadcasting mode want to hear of. Who adds or removes holds
 * {@link Tracking}'s lock; any thread may look. Their heap counts as that of the keyspace's
 * entries.
 */
final class BroadcastPrefixes {
  /** Heap bytes of a client's prefix besides its bytes, which are kept twice. */
  private static final long HEAP_BYTES = 200;

  /** A prefix and who asked for it. */
  record Prefix(byte[] bytes, Set<Session> clients) {
    Prefix(byte[] bytes) {
      this(bytes, ConcurrentHashMap.newKeySet(1));
    }
  }

  private final Keyspace keyspace;

  /** In the order of their bytes, so that a prefix comes before all that it is a prefix of. */
  private volatile List<Prefix> prefixes = List.of();

  BroadcastPrefixes(Keyspace keyspace) {
    this.keyspace = keyspace;
  }

  int size() {
    return prefixes.size();
  }

  /**
   * Adds prefixes that the client has not asked for yet.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no heap for them; nothing is
   *     added
   */
  void add(Session client, Collection<String> added) {
    keyspace.reserveHeap(heapBytes(added));
    SortedMap<byte[], Prefix> all = new TreeMap<>(Arrays::compareUnsigned);
    prefixes.forEach(prefix -> all.put(prefix.bytes(), prefix));
    for (String prefix : added) {
      all.computeIfAbsent(bytes(prefix), Prefix::new).clients().add(client);
    }
    if (all.size() > prefixes.size()) {
      prefixes = List.copyOf(all.values());
    }
  }

  /** Removes all prefixes of a client. */
  void remove(Session client, Collection<String> its) {
    keyspace.releaseHeap(heapBytes(its));
    boolean unused = false;
    for (String prefix : its) {
      Set<Session> clients = clientsOf(bytes(prefix));
      clients.remove(client);
      unused |= clients.isEmpty();
    }
    if (unused) {
      prefixes = prefixes.stream().filter(prefix -> !prefix.clients().isEmpty()).toList();
    }
  }

  private static long heapBytes(Collection<String> prefixes) {
    return prefixes.stream().mapToLong(prefix -> HEAP_BYTES + 2L * prefix.length()).sum();
  }

  private static byte[] bytes(String prefix) {
    return prefix.getBytes(StandardCharsets.ISO_8859_1);
  }

  boolean hasPrefixOf(byte[] key) {
    return !prefixes.isEmpty() && !prefixesOf(key).isEmpty();
  }

  /** Who asked for a prefix. */
  Set<Session> clientsOf(byte[] prefix) {
    List<Prefix> current = prefixes;
    int place = floor(current, prefix, prefix.length);
    return place >= 0 && Arrays.equals(current.get(place).bytes(), prefix)
        ? current.get(place).clients()
        : Set.of();
  }

  /** Those that the key begins with, the longest first; a search for each and each near miss. */
  List<Prefix> prefixesOf(byte[] key) {
    List<Prefix> current = prefixes;
    List<Prefix> found = new ArrayList<>(1);
    int end = key.length;
    int place = floor(current, key, end);
    while (place >= 0) {
      Prefix candidate = current.get(place);
      end = commonLength(candidate.bytes(), key, end);
      if (end == candidate.bytes().length) {
        found.add(candidate);
        end--;
      }
      place = end < 0 ? -1 : floor(current, key, end);
    }
    return found;
  }

  private static int commonLength(byte[] prefix, byte[] key, int end) {
    int mismatch = Arrays.mismatch(prefix, 0, prefix.length, key, 0, end);
    return mismatch < 0 ? end : mismatch;
  }

  /** Index of the greatest one that is not behind the key's first bytes; -1 if all are. */
  private static int floor(List<Prefix> sorted, byte[] key, int end) {
    int from = 0;
    int to = sorted.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      byte[] prefix = sorted.get(middle).bytes();
      if (Arrays.compareUnsigned(prefix, 0, prefix.length, key, 0, end) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1;
  }
}
