package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.commands.CommandCatalogue;
import io.porteiro.it.commands.Invocations;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What COMMAND and COMMAND DOCS say that a command takes is what it takes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandArgumentsIT {
  /** Ends the server; CLIENT REPLY OFF is not answered. */
  private static final Set<String> NOT_SENT = Set.of("shutdown", "client|reply");

  /** They take more than COMMAND DOCS tells of them, in Redis too. */
  private static final Set<String> UNDESCRIBED =
      Set.of("command", "command|getkeys", "command|getkeysandflags", "debug", "pfdebug");

  /** Redis describes a source key of PFMERGE as needed, and does without. */
  private static final Set<String> NEEDS_LESS = Set.of("pfmerge");

  /** Ignore what they do not know, as in Redis and its Bloom module. */
  private static final Set<String> IGNORE_MORE = Set.of("bf.reserve", "lolwut", "quit");

  private final ServerProcess server = ServerProcess.prepared();
  private CommandCatalogue commands;

  @BeforeAll
  void start() {
    server.start();
    try (RawConnection connection = server.connect()) {
      commands = CommandCatalogue.of(connection);
    }
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Invocations invocations(String name) {
    return new Invocations(name, commands.arguments(name));
  }

  @Test
  void shortest_ofEveryCommand_hasAsManyArgumentsAsItsAritySays() {
    List<String> wrong = new ArrayList<>();
    for (String name : described()) {
      int count = invocations(name).shortest().size();
      if (count != Math.abs(commands.arity(name)) && !NEEDS_LESS.contains(name)) {
        wrong.add(name + ": arity " + commands.arity(name) + ", " + count + " described");
      }
    }
    assertThat(wrong).isEmpty();
  }

  private List<String> described() {
    return commands.names().stream()
        .filter(name -> !UNDESCRIBED.contains(name) && !NOT_SENT.contains(name))
        .filter(name -> !isContainer(name))
        .toList();
  }

  private boolean isContainer(String name) {
    return commands.names().stream().anyMatch(other -> other.startsWith(name + "|"));
  }

  /** Whatever it is answered, it is understood. */
  @Test
  void everyWayToCallIt_isUnderstood() {
    List<String> refused = new ArrayList<>();
    for (String name : described()) {
      for (List<String> words : invocations(name).all()) {
        Reply reply = call(words);
        if (isMisunderstood(reply)) {
          refused.add(words + ": " + reply);
        }
      }
    }
    assertThat(refused).isEmpty();
  }

  /** On a connection of its own: it may be closed, or changed for good. */
  private Reply call(List<String> words) {
    try (RawConnection connection = server.connect()) {
      return connection.call(words.toArray(String[]::new));
    }
  }

  private static boolean isMisunderstood(Reply reply) {
    return reply == Reply.Special.TIMEOUT
        || (reply instanceof Reply.Failure(String text)
            && (text.startsWith("ERR syntax error")
                || text.startsWith("ERR unknown")
                || text.startsWith("ERR wrong number of arguments")));
  }

  @Test
  void oneWordLess_isTheWrongNumberOfArguments() {
    List<String> accepted = new ArrayList<>();
    for (String name : described()) {
      List<String> words = invocations(name).shortest();
      List<String> fewer = words.subList(0, words.size() - 1);
      if (fewer.size() > (name.contains("|") ? 1 : 0)
          && !NEEDS_LESS.contains(name)
          && !isWrongNumber(call(fewer))) {
        accepted.add(fewer.toString());
      }
    }
    assertThat(accepted).isEmpty();
  }

  private static boolean isWrongNumber(Reply reply) {
    return reply instanceof Reply.Failure(String text)
        && text.startsWith("ERR wrong number of arguments for '");
  }

  @Test
  void oneWordMore_whereNoneCanFollow_isRefused() {
    List<String> accepted = new ArrayList<>();
    for (String name : described()) {
      Invocations invocations = invocations(name);
      List<String> more = new ArrayList<>(invocations.shortest());
      more.add("no-such-word");
      if (invocations.isClosed()
          && !IGNORE_MORE.contains(name)
          && !(call(more) instanceof Reply.Failure)) {
        accepted.add(more.toString());
      }
    }
    assertThat(accepted).isEmpty();
  }
}
