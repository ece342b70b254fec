package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.porteiro.it.conformance.Notation;
import io.porteiro.it.fuzz.RandomCommands;
import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The same random commands to this server and to a real Redis get the same answers and leave the
 * same keys. Found here and not in the corpus: what nobody thought of writing down.
 */
class RedisDifferenceIT {
  private static final int COMMANDS = 20_000;

  /** Deterministic commands: no time to live, no order of keys, nothing that names the server. */
  private static final List<String> NAMES =
      List.of(
          "PFADD",
          "PFADD",
          "PFCOUNT",
          "PFMERGE",
          "PFDEBUG GETREG",
          "PFDEBUG DECODE",
          "PFDEBUG ENCODING",
          "PFDEBUG TODENSE",
          "SET",
          "SET",
          "GET",
          "GETSET",
          "GETDEL",
          "GETEX",
          "SETNX",
          "SETEX",
          "PSETEX",
          "MGET",
          "MSET",
          "MSETNX",
          "STRLEN",
          "APPEND",
          "GETRANGE",
          "SETRANGE",
          "INCR",
          "INCRBY",
          "DECR",
          "DECRBY",
          "INCRBYFLOAT",
          "DEL",
          "UNLINK",
          "EXISTS",
          "TYPE",
          "TOUCH",
          "EXPIRE",
          "PEXPIRE",
          "EXPIREAT",
          "PEXPIREAT",
          "EXPIRETIME",
          "PEXPIRETIME",
          "PERSIST",
          "RENAME",
          "RENAMENX",
          "COPY",
          "MOVE",
          "DBSIZE",
          "OBJECT ENCODING",
          "OBJECT REFCOUNT",
          "PING",
          "ECHO",
          "NOSUCH");

  private static final Set<String> RELATIVE =
      Set.of("EXPIRE", "PEXPIRE", "SETEX", "PSETEX", "EX", "PX");
  private static final Set<String> SOON = Set.of("1", "2", "10", "100");
  private static final long CLOCK_TOLERANCE_MS = 5000;

  private final long seed = Long.getLong("porteiro.fuzz.seed", 20261130);

  @Test
  void randomCommands_onBothServers_areAnsweredAlike() {
    RandomCommands commands = new RandomCommands(new SplittableRandom(seed), NAMES);
    List<String> sent = new ArrayList<>();
    try (RedisProcess redis = RedisProcess.started();
        ServerProcess ours = ServerProcess.started();
        RawConnection theirs = redis.connect();
        RawConnection mine = ours.connect()) {
      for (int i = 0; i < COMMANDS; i++) {
        String[] command = commands.next();
        sent.add(Arrays.toString(command));
        if (!differsByVersion(command) && !expiresSoon(command)) {
          assertAlike(mine.call(command), theirs.call(command), sent);
        }
      }
      assertThat(content(mine)).as("seed %d", seed).isEqualTo(content(theirs));
    }
  }

  private void assertAlike(Reply mine, Reply theirs, List<String> sent) {
    if (isTime(mine) && isTime(theirs) && sent.getLast().contains("EXPIRETIME")) {
      assertThat(mine.asLong()).isCloseTo(theirs.asLong(), within(CLOCK_TOLERANCE_MS));
      return;
    }
    assertThat(Notation.lines(mine))
        .as("seed %d, after %s", seed, sent.subList(Math.max(0, sent.size() - 8), sent.size()))
        .isEqualTo(Notation.lines(theirs));
  }

  /** A point in time: computed from two clocks readings where the expiry was relative. */
  private static boolean isTime(Reply reply) {
    return reply instanceof Reply.Int(long value) && value > 0;
  }

  /** Where Redis 7.0 differs from the Redis that we answer like. */
  private static boolean differsByVersion(String[] command) {
    return command[0].equals("GETRANGE")
        && Arrays.stream(command).anyMatch(word -> word.startsWith("-"));
  }

  /** Sets an expiry that may come on one server and not yet on the other. */
  private static boolean expiresSoon(String[] command) {
    List<String> words = Arrays.asList(command);
    return !Collections.disjoint(words, RELATIVE) && !Collections.disjoint(words, SOON);
  }

  private static List<String> content(RawConnection connection) {
    List<String> content = new ArrayList<>();
    for (Reply key : connection.call("KEYS", "*").asList()) {
      content.add(key + "=" + connection.call("GET", key.asBytes()));
    }
    return content.stream().sorted().toList();
  }
}
