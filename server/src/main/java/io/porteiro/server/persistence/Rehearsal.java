package io.porteiro.server.persistence;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.memory.SnapshotMemory;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.ShardScope;
import io.porteiro.server.store.SilentListener;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.string.StringValue;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Some small snapshots of a keyspace of its own, to no file, while a writer changes it; soon after
 * the start, on threads of its own.
 *
 * <p>The virtual machine compiles those ways through the code that it has seen taken, and throws
 * the code away when another is. What a writer does only while a snapshot runs (an entry captured,
 * a bit noted, a lock found held) it would see for the first time in the first save under load, and
 * all that adds to filters would be interpreted until it is compiled again, several times over,
 * while clients wait. Profiles are kept per method, whoever calls it; so it is enough that both
 * ways have been seen.
 */
public final class Rehearsal {
  private static final Logger log = LoggerFactory.getLogger(Rehearsal.class);

  /** The start is over then, and whoever waited for it has been answered. */
  private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * A method is profiled after 600 calls (200, CompileThresholdScaling 3), so together these must
   * be some thousand changes, and fewer than the 15,000 after which it is compiled for good: the
   * profile must have the clients' load, too.
   */
  static final int ROUNDS = 40;

  private static final int CHANGES_IN_SNAPSHOT = 100;
  private static final int CHANGES_BETWEEN = 50;

  /** Rests between some changes let a snapshot of a millisecond meet changes at all its stages. */
  private static final int CHANGES_PER_REST = 5;

  private static final long REST_NANOS = 10_000;
  private static final long ROUND_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long POOL_BYTES = 64L << 20;

  /** 120 KB: too large for an entry that is captured by packing it. */
  private static final long CAPACITY = 100_000;

  private static final double ERROR_RATE = 0.01;
  private static final int BATCH = 8;

  private final MemoryPool pool;
  private final Keyspace keyspace;
  private final Key filter;
  private final Key string;
  private final SplittableRandom random = new SplittableRandom(1);

  /**
   * @param names bytes for the names of two keys
   */
  private Rehearsal(MemoryPool pool, Block names) {
    this.pool = pool;
    this.keyspace = new Keyspace(pool, 1, 0);
    this.filter = key(names.address(), 'f');
    this.string = key(names.address() + 1, 's');
  }

  /** Begins on a thread of its own, which ends by itself. */
  public static void begin() {
    Thread.ofPlatform().daemon().name("rehearsal").start(Rehearsal::run);
  }

  private static void run() {
    LockSupport.parkNanos(DELAY_NANOS);
    try (MemoryPool pool = new MemoryPool(POOL_BYTES)) {
      var _ = perform(pool);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      log.warn("Clients may wait for the first save: it could not be rehearsed", e);
    }
  }

  /**
   * All of it, on the calling thread and one more at a time. What it took from the pool is free
   * again when this returns.
   *
   * @return how many snapshots were made
   */
  static long perform(MemoryPool pool) throws IOException, InterruptedException {
    Block names = pool.allocate(2);
    try {
      Rehearsal rehearsal = new Rehearsal(pool, names);
      rehearsal.play();
      return rehearsal.keyspace.epoch();
    } finally {
      names.release();
      awaitFreeing(pool);
    }
  }

  /** Memory is freed in turn, so what was to be freed before is free by then. */
  private static void awaitFreeing(MemoryPool pool) throws InterruptedException {
    CountDownLatch freed = new CountDownLatch(1);
    pool.freeLater(0, freed::countDown);
    freed.await();
  }

  private Key key(long address, char name) {
    OffHeap.putByte(address, (byte) name);
    Key key = new Key();
    key.set(keyspace, address, 1);
    return key;
  }

  private void play() throws IOException, InterruptedException {
    ShardScope scope = new ShardScope(keyspace, SilentListener.INSTANCE);
    try {
      create(scope);
      playRounds();
    } finally {
      delete(scope);
    }
  }

  private void create(ShardScope scope) {
    scope.nameAll(true);
    scope.open(0);
    try {
      scope.create(0, filter, BloomFilter.create(pool, CAPACITY, ERROR_RATE, 0, true));
      scope.create(0, string, text());
    } finally {
      scope.close();
    }
  }

  private void delete(ShardScope scope) {
    scope.nameAll(true);
    scope.open(0);
    try {
      delete(scope, filter);
      delete(scope, string);
    } finally {
      scope.close();
    }
  }

  private static void delete(ShardScope scope, Key key) {
    Entry entry = scope.forWrite(0, key);
    if (entry != null) {
      scope.delete(0, entry);
    }
  }

  private void playRounds() throws IOException, InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      Thread writer = Thread.ofPlatform().daemon().start(() -> change(CHANGES_IN_SNAPSHOT));
      try {
        snapshot();
      } finally {
        writer.join();
      }
      change(CHANGES_BETWEEN);
      LockSupport.parkNanos(ROUND_REST_NANOS);
    }
  }

  private void snapshot() throws IOException {
    SnapshotMemory memory = new SnapshotMemory(pool, POOL_BYTES);
    SnapshotWriter.Options options = new SnapshotWriter.Options(true, true, 0, false, false);
    SaveProgress progress = new SaveProgress(0, 0, 0);
    SnapshotWriter.write(keyspace, pool, memory, (_, _) -> {}, options, progress, () -> {});
  }

  private StringValue text() {
    return StringValue.textOf(pool, "value".getBytes(ISO_8859_1));
  }

  private void change(int times) {
    ShardScope scope = new ShardScope(keyspace, SilentListener.INSTANCE);
    for (int i = 0; i < times; i++) {
      add(scope, i % BATCH == 0 ? BATCH : 1);
      replace(scope);
      if (i % CHANGES_PER_REST == 0) {
        LockSupport.parkNanos(REST_NANOS);
      }
    }
  }

  /** As a run of commands does: looks under the read lock, and changes under the write lock. */
  private void add(ShardScope scope, int items) {
    long[] hashes = new long[2 * items];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = random.nextLong();
    }
    scope.name(filter, false);
    scope.open(0);
    try {
      scope.upgrade(filter);
      Entry entry = scope.forWrite(0, filter);
      if (entry != null && entry.value() instanceof BloomFilter bloom) {
        add(bloom, hashes, items);
      }
    } finally {
      scope.close();
    }
  }

  private static void add(BloomFilter bloom, long[] hashes, int items) {
    if (items == 1) {
      bloom.add(hashes[0], hashes[1]);
    } else {
      bloom.addAll(hashes, 0, items);
    }
  }

  private void replace(ShardScope scope) {
    scope.name(string, true);
    scope.open(0);
    try {
      Entry entry = scope.forWrite(0, string);
      if (entry != null) {
        scope.replace(0, entry, text());
      }
    } finally {
      scope.close();
    }
  }
}
