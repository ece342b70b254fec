package io.porteiro.server.command;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The prefixes of keys that clients in broadcasting mode want to hear of. It never changes: who
 * adds or removes makes a new one.
 */
final class BroadcastPrefixes {
  /** A prefix and who asked for it. */
  record Prefix(byte[] bytes, Set<Session> clients) {}

  static final BroadcastPrefixes NONE = new BroadcastPrefixes(List.of());

  /** In the order of their bytes, so that a prefix comes before all that it is a prefix of. */
  private final List<Prefix> prefixes;

  private BroadcastPrefixes(Collection<Prefix> prefixes) {
    this.prefixes = List.copyOf(prefixes);
  }

  int size() {
    return prefixes.size();
  }

  BroadcastPrefixes with(Session client, Collection<String> added) {
    SortedMap<byte[], Prefix> all = byBytes();
    for (String prefix : added) {
      byte[] bytes = prefix.getBytes(StandardCharsets.ISO_8859_1);
      Set<Session> clients = new LinkedHashSet<>();
      if (all.containsKey(bytes)) {
        clients.addAll(all.get(bytes).clients());
      }
      clients.add(client);
      all.put(bytes, new Prefix(bytes, clients));
    }
    return new BroadcastPrefixes(all.values());
  }

  BroadcastPrefixes without(Session client) {
    List<Prefix> left = new ArrayList<>();
    for (Prefix prefix : prefixes) {
      Set<Session> clients = new LinkedHashSet<>(prefix.clients());
      clients.remove(client);
      if (!clients.isEmpty()) {
        left.add(new Prefix(prefix.bytes(), clients));
      }
    }
    return new BroadcastPrefixes(left);
  }

  private SortedMap<byte[], Prefix> byBytes() {
    SortedMap<byte[], Prefix> all = new TreeMap<>(Arrays::compareUnsigned);
    prefixes.forEach(prefix -> all.put(prefix.bytes(), prefix));
    return all;
  }

  boolean hasPrefixOf(byte[] key) {
    return !prefixes.isEmpty() && !prefixesOf(key).isEmpty();
  }

  /** Who asked for a prefix. */
  Set<Session> clientsOf(byte[] prefix) {
    int place = floor(prefix, prefix.length);
    return place >= 0 && Arrays.equals(prefixes.get(place).bytes(), prefix)
        ? prefixes.get(place).clients()
        : Set.of();
  }

  /** Those that the key begins with, the longest first; a search for each and each near miss. */
  List<Prefix> prefixesOf(byte[] key) {
    List<Prefix> found = new ArrayList<>(1);
    int end = key.length;
    for (int place = floor(key, end); place >= 0; place = end < 0 ? -1 : floor(key, end)) {
      Prefix candidate = prefixes.get(place);
      end = commonLength(candidate.bytes(), key, end);
      if (end == candidate.bytes().length) {
        found.add(candidate);
        end--;
      }
    }
    return found;
  }

  private static int commonLength(byte[] prefix, byte[] key, int end) {
    int mismatch = Arrays.mismatch(prefix, 0, prefix.length, key, 0, end);
    return mismatch < 0 ? end : mismatch;
  }

  /** Index of the greatest one that is not behind the key's first bytes; -1 if all are. */
  private int floor(byte[] key, int end) {
    int from = 0;
    int to = prefixes.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      byte[] prefix = prefixes.get(middle).bytes();
      if (Arrays.compareUnsigned(prefix, 0, prefix.length, key, 0, end) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1;
  }
}
