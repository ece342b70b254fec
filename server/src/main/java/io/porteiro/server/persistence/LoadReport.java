package io.porteiro.server.persistence;

import io.porteiro.server.rdb.KeyText;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was found in a file. */
final class LoadReport {
  private final Map<String, String> auxiliary = new HashMap<>();
  private long loaded;
  private long expired;
  private long foreign;
  private @Nullable String firstForeign;

  /** Remarks that nobody asks for are not kept: a crafted file may have any number of them. */
  void auxiliary(String name, String value) {
    if (name.equals("redis-ver") || name.equals("ctime")) {
      auxiliary.put(name, value);
    }
  }

  /** Who wrote the file, as far as it says. */
  String writer() {
    return auxiliary.getOrDefault("redis-ver", "unknown");
  }

  void loaded() {
    loaded++;
  }

  /** Keys that are in the keyspace now. */
  long loadedKeys() {
    return loaded;
  }

  void expired() {
    expired++;
  }

  /** Keys that were left out because their time had passed. */
  long expiredKeys() {
    return expired;
  }

  void foreign(long database, byte[] key, String typeName) {
    foreign++;
    if (firstForeign == null) {
      firstForeign =
          "key %s in database %d has the type %s".formatted(KeyText.of(key), database, typeName);
    }
  }

  /** Keys whose values have types that the server does not have. */
  long foreignKeys() {
    return foreign;
  }

  /** The first of them, with its type; null if there is none. */
  @Nullable String firstForeign() {
    return firstForeign;
  }
}
