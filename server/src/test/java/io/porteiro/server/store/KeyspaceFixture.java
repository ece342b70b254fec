package io.porteiro.server.store;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A keyspace with keys to name and a listener that notes what it hears. */
final class KeyspaceFixture implements AutoCloseable {
  static final long NOW_MS = 1_000_000;

  final MemoryPool pool = new MemoryPool(Long.MAX_VALUE);
  final Keyspace keyspace = new Keyspace(pool, 4, 7);
  final List<String> heard = new CopyOnWriteArrayList<>();
  private final List<Block> blocks = new ArrayList<>();

  ShardScope scope() {
    return new ShardScope(
        keyspace,
        new ChangeListener() {
          @Override
          public void changed(int database, Key key, @Nullable KeyspaceEvent event) {
            heard.add("changed " + database + " " + text(key.bytes()));
          }

          @Override
          public void expired(int database, Entry entry) {
            heard.add("expired " + database + " " + text(entry.key()));
          }
        });
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** A key whose bytes stay until the fixture is closed. */
  synchronized Key key(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
    Block block = pool.allocate(bytes.length);
    blocks.add(block);
    OffHeap.copyFrom(bytes, 0, block.address(), bytes.length);
    Key key = new Key();
    key.set(keyspace, block.address(), bytes.length);
    return key;
  }

  /** A key whose shard is another than those of the given keys. */
  Key keyElsewhere(Key... others) {
    for (int i = 0; ; i++) {
      Key key = key("elsewhere" + i);
      boolean differs = true;
      for (Key other : others) {
        differs &= shardIndex(other) != shardIndex(key);
      }
      if (differs) {
        return key;
      }
    }
  }

  int shardIndex(Key key) {
    return keyspace.shardOf(key.hash()).index();
  }

  /** Creates a key, with an expiry or {@link Entry#NO_EXPIRY}. */
  TestValue put(int database, Key key, long expireAtMs) {
    ShardScope scope = scope();
    TestValue value = new TestValue();
    scope.name(key, true);
    scope.open(NOW_MS);
    Entry entry = scope.create(database, key, value);
    scope.setExpiry(database, entry, expireAtMs);
    scope.close();
    return value;
  }

  @Override
  public void close() {
    blocks.forEach(Block::release);
    pool.close();
  }
}
