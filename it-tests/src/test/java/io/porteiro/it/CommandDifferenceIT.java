package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.commands.CommandCatalogue;
import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** COMMAND and COMMAND DOCS tell of each command what a real Redis 7.0 tells. */
class CommandDifferenceIT {
  private static final String COMPARED_VERSION = "redis_version:7.0.";

  /** Where a newer Redis says something else, which the conformance corpus has. */
  private static final Set<String> NEWER =
      Set.of(
          "acl|cat arguments",
          "client|setname tips",
          "command|getkeys arity",
          "command|getkeysandflags arity",
          "config|resetstat tips",
          "config|rewrite tips",
          "latency|reset tips",
          "msetnx tips",
          "randomkey tips",
          "scan tips",
          "wait flags",
          "wait categories");

  @Test
  void commands_knownToBoth_areDescribedAlike() {
    try (RedisProcess redis = RedisProcess.started();
        ServerProcess ours = ServerProcess.started();
        RawConnection theirs = redis.connect();
        RawConnection mine = ours.connect()) {
      Assumptions.assumeTrue(
          theirs.call("INFO", "server").asBytes().contains(COMPARED_VERSION),
          "the Redis here is not the one that is compared with: " + COMPARED_VERSION);
      Map<String, String> differences =
          differences(CommandCatalogue.of(theirs), CommandCatalogue.of(mine));
      assertThat(differences).containsOnlyKeys(NEWER);
    }
  }

  private static Map<String, String> differences(CommandCatalogue theirs, CommandCatalogue ours) {
    Map<String, String> differences = new TreeMap<>();
    for (String name : ours.names()) {
      if (theirs.names().contains(name)) {
        compare(name, theirs.of(name), ours.of(name), differences);
      }
    }
    return differences;
  }

  private static void compare(
      String name,
      Map<String, Object> theirs,
      Map<String, Object> ours,
      Map<String, String> differences) {
    Set<String> fields = new TreeSet<>(theirs.keySet());
    fields.addAll(ours.keySet());
    for (String field : fields) {
      if (!Objects.equals(theirs.get(field), ours.get(field))) {
        differences.put(
            name + " " + field, "Redis " + theirs.get(field) + ", ours " + ours.get(field));
      }
    }
  }
}
