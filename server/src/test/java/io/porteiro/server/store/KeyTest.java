package io.porteiro.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.MemoryPool;
import org.junit.jupiter.api.Test;

class KeyTest {
  @Test
  void keys_ofEqualBytes_matchAndHashAlikeInOneKeyspace() {
    try (KeyspaceFixture fixture = new KeyspaceFixture()) {
      Key key = fixture.key("some key");
      Key same = fixture.key("some key");
      Key other = fixture.key("some kez");
      Key longer = fixture.key("some key ");

      assertThat(key.hash()).isEqualTo(same.hash()).isNotEqualTo(other.hash());
      assertThat(key.matches(same.address(), same.length())).isTrue();
      assertThat(key.matches(other.address(), other.length())).isFalse();
      assertThat(key.matches(longer.address(), longer.length())).isFalse();
      assertThat(key.matches(same.bytes())).isTrue();
      assertThat(key.matches(other.bytes())).isFalse();
      assertThat(key.matches(longer.bytes())).isFalse();
    }
  }

  /** Of every length, and different in every place: keys are compared and hashed by words. */
  @Test
  void keys_thatDifferInOneByte_areNotTheSame() {
    String name = "abcdefghijklmnopqrstuvwxyz";
    try (KeyspaceFixture fixture = new KeyspaceFixture()) {
      for (int length = 1; length <= name.length(); length++) {
        Key key = fixture.key(name.substring(0, length));
        Key same = fixture.key(name.substring(0, length));
        assertThat(key.hash()).isEqualTo(same.hash());
        assertThat(key.matches(same.address(), length) && key.matches(same.bytes())).isTrue();
        for (int i = 0; i < length; i++) {
          Key other = fixture.key(name.substring(0, i) + "!" + name.substring(i + 1, length));
          assertThat(key.hash()).as("%d of %d", i, length).isNotEqualTo(other.hash());
          assertThat(key.matches(other.address(), length)).as("%d of %d", i, length).isFalse();
          assertThat(key.matches(other.bytes())).as("%d of %d", i, length).isFalse();
        }
      }
    }
  }

  @Test
  void hashes_dependOnTheSeed() {
    try (KeyspaceFixture fixture = new KeyspaceFixture();
        MemoryPool pool = new MemoryPool(1000)) {
      Key key = fixture.key("k");
      Key elsewhere = new Key();
      elsewhere.set(new Keyspace(pool, 1, 8), key.address(), key.length());

      assertThat(elsewhere.hash()).isNotEqualTo(key.hash());
    }
  }

  @Test
  void keys_spreadOverAllShards() {
    try (KeyspaceFixture fixture = new KeyspaceFixture()) {
      int[] counts = new int[Keyspace.SHARDS];
      for (int i = 0; i < 25_600; i++) {
        counts[fixture.shardIndex(fixture.key("user:" + i))]++;
      }
      assertThat(counts)
          .as("100 expected each")
          .satisfies(c -> {
            for (int count : c) {
              assertThat(count).isBetween(50, 160);
            }
          });
    }
  }
}
