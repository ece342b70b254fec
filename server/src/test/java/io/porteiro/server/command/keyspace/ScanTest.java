package io.porteiro.server.command.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.config.ConfigException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScanTest {
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");

  private final KeyspaceServer server = new KeyspaceServer();

  ScanTest() throws ConfigException {}

  @AfterEach
  void close() {
    server.close();
  }

  /** The answer to one call: the cursor, then the keys. */
  private List<String> scan(Object... arguments) {
    List<Object> words = new ArrayList<>(List.of("SCAN"));
    words.addAll(List.of(arguments));
    String reply = server.call(words.toArray());
    assertThat(reply).startsWith("[\"");
    return QUOTED.matcher(reply).results().map((MatchResult found) -> found.group(1)).toList();
  }

  private void setKeys(int count) {
    for (int i = 0; i < count; i++) {
      server.call("SET", "key:" + i, "v");
    }
  }

  @Test
  void scan_ofFewKeys_isOneCall() {
    setKeys(3);
    assertThat(scan("0")).hasSize(4).startsWith("0").contains("key:0", "key:1", "key:2");
    assertThat(scan("0", "COUNT", "3")).startsWith("0").hasSize(4);
  }

  @Test
  void scan_ofNothing_isOneCall() {
    assertThat(scan("0")).containsExactly("0");
  }

  @Test
  void scan_inSmallSteps_returnsEachKeyOnceWhileNothingChanges() {
    setKeys(1000);
    List<String> found = new ArrayList<>();
    String cursor = "0";
    int calls = 0;
    do {
      List<String> answer = scan(cursor, "COUNT", "7");
      cursor = answer.getFirst();
      found.addAll(answer.subList(1, answer.size()));
      calls++;
    } while (!cursor.equals("0"));
    assertThat(found).hasSize(1000).doesNotHaveDuplicates();
    assertThat(calls).isBetween(90, 144);
  }

  /** One call may end only for COUNT keys or ten times as many buckets, matching or not. */
  @Test
  void scan_withPattern_countsKeysThatDoNotMatch() {
    setKeys(1000);
    int calls = 0;
    String cursor = "0";
    do {
      cursor = scan(cursor, "COUNT", "100", "MATCH", "nothing").getFirst();
      calls++;
    } while (!cursor.equals("0"));
    assertThat(calls).isBetween(8, 11);
  }

  @Test
  void scan_withCountAboveAll_isOneCall() {
    setKeys(1000);
    assertThat(scan("0", "COUNT", "1001")).hasSize(1001).startsWith("0");
    assertThat(scan("0", "COUNT", Long.MAX_VALUE)).hasSize(1001).startsWith("0");
  }

  @Test
  void scan_inManySteps_sparseKeysCostNothing() {
    server.call("SET", "only", "v");
    assertThat(scan("0", "COUNT", "1")).containsExactly("0", "only");
  }

  /** The guarantee: whatever others add and remove meanwhile, keys that stay are returned. */
  @Test
  void scan_whileTablesGrowAndShrink_returnsAllKeysPresentThroughout() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 5; round++) {
      server.call("FLUSHALL");
      setKeys(500);
      Set<String> found = scanAmidChanges(random);
      for (int i = 0; i < 500; i++) {
        assertThat(found).as("seed %d, round %d", seed, round).contains("key:" + i);
      }
    }
  }

  private Set<String> scanAmidChanges(Random random) {
    Set<String> found = new HashSet<>();
    String cursor = "0";
    int others = 0;
    do {
      List<String> answer = scan(cursor, "COUNT", 1 + random.nextInt(20));
      cursor = answer.getFirst();
      found.addAll(answer.subList(1, answer.size()));
      if (random.nextInt(10) == 0) {
        removeOthers(others);
        others = 0;
      } else {
        others = addOthers(others, random.nextInt(400));
      }
    } while (!cursor.equals("0"));
    removeOthers(others);
    return found;
  }

  private int addOthers(int from, int count) {
    for (int i = from; i < from + count; i++) {
      server.call("SET", "other:" + i, "v");
    }
    return from + count;
  }

  private void removeOthers(int count) {
    if (count > 0) {
      List<Object> command = new ArrayList<>(List.of("DEL"));
      IntStream.range(0, count).forEach(i -> command.add("other:" + i));
      server.call(command.toArray());
    }
  }

  @Test
  void scan_withType_returnsKeysOfThatType() {
    server.call("SET", "s", "v");
    server.call("BF.ADD", "b", "x");
    assertThat(scan("0", "TYPE", "STRING")).containsExactly("0", "s");
    assertThat(scan("0", "TYPE", "mbbloom--")).containsExactly("0", "b");
    assertThat(scan("0", "TYPE", "zset")).containsExactly("0");
    assertThat(server.call("SCAN", "0", "TYPE", "foo")).isEqualTo("-ERR unknown type name 'foo'");
  }

  @Test
  void scan_optionGivenTwice_theLastCounts() {
    setKeys(3);
    assertThat(scan("0", "match", "nothing", "Match", "key:1", "count", "1", "count", "50"))
        .containsExactly("0", "key:1");
    assertThat(scan("0", "MATCH", "nothing", "MATCH", "*")).hasSize(4);
  }

  @Test
  void scan_leavesOutKeysPastTheirTime() {
    setKeys(2);
    server.call("PEXPIRE", "key:0", "10");
    server.harness.clock().advance(11);
    assertThat(scan("0")).containsExactly("0", "key:1");
  }

  @ParameterizedTest
  @CsvSource({"18446744073709551615", "255", "+7", "007", "99999999999", "4294967040"})
  void scan_fromAnInventedCursor_answersAndEnds(String invented) {
    setKeys(300);
    String cursor = invented;
    for (int i = 0; i < 301 && !cursor.equals("0"); i++) {
      cursor = scan(cursor).getFirst();
    }
    assertThat(cursor).isEqualTo("0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "SCAN abc|-ERR invalid cursor",
        "SCAN -1|-ERR invalid cursor",
        "'SCAN '|-ERR invalid cursor",
        "SCAN 1.5|-ERR invalid cursor",
        "SCAN 18446744073709551616|-ERR invalid cursor",
        "SCAN 0x10|-ERR invalid cursor",
        "SCAN abc FOO|-ERR invalid cursor",
        "SCAN 0 MATCH|-ERR syntax error",
        "SCAN 0 FOO|-ERR syntax error",
        "SCAN 0 FOO bar|-ERR syntax error",
        "SCAN 0 COUNT 0|-ERR syntax error",
        "SCAN 0 COUNT -1|-ERR syntax error",
        "SCAN 0 COUNT 5 MATCH|-ERR syntax error",
        "SCAN 0 COUNT abc|-ERR value is not an integer or out of range",
      })
  void scan_withWrongArguments_isRefused(String command, String error) {
    assertThat(server.client.batch(command)).containsExactly(error);
  }

  @Test
  void scan_withGiantCursor_isRefused() {
    assertThat(server.call("SCAN", "0".repeat(1 << 20))).isEqualTo("-ERR invalid cursor");
  }
}
