package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.conformance.Notation;
import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The same access rules, right ones and wrong ones, given to this server and to a real Redis: the
 * same errors, the same users, and the same commands permitted. Found here and not in a list: how
 * rules work together.
 */
class AclDifferenceIT {
  private static final int ROUNDS = 300;
  private static final int RULES_PER_USER = 12;
  private static final int TRIALS_PER_USER = 20;

  /** Only commands and categories that both servers have. */
  private static final List<String> RULES =
      List.of(
          "on",
          "off",
          "nopass",
          "resetpass",
          ">pw",
          ">other",
          "<pw",
          "ON",
          "",
          "#2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
          "!2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
          "#123",
          "!x",
          "allkeys",
          "resetkeys",
          "~*",
          "~a*",
          "~b",
          "%R~a*",
          "%W~a*",
          "%RW~c?",
          "%wr~[de]",
          "%R~*",
          "~",
          "%~a",
          "%Q~a",
          "%RR~a",
          "~a b",
          "allchannels",
          "resetchannels",
          "&*",
          "&n*",
          "&m",
          "&",
          "&a b",
          "allcommands",
          "nocommands",
          "+@all",
          "-@all",
          "+@read",
          "-@read",
          "+@write",
          "-@write",
          "+@slow",
          "-@slow",
          "+@fast",
          "-@fast",
          "+@dangerous",
          "-@dangerous",
          "+@admin",
          "-@admin",
          "+@string",
          "+@hyperloglog",
          "-@hyperloglog",
          "+@pubsub",
          "-@pubsub",
          "+@connection",
          "+@transaction",
          "-@keyspace",
          "+@nosuch",
          "+get",
          "-get",
          "+GET",
          "+set",
          "-set",
          "+del",
          "+mset",
          "+copy",
          "+rename",
          "+config",
          "-config",
          "+config|get",
          "-config|get",
          "+config|set",
          "+client",
          "-client|kill",
          "+acl|whoami",
          "+select|1",
          "+select|2",
          "-select",
          "+nosuch",
          "+lpush",
          "-eval",
          "+cluster|info",
          "-cluster",
          "+eval|x",
          "+cluster|nosuch",
          "-nosuch",
          "+config|nosuch",
          "+config|",
          "+config|get|x",
          "+get|x",
          "-get|x",
          "+",
          "-",
          "foo",
          "(+get ~a*)",
          "(%R~b +@read)",
          "(+@all -@write ~* &n*)",
          "(+publish &m)",
          "(foo)",
          "(+nosuch)",
          "(on)",
          ")",
          "()",
          "clearselectors",
          "reset",
          "sanitize-payload",
          "skip-sanitize-payload");

  private static final List<String> COMMANDS =
      List.of(
          "get a1",
          "get b",
          "get z",
          "set a1 x",
          "set c1 x get",
          "set d x",
          "mget a1 b d",
          "mset a1 x c1 y",
          "del a1 c1",
          "exists a1 z",
          "copy a1 c1",
          "copy c1 a1",
          "rename a1 d",
          "renamenx c1 e",
          "restore a1 0 x",
          "dump d",
          "pfadd a1 x",
          "pfcount a1 c1",
          "pfmerge c1 a1",
          "expire a1 1",
          "ttl b",
          "object encoding a1",
          "memory usage b",
          "publish n1 x",
          "publish m x",
          "spublish n1 x",
          "subscribe n1 m",
          "psubscribe n*",
          "psubscribe n1",
          "ssubscribe n1",
          "unsubscribe x",
          "config get x",
          "config set a b",
          "config rewrite",
          "client list",
          "client kill x",
          "client id",
          "acl whoami",
          "acl list",
          "select 1",
          "select 2",
          "select 3",
          "multi",
          "exec",
          "watch a1",
          "ping",
          "keys *",
          "flushall",
          "auth x",
          "hello",
          "save",
          "debug sleep 0",
          "command getkeys get z",
          "get",
          "nosuch x",
          "config nosuch",
          "getex a1",
          "getdel c1",
          "setrange a1 0 x",
          "incr a1");

  private final SplittableRandom random =
      new SplittableRandom(Long.getLong("porteiro.fuzz.seed", 20261130));
  private final List<String> history = new ArrayList<>();
  private final RedisProcess redis = RedisProcess.started();
  private final ServerProcess server = ServerProcess.started();
  private final RawConnection theirs = redis.connect();
  private final RawConnection ours = server.connect();

  @AfterEach
  void stop() {
    theirs.close();
    ours.close();
    redis.close();
    server.close();
  }

  @Test
  void rules_onBothServers_giveTheSameUsersAndRights() {
    for (int round = 0; round < ROUNDS; round++) {
      history.clear();
      both("ACL", "SETUSER", "u", "reset");
      for (int i = 0; i < RULES_PER_USER; i++) {
        both("ACL", "SETUSER", "u", pick(RULES));
      }
      assertSameUser();
      for (int i = 0; i < TRIALS_PER_USER; i++) {
        String[] trial = ("ACL DRYRUN u " + pick(COMMANDS)).split(" ", -1);
        both(trial);
      }
    }
  }

  private String pick(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private void both(String... command) {
    history.add(String.join(" ", command));
    assertThat(text(ours.call(command)))
        .as("after %s", history)
        .isEqualTo(text(theirs.call(command)));
  }

  /** Redis 7.0 did not name the user yet. */
  private static String text(Reply reply) {
    return String.join("\n", Notation.lines(reply)).replace("User u has no", "This user has no");
  }

  /**
   * Redis 7.0 tells the shortest command rules that it finds, later ones the rules in their order.
   * So ours are given to it: they must mean the same to it as the rules that they came from.
   */
  private void assertSameUser() {
    String mine = user(ours, "u");
    String[] rules = mine.split(" ", -1);
    Reply taken = theirs.call(setUser("copy", rules));
    assertThat(taken).as("%s after %s", mine, history).isEqualTo(new Reply.Simple("OK"));
    assertThat(user(theirs, "copy")).as("after %s", history).isEqualTo(user(theirs, "u"));
  }

  private static String[] setUser(String name, String[] rules) {
    return Stream.concat(Stream.of("ACL", "SETUSER", name, "reset"), Stream.of(rules))
        .toArray(String[]::new);
  }

  /** The rules of a user, as ACL LIST has them. */
  private static String user(RawConnection connection, String name) {
    String start = "user " + name + " ";
    for (Reply line : connection.call("ACL", "LIST").asList()) {
      if (line instanceof Reply.Bulk(String text) && text.startsWith(start)) {
        return text.substring(start.length());
      }
    }
    throw new AssertionError("no user " + name);
  }
}
