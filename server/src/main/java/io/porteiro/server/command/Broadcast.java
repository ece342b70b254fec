package io.porteiro.server.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keys with a prefix that clients want to hear of, collected while commands change them and told
 * together, one message a prefix. One per event loop.
 */
final class Broadcast {
  private final Tracking tracking;

  /** In the order of their bytes; the value is whether the changer does not know of the change. */
  private final SortedMap<byte[], Boolean> keys = new TreeMap<>(Arrays::compareUnsigned);

  Broadcast(Tracking tracking) {
    this.tracking = tracking;
  }

  /**
   * A key was changed.
   *
   * @param byOther whether it was not a command of the client whose commands are executed
   */
  void add(byte[] key, boolean byOther) {
    if (tracking.broadcastPrefixes().hasPrefixOf(key)) {
      keys.merge(key, byOther, Boolean::logicalOr);
    }
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  /**
   * Sends what was collected.
   *
   * @param changer whose commands were executed; with NOLOOP it does not hear of its own changes
   */
  void send(@Nullable Session changer) {
    SortedMap<byte[], List<byte[]>> byPrefix = new TreeMap<>(Arrays::compareUnsigned);
    BroadcastPrefixes prefixes = tracking.broadcastPrefixes();
    for (byte[] key : keys.keySet()) {
      for (BroadcastPrefixes.Prefix prefix : prefixes.prefixesOf(key)) {
        byPrefix.computeIfAbsent(prefix.bytes(), _ -> new ArrayList<>()).add(key);
      }
    }
    byPrefix.forEach((prefix, changed) -> send(prefixes.clientsOf(prefix), changed, changer));
    keys.clear();
  }

  private void send(Iterable<Session> clients, List<byte[]> changed, @Nullable Session changer) {
    Invalidation message = new Invalidation(changed);
    for (Session client : clients) {
      if (client == changer && isNoLoop(client)) {
        sendUnknown(client, changed);
      } else {
        tracking.send(client, message, null);
      }
    }
  }

  private static boolean isNoLoop(Session client) {
    ClientTracking tracking = client.tracking();
    return tracking != null && tracking.options().noLoop();
  }

  /** To the changer only what it does not know: keys that expired. */
  private void sendUnknown(Session changer, List<byte[]> changed) {
    List<byte[]> unknown = changed.stream().filter(key -> keys.get(key)).toList();
    if (!unknown.isEmpty()) {
      tracking.send(changer, new Invalidation(unknown), null);
    }
  }
}
