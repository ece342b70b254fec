package io.porteiro.server.command.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.config.ConfigException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IterationCommandsTest {
  private final KeyspaceServer server = new KeyspaceServer();

  IterationCommandsTest() throws ConfigException {}

  @AfterEach
  void close() {
    server.close();
  }

  private Set<String> keys(String pattern) {
    String reply = server.call("KEYS", pattern);
    String inside = reply.substring(1, reply.length() - 1);
    return inside.isEmpty() ? Set.of() : new TreeSet<>(Set.of(inside.split(" ")));
  }

  @Test
  void keys_answersThoseThatMatch() {
    for (String key : new String[] {"one", "two", "three", ""}) {
      server.call("SET", key, "v");
    }
    assertThat(keys("*")).containsExactly("\"\"", "\"one\"", "\"three\"", "\"two\"");
    assertThat(keys("t*")).containsExactly("\"three\"", "\"two\"");
    assertThat(keys("t??")).containsExactly("\"two\"");
    assertThat(keys("**")).containsExactly("\"one\"", "\"three\"", "\"two\"");
    assertThat(keys("nothing")).isEmpty();
    assertThat(keys("")).containsExactly("\"\"");
  }

  @Test
  void keys_leavesOutThosePastTheirTimeAndOtherDatabases() {
    server.call("SET", "a", "v");
    server.call("SET", "b", "v");
    server.clientOf(1).call("SET", "c", "v");
    server.call("PEXPIRE", "a", "10");
    server.harness.clock().advance(11);
    assertThat(keys("*")).containsExactly("\"b\"");
  }

  /** Longer than what a request may hold in the inbound buffer: read where it lies. */
  @Test
  void keys_withGiantPattern_answers() {
    server.call("SET", "x".repeat(200_000), "v");
    assertThat(keys("x".repeat(199_999) + "[wx]")).hasSize(1);
    assertThat(keys("x".repeat(199_999) + "[wy]")).isEmpty();
  }

  @Test
  void keys_inTransaction_seesItsChanges() {
    assertThat(server.client.batch("MULTI", "SET a 1", "KEYS *", "SCAN 0", "RANDOMKEY", "EXEC"))
        .endsWith("[+OK [\"a\"] [\"0\" [\"a\"]] \"a\"]");
  }

  @Test
  void randomkey_ofEmptyDatabase_isNull() {
    assertThat(server.call("RANDOMKEY")).isEqualTo("nil");
  }

  /** With 20 keys and 4000 draws, each is drawn 200 times on average, with a deviation of 14. */
  @Test
  void randomkey_drawsAllKeysAlike() {
    int[] drawn = new int[20];
    for (int i = 0; i < drawn.length; i++) {
      server.call("SET", "key:" + i, "v");
    }
    for (int i = 0; i < 200 * drawn.length; i++) {
      drawn[Integer.parseInt(server.call("RANDOMKEY").replaceAll("\\D", ""))]++;
    }
    assertThat(drawn)
        .as("100 is 7 deviations away")
        .satisfies(counts -> {
          for (int count : counts) {
            assertThat(count).isBetween(100, 300);
          }
        });
  }

  @Test
  void randomkey_amongManyPastTheirTime_findsTheOneThatIsNot() {
    for (int i = 0; i < 2000; i++) {
      server.call("SET", "dead:" + i, "v");
      server.call("PEXPIRE", "dead:" + i, "10");
    }
    server.call("SET", "alive", "v");
    server.harness.clock().advance(11);
    assertThat(server.call("RANDOMKEY")).isEqualTo("\"alive\"");
    server.call("DEL", "alive");
    assertThat(server.call("RANDOMKEY")).isEqualTo("nil");
  }

  @Test
  void dbsize_countsTheSelectedDatabase() {
    server.call("SET", "a", "v");
    assertThat(server.call("DBSIZE")).isEqualTo(":1");
    assertThat(server.clientOf(1).call("DBSIZE")).isEqualTo(":0");
  }
}
