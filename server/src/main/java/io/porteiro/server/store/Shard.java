package io.porteiro.server.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One of the 256 parts of the keyspace, with its lock: the tables of all databases for the keys
 * whose hash falls here. A key has the same shard in every database.
 */
public final class Shard {
  final ShardLock lock = new ShardLock();
  private final int index;
  private final KeyTable[] tables;

  /** Journal position of the last effect on a key here; read and written under the lock. */
  private long effectPosition;

  /** Watched keys, mostly none. */
  private final Map<WatchedKey, List<Watch>> watches = new HashMap<>(0);

  private record WatchedKey(int database, ByteArray key) {}

  private record ByteArray(byte[] bytes) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof ByteArray(byte[] otherBytes) && Arrays.equals(bytes, otherBytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  Shard(int index, int databases) {
    this.index = index;
    this.tables = new KeyTable[databases];
    Arrays.setAll(tables, i -> new KeyTable());
  }

  public int index() {
    return index;
  }

  public KeyTable table(int database) {
    return tables[database];
  }

  /** Puts an empty table in place and hands the old one out. */
  KeyTable replaceTable(int database) {
    KeyTable old = tables[database];
    tables[database] = new KeyTable();
    return old;
  }

  void swapTables(int first, int second) {
    KeyTable table = tables[first];
    tables[first] = tables[second];
    tables[second] = table;
  }

  public long effectPosition() {
    return effectPosition;
  }

  public void setEffectPosition(long effectPosition) {
    this.effectPosition = effectPosition;
  }

  void addWatch(Watch watch) {
    watches.computeIfAbsent(watchedKey(watch), k -> new ArrayList<>(1)).add(watch);
  }

  void removeWatch(Watch watch) {
    WatchedKey key = watchedKey(watch);
    List<Watch> list = watches.get(key);
    if (list != null) {
      list.remove(watch);
      if (list.isEmpty()) {
        watches.remove(key);
      }
    }
  }

  private static WatchedKey watchedKey(Watch watch) {
    return new WatchedKey(watch.database(), new ByteArray(watch.key()));
  }

  boolean hasWatches() {
    return !watches.isEmpty();
  }

  /** Tells those who watch the key that it changed. */
  void notifyWatches(int database, byte[] key) {
    for (Watch watch : watchesOf(database, key)) {
      watch.setChanged();
    }
  }

  /** Whether the owner watches the key already. */
  boolean isWatched(int database, byte[] key, Object owner) {
    return watchesOf(database, key).stream().anyMatch(watch -> watch.isOwnedBy(owner));
  }

  private List<Watch> watchesOf(int database, byte[] key) {
    return watches.getOrDefault(new WatchedKey(database, new ByteArray(key)), List.of());
  }

  /** Every watched key of this shard, for commands that change whole databases. */
  List<Watch> allWatches() {
    List<Watch> all = new ArrayList<>();
    watches.values().forEach(all::addAll);
    return all;
  }
}
