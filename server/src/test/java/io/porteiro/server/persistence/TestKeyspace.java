package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.hash.Crc64;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.ShardScope;
import io.porteiro.server.store.SilentListener;
import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.bloom.BloomDump;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.LoadOutcome;
import io.porteiro.server.structure.bloom.SubFilter;
import io.porteiro.server.structure.string.StringValue;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A keyspace, changed the way commands change it. */
final class TestKeyspace implements AutoCloseable {
  final MemoryPool pool;
  final Keyspace keyspace;
  private final ShardScope scope;
  private final Key key = new Key();

  TestKeyspace() {
    this(16);
  }

  TestKeyspace(int databases) {
    this(new Keyspace(new MemoryPool(1L << 30), databases, 42));
  }

  private TestKeyspace(Keyspace keyspace) {
    this.keyspace = keyspace;
    this.pool = keyspace.pool();
    this.scope = new ShardScope(keyspace, SilentListener.INSTANCE);
  }

  /** The same keyspace for another thread; not to be closed. */
  TestKeyspace forAnotherThread() {
    return new TestKeyspace(keyspace);
  }

  void set(int database, String name, String text) {
    set(database, name, text, Entry.NO_EXPIRY);
  }

  void set(int database, String name, String text, long expireAtMs) {
    put(database, name, StringValue.copyOf(pool, latin(text)), expireAtMs);
  }

  void put(int database, String name, Value value, long expireAtMs) {
    inScope(
        name,
        () -> {
          Entry entry = scope.forWrite(database, key);
          if (entry == null) {
            entry = scope.create(database, key, value);
          } else {
            scope.replace(database, entry, value);
          }
          scope.setExpiry(database, entry, expireAtMs);
          scope.changed(database, key, null);
        });
  }

  /** Writes into the string in place. */
  void overwrite(int database, String name, String text) {
    inScope(
        name,
        () -> {
          StringValue value = (StringValue) writable(database).value();
          byte[] bytes = latin(text);
          OffHeap.copyFrom(bytes, 0, value.edit(), bytes.length);
          scope.changed(database, key, null);
        });
  }

  void add(int database, String name, long first, long second) {
    inScope(
        name,
        () -> {
          var _ = ((BloomFilter) writable(database).value()).add(first, second);
        });
  }

  void delete(int database, String name) {
    inScope(
        name,
        () -> {
          scope.delete(database, writable(database));
          scope.changed(database, key, null);
        });
  }

  /** Moves the value to another key: gone from the old, there at the new. */
  void rename(int database, String name, int newDatabase, String newName) {
    Value[] value = new Value[1];
    inScope(name, () -> value[0] = scope.detach(database, writable(database)));
    put(newDatabase, newName, Objects.requireNonNull(value[0]), Entry.NO_EXPIRY);
  }

  void swap(int first, int second) {
    inAll(() -> scope.swap(first, second));
  }

  void flush(int database) {
    inAll(() -> {
      var _ = scope.flush(database);
    });
  }

  private Entry writable(int database) {
    return Objects.requireNonNull(scope.forWrite(database, key));
  }

  private void inScope(String name, Runnable work) {
    inScope(name, 0, work);
  }

  private void inScope(String name, long nowMs, Runnable work) {
    byte[] bytes = latin(name);
    Block block = pool.allocateUnlimited(bytes.length);
    OffHeap.copyFrom(bytes, 0, block.address(), bytes.length);
    key.set(keyspace, block.address(), bytes.length);
    scope.name(key, true);
    scope.open(nowMs);
    try {
      work.run();
    } finally {
      scope.close();
      block.release();
    }
  }

  private void inAll(Runnable work) {
    scope.nameAll(true);
    scope.open(0);
    try {
      work.run();
    } finally {
      scope.close();
    }
  }

  /** "database:key" to a description of what it holds, with its expiry. */
  Map<String, String> contents() {
    Map<String, String> contents = new TreeMap<>();
    forEach((database, entry) -> contents.put(database + ":" + latin(entry.key()), text(entry)));
    return contents;
  }

  @Nullable Value value(int database, String name) {
    Value[] found = new Value[1];
    forEach((number, entry) -> {
      if (number == database && latin(entry.key()).equals(name)) {
        found[0] = entry.value();
      }
    });
    return found[0];
  }

  private interface Visitor {
    void visit(int database, Entry entry);
  }

  private void forEach(Visitor visitor) {
    for (int shard = 0; shard < Keyspace.SHARDS; shard++) {
      for (int database = 0; database < keyspace.databases(); database++) {
        int number = database;
        Consumer<Entry> each = entry -> visitor.visit(number, entry);
        keyspace.shard(shard).table(database).forEach(each);
      }
    }
  }

  private static String text(Entry entry) {
    String expiry = entry.hasExpiry() ? " until " + entry.expireAtMs() : "";
    return switch (entry.value()) {
      case StringValue string -> latin(string.toArray()) + expiry;
      case BloomFilter filter -> text(filter) + expiry;
      default -> throw new AssertionError(entry.value().type());
    };
  }

  /** With sums of all that BF.SCANDUMP tells of it. */
  private static String text(BloomFilter filter) {
    byte[] header = BloomDump.header(filter);
    long crc = Crc64.update(0, MemorySegment.ofArray(header), 0, header.length);
    for (int i = 0; i < filter.linkCount(); i++) {
      SubFilter link = filter.link(i);
      crc = Crc64.update(crc, OffHeap.MEMORY, link.block().address(), link.shape().bytes());
    }
    return "filter of %d in %d links, %016x".formatted(filter.size(), filter.linkCount(), crc);
  }

  /** Lays bytes over a filter's bits, as BF.LOADCHUNK does. */
  void overwriteBits(int database, String name, long iterator, byte[] bytes) {
    Block chunk = pool.allocate(bytes.length);
    OffHeap.copyFrom(bytes, 0, chunk.address(), bytes.length);
    inScope(
        name,
        () -> {
          BloomFilter filter = (BloomFilter) writable(database).value();
          assertThat(BloomDump.load(filter, iterator, chunk.address(), bytes.length))
              .isEqualTo(LoadOutcome.LOADED);
        });
    chunk.release();
  }

  /** Removes the key if its time has passed. */
  void expire(int database, String name, long nowMs) {
    inScope(
        name,
        nowMs,
        () -> {
          var _ = scope.read(database, key);
        });
  }

  static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    for (int database = 0; database < keyspace.databases(); database++) {
      flush(database);
    }
    pool.close();
  }
}
