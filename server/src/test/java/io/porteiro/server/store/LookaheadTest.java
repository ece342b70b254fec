package io.porteiro.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.structure.string.StringValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LookaheadTest {
  private static final int KEYS = 5_000;

  /** Keys k0 to k4999, whose values are numbers of their own, which is what is read of them. */
  private static List<Key> fill(KeyspaceFixture fixture, int database, int keys) {
    List<Key> all = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      Key key = fixture.key("k" + i);
      put(fixture.scope(), fixture, database, key, 1_000_000_000L + i);
      all.add(key);
    }
    return all;
  }

  private static void put(
      ShardScope scope, KeyspaceFixture fixture, int database, Key key, long number) {
    byte[] text = Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
    scope.name(key, true);
    scope.open(KeyspaceFixture.NOW_MS);
    scope.create(database, key, StringValue.copyOf(fixture.pool, text));
    scope.close();
  }

  private static long readOf(Lookahead lookahead, int database, Key... keys) {
    for (Key key : keys) {
      lookahead.name(key.address(), key.length());
    }
    lookahead.fetch(database);
    return lookahead.lastRead();
  }

  @Test
  void fetch_readsTheValuesOfTheKeysNamed() {
    try (KeyspaceFixture fixture = new KeyspaceFixture()) {
      List<Key> keys = fill(fixture, 1, KEYS);
      Lookahead lookahead = new Lookahead(fixture.keyspace, 64);
      int read = 0;
      for (int i = 0; i < KEYS; i++) {
        read +=
            readOf(lookahead, 1, keys.get(i)) == keys.get(i).length() + 1_000_000_000L + i ? 1 : 0;
      }
      // All but those that lie further than one slot behind their home.
      assertThat(read).isBetween(KEYS * 85 / 100, KEYS);
    }
  }

  @Test
  void fetch_readsAllOfSeveral_andForgetsThem() {
    try (KeyspaceFixture fixture = new KeyspaceFixture()) {
      List<Key> keys = fill(fixture, 0, KEYS);
      Lookahead lookahead = new Lookahead(fixture.keyspace, 64);
      long sum = 0;
      for (Key key : keys.subList(100, 164)) {
        sum += readOf(lookahead, 0, key);
      }
      assertThat(readOf(lookahead, 0, keys.subList(100, 164).toArray(Key[]::new))).isEqualTo(sum);
      assertThat(readOf(lookahead, 0)).isZero();
    }
  }

  @Test
  void name_sameKeyInARow_isReadOnce() {
    try (KeyspaceFixture fixture = new KeyspaceFixture()) {
      List<Key> keys = fill(fixture, 0, KEYS);
      Lookahead lookahead = new Lookahead(fixture.keyspace, 2);
      Key first = keys.getFirst();
      long once = readOf(lookahead, 0, first);

      Key same = fixture.key("k0");
      Key other = keys.get(1);
      assertThat(readOf(lookahead, 0, first, same)).isEqualTo(once);
      assertThat(readOf(lookahead, 0, first, same, other)).isNotEqualTo(once);
    }
  }

  @Test
  void fetch_inAnEmptyDatabase_readsNothing() {
    try (KeyspaceFixture fixture = new KeyspaceFixture()) {
      Key key = fill(fixture, 0, KEYS).getFirst();
      Lookahead lookahead = new Lookahead(fixture.keyspace, 1);

      assertThat(readOf(lookahead, 2, key)).isZero();
    }
  }

  @Test
  void pays_inLargeDatabasesOnly() {
    try (KeyspaceFixture fixture = new KeyspaceFixture()) {
      fill(fixture, 0, 10);
      fill(fixture, 1, KEYS);
      Lookahead lookahead = new Lookahead(fixture.keyspace, 1);

      assertThat(lookahead.pays(0)).isFalse();
      assertThat(lookahead.pays(1)).isTrue();
    }
  }

  /** Tables grow, shrink, are emptied and exchanged under its eyes. */
  @Test
  void fetch_whileEverythingChanges_doesNotFail() throws InterruptedException {
    try (KeyspaceFixture fixture = new KeyspaceFixture()) {
      List<Key> keys = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        keys.add(fixture.key("k" + i));
      }
      AtomicBoolean changing = new AtomicBoolean(true);
      List<Throwable> failures = new ArrayList<>();
      Thread looking =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, failure) -> failures.add(failure))
              .start(() -> lookWhile(changing, fixture, keys));
      try {
        changeAll(fixture, keys);
      } finally {
        changing.set(false);
        looking.join();
      }
      assertThat(failures).isEmpty();
    }
  }

  private static void changeAll(KeyspaceFixture fixture, List<Key> keys) {
    Random random = new Random(20_261_201);
    ShardScope scope = fixture.scope();
    for (int round = 0; round < 20; round++) {
      for (Key key : keys) {
        put(scope, fixture, 0, key, random.nextInt());
      }
      scope.nameAll(true);
      scope.open(KeyspaceFixture.NOW_MS);
      scope.swap(0, 1);
      if (round % 2 == 0) {
        scope.flush(1);
      } else {
        keys.forEach(key -> delete(scope, key));
      }
      scope.close();
    }
  }

  private static void delete(ShardScope scope, Key key) {
    Entry entry = scope.forWrite(1, key);
    if (entry != null) {
      scope.delete(1, entry);
    }
  }

  private static void lookWhile(AtomicBoolean changing, KeyspaceFixture fixture, List<Key> keys) {
    Lookahead lookahead = new Lookahead(fixture.keyspace, 64);
    Random random = new Random(1);
    while (changing.get()) {
      for (int i = 0; i < 64; i++) {
        Key key = keys.get(random.nextInt(keys.size()));
        lookahead.name(key.address(), key.length());
      }
      lookahead.fetch(random.nextInt(2));
    }
  }
}
